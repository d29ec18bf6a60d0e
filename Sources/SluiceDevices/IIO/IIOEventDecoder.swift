import SluiceReadings

/// Makes readings from events of the kernel: `struct iio_event_data`, an identifier and a time, 64 bits each.
struct IIOEventDecoder {
  /// The bytes of one event.
  static var size: Int { 16 }

  private let names: [String]
  private let base: StreamID
  private var places: [UInt64: Int] = [:]  // of the identifiers seen so far
  private var gaps: [Bool]

  /// - Parameter names: The names of the events, one per stream. One more stream is for all other events.
  init(_ names: [String], from base: StreamID) {
    self.names = names
    self.base = base
    gaps = Array(repeating: false, count: names.count + 1)
  }

  /// Flags the next reading of each stream as following a gap.
  mutating func markGap() { for index in gaps.indices { gaps[index] = true } }

  /// - Parameter body: Called with each whole event, and with the time from the kernel.
  mutating func decode(_ bytes: UnsafeRawBufferPointer, _ body: (Reading) -> Void) {
    var start = 0
    while bytes.count - start >= Self.size {
      let code = IIOEventCode(id: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
      let time = bytes.loadUnaligned(fromByteOffset: start + 8, as: Int64.self)
      let place = place(of: code)
      let value = place < names.count ? code.value : Int64(bitPattern: code.id)
      body(
        Reading(
          time: time, stream: StreamID(base.index &+ UInt16(truncatingIfNeeded: place)), values: Values(value),
          flags: gaps[place] ? .gapBefore : []))
      gaps[place] = false
      start += Self.size
    }
  }

  private mutating func place(of code: IIOEventCode) -> Int {
    if let place = places[code.id] { return place }
    let known = code.names.first { names.contains($0) }
    let place = known.flatMap { names.firstIndex(of: $0) } ?? names.count
    // A driver sends few identifiers. Other data must not fill the memory.
    if places.count < 4_096 { places[code.id] = place }
    return place
  }
}
