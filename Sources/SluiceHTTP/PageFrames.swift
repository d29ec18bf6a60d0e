import SluiceLive

/// Makes the frames of pages. Pages that ask for the same of the same readings share the numbers, which are made once.
final class PageFrames {
  /// The numbers after which no further stream is added to a frame: 8 MB.
  private static let mostNumbers = 1 << 20
  /// The numbers that are kept for other pages: 1 MB.
  private static let mostKept = 1 << 17

  private struct Key: Hashable {
    var columns: ClosedRange<Int64>
    var power: Int
    var streams: [Int]
  }

  private struct Part {
    var streams: String
    var numbers: [Double]
  }

  private let live: LiveReadings
  /// Those of `generation`.
  private var parts: [Key: Part] = [:]
  private var generation: Int?
  private var kept = 0

  init(_ live: LiveReadings) { self.live = live }

  /// A frame: the length of its header as 32 bits, the header as JSON, filled up with spaces to a multiple of 8 bytes,
  /// and numbers of 64 bits, all little endian.
  ///
  /// Per stream: the first and the last time of each column as nanoseconds after the epoch of the header, the counts, the
  /// flags; then per channel minimum, maximum, first and last.
  /// - Parameter generation: That of the readings now.
  func bytes(
    id: Int, _ range: ClosedRange<Int64>, power: Int, _ streams: [Int], _ generation: Int
  ) -> [UInt8] {
    let ends = live.range
    // Columns are whole, so asks for the same columns are equal. Behind the newest reading there is nothing to ask for.
    let first = range.lowerBound >> Int64(power)
    let newest = ((ends?.upperBound ?? range.upperBound) >> Int64(power)) + 1
    let last = max(first, min(range.upperBound >> Int64(power), newest))
    let part = part(Key(columns: first...last, power: power, streams: streams), generation)
    // Numbers alone, so that it is written at once.
    let times = ends.map { "[\"\($0.lowerBound)\",\"\($0.upperBound)\"]" } ?? "null"
    let header =
      "{\"id\":\(id),\"generation\":\(generation),\"epoch\":\"\(first << Int64(power))\",\"range\":\(times),"
      + "\"streams\":[\(part.streams)]}"
    var bytes: [UInt8] = []
    bytes.reserveCapacity(header.utf8.count + 16 + part.numbers.count * 8)
    let length = (header.utf8.count + 4 + 7) / 8 * 8 - 4
    withUnsafeBytes(of: UInt32(length).littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: header.utf8)
    bytes.append(contentsOf: repeatElement(0x20, count: length - header.utf8.count))
    #if _endian(little)
      part.numbers.withUnsafeBytes { bytes.append(contentsOf: $0) }
    #else
      for number in part.numbers {
        withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
      }
    #endif
    return bytes
  }

  private func part(_ key: Key, _ generation: Int) -> Part {
    if self.generation != generation { (parts, kept, self.generation) = ([:], 0, generation) }
    if let part = parts[key] { return part }
    let part = made(key)
    if kept + part.numbers.count <= Self.mostKept {
      parts[key] = part
      kept += part.numbers.count
    }
    return part
  }

  private func made(_ key: Key) -> Part {
    let epoch = key.columns.lowerBound << Int64(key.power)
    let range = epoch...(((key.columns.upperBound + 1) << Int64(key.power)) - 1)
    var numbers: [Double] = []
    var streams: [String] = []
    // More is no picture: the rest is left out, so that no viewer keeps the others waiting.
    for stream in key.streams where numbers.count < Self.mostNumbers {
      guard let columns = live.columns(of: stream, range, power: key.power), columns.count > 0 else { continue }
      streams.append("[\(stream),\(columns.count),\(columns.channels)]")
      let count = columns.count
      numbers.reserveCapacity(numbers.count + count * (4 + 4 * columns.channels))
      for index in 0..<count { numbers.append(Double(columns.firstTimes[index] &- epoch)) }
      for index in 0..<count { numbers.append(Double(columns.lastTimes[index] &- epoch)) }
      for index in 0..<count { numbers.append(Double(columns.counts[index])) }
      for index in 0..<count { numbers.append(Double(columns.flags[index])) }
      let width = 4 * columns.channels
      for place in 0..<width {
        for index in 0..<count { numbers.append(columns.values[index &* width &+ place]) }
      }
    }
    return Part(streams: streams.joined(separator: ","), numbers: numbers)
  }
}
