/// Which readings of a run are not the first of their stream with their time.
///
/// A database has one row for a series and a time. So it can keep two readings of the same time only if something else
/// tells them apart. The ordinal does: 0 for the first, and then 1, 2 and so on. It is in the log, so that a reading that is
/// sent again has the same one.
package struct ReadingOrdinals: Equatable, Sendable {
  /// By the place of the reading in its run, its ordinal, which is not 0. In the order of the places.
  package private(set) var places: [(place: Int, ordinal: UInt32)] = []

  package init() {}

  package var isEmpty: Bool { places.isEmpty }

  /// Notes the ordinal of a reading behind all that were noted.
  package mutating func add(_ ordinal: UInt32, at place: Int) { if ordinal > 0 { places.append((place, ordinal)) } }

  /// The ordinals of two runs, one behind the other.
  /// - Parameter count: The readings of the first run.
  package mutating func append(_ others: ReadingOrdinals, behind count: Int) {
    places += others.places.map { ($0.place + count, $0.ordinal) }
  }

  /// Those of the run without its first readings.
  package func dropFirst(_ count: Int) -> ReadingOrdinals { self[count..<Int.max] }

  /// Those of a part of the run.
  package subscript(range: Range<Int>) -> ReadingOrdinals {
    var part = ReadingOrdinals()
    part.places = places.filter { range.contains($0.place) }.map { ($0.place - range.lowerBound, $0.ordinal) }
    return part
  }

  package static func == (one: ReadingOrdinals, other: ReadingOrdinals) -> Bool {
    one.places.elementsEqual(other.places) { $0 == $1 }
  }

  package func hash(into hasher: inout Hasher) {
    for (place, ordinal) in places { hasher.combine(UInt64(place) << 32 | UInt64(ordinal)) }
  }

  // MARK: In a log

  /// Their number, and for each the places since the last one, and the ordinal: numbers in LEB128.
  var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: (1 + 2 * places.count) * ReadingEncoder.longestNumber) { bytes, length in
      var end = EncodedEnd(UnsafeMutableRawBufferPointer(bytes), 0)
      end.add(UInt64(places.count))
      var last = 0
      for (place, ordinal) in places {
        end.add(UInt64(place - last))
        end.add(UInt64(ordinal))
        last = place
      }
      length = end.place
    }
  }

  /// Removes ``bytes`` from the beginning.
  /// - Returns: Nil if they are not there.
  init?(takenFrom bytes: inout ArraySlice<UInt8>) {
    func number() -> UInt64? {
      var value: UInt64 = 0
      for shift in stride(from: 0, to: 35, by: 7) {
        guard let byte = bytes.popFirst() else { return nil }
        value |= UInt64(byte & 0x7f) << UInt64(shift)
        if byte < 0x80 { return value }
      }
      return nil
    }
    // Each has two bytes at least.
    guard let count = number(), count <= UInt64(bytes.count / 2) else { return nil }
    var place = 0
    for _ in 0..<count {
      guard let step = number(), let ordinal = number().flatMap({ UInt32(exactly: $0) }) else { return nil }
      place += Int(step)
      places.append((place, ordinal))
    }
  }
}
