import HeapModule
import SluiceReadings

/// Decodes several traces as one, in the order of time. Readings of the same time are in the order of the traces.
///
/// It decodes each trace block by block, so that it keeps the same number of readings of each.
final class FolderDecoder: TraceDecoder {
  /// The number of readings kept per trace: 14 KB.
  private static let block = 128

  private struct Part {
    /// For errors.
    let name: String
    let decoder: any TraceDecoder
    /// Whether its first reading has been compared with those of the other parts.
    var isCompared = false
    /// The number of its first stream.
    let base: UInt16
    var readings: [Reading] = []
    var next = 0
    var count = 0
  }

  /// The next reading of a part.
  private struct Head: Comparable {
    let time: Int64
    let part: Int

    static func < (a: Head, b: Head) -> Bool { a.time == b.time ? a.part < b.part : a.time < b.time }
  }

  let list: StreamList
  let mayWait: Bool
  private var parts: [Part]
  private var heads = Heap<Head>()
  /// Parts without a head, because they have no decoded readings.
  private var empty: [Int]
  private var failure: SluiceError?
  /// The first part that has a reading, and whether that has a date.
  private var first: (part: Int, isDated: Bool)?

  /// - Parameters:
  ///   - traces: The names of the traces, and decoders that are not growing.
  ///   - comparesTimes: Whether times since 1970 and other times are refused together.
  init(_ traces: [(name: String, decoder: any TraceDecoder)], comparesTimes: Bool) {
    var base = 0
    let decoders = traces.map(\.decoder)
    parts = traces.map { name, decoder in
      defer { base += decoder.list.streams.count }
      return Part(
        name: name, decoder: decoder, base: UInt16(truncatingIfNeeded: base),
        readings: Array(repeating: .empty, count: Self.block))
    }
    list = StreamList(decoders.flatMap(\.list.streams))
    mayWait = decoders.contains(where: \.mayWait)
    empty = Array(parts.indices)
    if !comparesTimes { for index in parts.indices { parts[index].isCompared = true } }
  }

  var hasNext: Bool { empty.allSatisfy { parts[$0].decoder.hasNext } }

  func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
    if let failure { throw failure }
    var count = 0
    while count < target.count {
      // One of the traces may come from a pipe.
      if count > 0, mayWait, !hasNext { break }
      do throws(SluiceError) {
        try fill()
      } catch {
        failure = error
        break
      }
      guard let head = heads.popMin() else { break }
      // A run of one part ends before the next reading of any other part.
      let end = heads.min
      let base = parts[head.part].base
      var next = parts[head.part].next
      repeat {
        target[count] = parts[head.part].readings[next]
        target[count].stream.index += base
        count += 1
        next += 1
      } while count < target.count && next < parts[head.part].count
        && end.map { Head(time: parts[head.part].readings[next].time, part: head.part) < $0 } ?? true
      parts[head.part].next = next
      if next < parts[head.part].count {
        heads.insert(Head(time: parts[head.part].readings[next].time, part: head.part))
      } else {
        empty.append(head.part)
      }
    }
    if count == 0, let failure { throw failure }
    return count
  }

  /// Decodes a block of each part without readings.
  private func fill() throws(SluiceError) {
    while let index = empty.last {
      let decoder = parts[index].decoder
      let count = try parts[index].readings.withUnsafeMutableBufferPointer { block in
        Result { () throws(SluiceError) in try decoder.read(into: block) }
      }.get()
      parts[index].next = 0
      parts[index].count = count
      empty.removeLast()
      if count > 0, !parts[index].isCompared { try compareTimes(of: index) }
      if count > 0 { heads.insert(Head(time: parts[index].readings[0].time, part: index)) }
    }
  }

  /// Refuses to put times since 1970 and other times into one order.
  private func compareTimes(of index: Int) throws(SluiceError) {
    parts[index].isCompared = true
    let isDated = TraceTimes.isDate(parts[index].readings[0].time)
    guard let first else { return first = (index, isDated) }
    guard first.isDated != isDated else { return }
    let (dated, other) = isDated ? (index, first.part) : (first.part, index)
    throw .differentOrigins(
      "merge", parts[dated].name, parts[other].name, remedy: "read each trace alone")
  }
}
