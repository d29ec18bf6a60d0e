import SluiceReadings

/// Returns the wanted streams and channels of another decoder.
///
/// The readings of one time share a row of a wide file only if they are in the order of its streams. So readings of one
/// time are sorted into the order of the selection.
final class SelectedDecoder: TraceDecoder {
  private let decoder: any TraceDecoder
  private let selection: TraceSelection
  let list: StreamList
  /// Decoded readings, and wanted readings that were not returned yet.
  private var block: [Reading]
  private var ready = 0..<0
  /// The unfinished row, after the ready readings. The next reading may belong to it.
  private var row = Row()
  private var hasEnded = false
  private var failure: SluiceError?

  /// Wanted readings of one time. Their streams are in the order of the trace.
  private struct Row {
    var range = 0..<0
    var time: Int64 = 0
    /// The stream of the latest reading, even if it is not wanted; nil if no row has begun.
    var stream: UInt16?

    func goesOn(with reading: Reading) -> Bool {
      stream.map { $0 < reading.stream.index && time == reading.time } ?? false
    }

    /// An insertion sort, because a row has few readings.
    func sort(_ block: UnsafeMutableBufferPointer<Reading>) {
      for end in range.dropFirst() {
        var index = end
        while index > range.lowerBound, block[index - 1].stream.index > block[index].stream.index {
          block.swapAt(index - 1, index)
          index -= 1
        }
      }
    }
  }

  /// - Parameter decoder: A decoder that is not growing.
  init(_ decoder: any TraceDecoder, _ selection: TraceSelection) {
    self.decoder = decoder
    self.selection = selection
    list = StreamList(selection.streams)
    block = Array(repeating: .empty, count: 512 + selection.streams.count)
  }

  var mayWait: Bool { decoder.mayWait }

  /// A pipe may have only readings of other streams. Then a read waits for the next wanted reading.
  var hasNext: Bool {
    while ready.isEmpty, !hasEnded, decoder.hasNext { fill() }
    return !ready.isEmpty || hasEnded
  }

  func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
    var count = 0
    while count < target.count {
      if ready.isEmpty {
        if hasEnded || count > 0 && mayWait && !hasNext { break }
        if ready.isEmpty { fill() }
      }
      let part = ready.prefix(target.count - count)
      for index in part {
        target[count] = block[index]
        count += 1
      }
      ready = part.endIndex..<ready.upperBound
    }
    if count == 0, let failure { throw failure }
    return count
  }

  /// Decodes a block. Good readings come before the failure.
  private func fill() {
    let (decoder, selection) = (decoder, selection)
    var row = row
    let result = block.withUnsafeMutableBufferPointer { block in
      // The readings of an unfinished row move to the front.
      for (index, from) in row.range.enumerated() where index < from { block.swapAt(index, from) }
      row.range = 0..<row.range.count
      let rest = UnsafeMutableBufferPointer(rebasing: block[row.range.count...])
      return Result { () throws(SluiceError) in
        let first = row.range.count
        let count = try decoder.read(into: rest)
        for index in first..<first + count {
          if !row.goesOn(with: block[index]) {
            row.sort(block)
            row.range = row.range.upperBound..<row.range.upperBound
          }
          (row.time, row.stream) = (block[index].time, block[index].stream.index)
          guard selection.take(&block[index]) else { continue }
          let end = row.range.upperBound
          if end < index { block.swapAt(end, index) }
          row.range = row.range.lowerBound..<end + 1
        }
        return count
      }
    }
    self.row = row
    switch result {
    case .success(let count) where count > 0: ready = 0..<row.range.lowerBound
    case .success: endRow(isLast: true)
    case .failure(let error):
      failure = error
      endRow(isLast: true)
    }
    // The rest of a row is available at once; otherwise the row has ended.
    if !hasEnded, mayWait, !decoder.hasNext { endRow(isLast: false) }
  }

  private func endRow(isLast: Bool) {
    let row = row
    block.withUnsafeMutableBufferPointer { row.sort($0) }
    ready = 0..<row.range.upperBound
    self.row = Row()
    hasEnded = isLast
  }
}
