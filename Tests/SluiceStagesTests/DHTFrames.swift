import SluiceReadings

extension LineSignal {
  /// A frame as the data sheet of the AM2302 has it: start, answer, 40 bits and the end.
  /// - Parameters:
  ///   - bytes: With the checksum.
  ///   - pulse: How long one is that lasts between so many microseconds.
  mutating func dht(_ bytes: [UInt8], pulse: (ClosedRange<Int64>) -> Int64 = { ($0.lowerBound + $0.upperBound) / 2 }) {
    low(pulse(800...20_000))
    high(pulse(20...200))
    low(pulse(75...85))
    high(pulse(75...85))
    for byte in bytes {
      for bit in (0..<8).reversed() {
        low(pulse(48...55))
        high(byte >> UInt8(bit) & 1 == 1 ? pulse(68...75) : pulse(22...30))
      }
    }
    low(pulse(45...55))
    high(2_000_000)
  }

  /// - Parameter bytes: Without the checksum.
  static func dht(_ frames: [[UInt8]]) -> LineSignal {
    var signal = LineSignal()
    for frame in frames { signal.dht(frame + [frame.reduce(0, &+)]) }
    return signal
  }
}

/// What a frame of a DHT22 says: `46.4 24.5 1`.
func textOfDHT22(_ bytes: [UInt8]) -> String {
  let humidity = Int(bytes[0]) * 256 + Int(bytes[1])
  let temperature = Int(bytes[2] & 0x7f) * 256 + Int(bytes[3])
  let sign = bytes[2] & 0x80 != 0 && temperature != 0 ? "-" : ""
  return "\(humidity / 10).\(humidity % 10) \(sign)\(temperature / 10).\(temperature % 10) 1"
}

/// A frame that a DHT22 can send, without the checksum.
func frameOfDHT22(_ random: inout SeededGenerator) -> [UInt8] {
  let humidity = Int.random(in: 0...1_000, using: &random)
  let temperature = Int.random(in: 0...400, using: &random)
  let sign = Bool.random(using: &random) ? 0x80 : 0
  return [humidity >> 8, humidity & 0xff, temperature >> 8 | sign, temperature & 0xff].map { UInt8($0) }
}
