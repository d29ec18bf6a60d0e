import SluiceReadings

/// Makes readings of what the kernel sends of events: `struct iio_event_data`, an identifier and a time, 64 bits each.
struct IIOEventDecoder {
  /// Bytes of one event.
  static var size: Int { 16 }

  private let names: [String]
  private let base: StreamID
  private var places: [UInt64: Int] = [:]  // of identifiers that have come
  private var gaps: [Bool]

  /// - Parameter names: Of the events, a stream each; one more is for those of another name.
  init(_ names: [String], from base: StreamID) {
    self.names = names
    self.base = base
    gaps = Array(repeating: false, count: names.count + 1)
  }

  /// The next reading of each stream has a gap before it.
  mutating func markGap() { for index in gaps.indices { gaps[index] = true } }

  /// - Parameter body: Gets each whole event, with the time that the kernel gave it.
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
    // A driver sends few identifiers; whatever else does must not fill the memory.
    if places.count < 4_096 { places[code.id] = place }
    return place
  }
}
