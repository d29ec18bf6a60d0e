import SluiceReadings

extension LineSignal {
  /// A reset and the presence of a device.
  mutating func reset(presence: Bool = true) {
    low(500)
    if presence {
      high(30)
      low(110)
      high(400)
    } else {
      high(540)
    }
  }

  /// - Parameter byDevice: A device says it, and not the host.
  mutating func slot(_ bit: Bool, byDevice: Bool = false) {
    let length: Int64 = bit ? 8 : byDevice ? 28 : 60
    low(length)
    high(70 - length)
  }

  mutating func bytes(_ bytes: [UInt8], byDevice: Bool = false) {
    for byte in bytes { for bit in 0..<8 { slot(byte >> UInt8(bit) & 1 == 1, byDevice: byDevice) } }
  }

  /// A search that finds one device, alone on the line.
  mutating func search(_ rom: [UInt8]) {
    bytes([0xf0])
    for byte in rom {
      for index in 0..<8 {
        let bit = byte >> UInt8(index) & 1 == 1
        slot(bit, byDevice: true)
        slot(!bit, byDevice: true)
        slot(bit)
      }
    }
  }
}

/// Bytes and their check: bit by bit, as application note 27 has it.
func withCheck(_ bytes: [UInt8]) -> [UInt8] {
  var check: UInt8 = 0
  for byte in bytes {
    check ^= byte
    for _ in 0..<8 { check = check & 1 == 1 ? check >> 1 ^ 0x8c : check >> 1 }
  }
  return bytes + [check]
}

/// - Parameter serial: 48 bits.
func rom(_ family: UInt8, _ serial: Int64) -> [UInt8] {
  withCheck([family] + (0..<6).map { UInt8(truncatingIfNeeded: serial >> (8 * $0)) })
}

/// The memory of a DS18B20.
func scratchpad(sixteenths: Int16, configuration: UInt8 = 0x7f) -> [UInt8] {
  withCheck([
    UInt8(truncatingIfNeeded: sixteenths), UInt8(truncatingIfNeeded: sixteenths >> 8), 0x4b, 0x46, configuration, 0xff,
    0x04, 0x10,
  ])
}
