import SluiceReadings
import SluiceRecording

extension Account {
  /// One row per stream, if there are more streams than the sentence of ``text`` can name; otherwise no rows.
  ///
  /// Short rows are side by side, so that 64 streams of a recording without losses fit on a screen.
  /// - Parameter columns: The width of the window.
  package func streamTable(columns: Int) -> [String] {
    guard streams.count > Self.mostNames else { return [] }
    let counts = streams.map(counts)
    // The columns: received, written if it differs, and each count that is not zero for at least one stream.
    let shown = Self.titles.indices.filter { index in
      switch index {
      case 0: true
      case 1: counts.contains { $0[1] != $0[0] }
      default: counts.contains { $0[index] != 0 }
      }
    }
    let numbers = [shown.map { Self.titles[$0] }] + counts.map { counts in shown.map { grouped(counts[$0]) } }
    let numbersWidth = shown.indices.reduce(0) { sum, column in
      sum + 2 + (numbers.map { $0[column].count }.max() ?? 0)
    }
    let names = ["stream"] + streams.map { Self.cut($0.input ?? $0.stream, to: max(8, columns - numbersWidth)) }
    let rows = table(zip(names, numbers).map { [$0] + $1 }, numbers: { $0 > 0 })
    return Self.sideBySide(rows, columns)
  }

  private static let titles = [
    "received", "written", "late", "dropped", "left out", "used", "made", "discarded", "not written", "held",
    "lost",
  ]

  /// The counts in the order of the titles.
  private func counts(_ stream: StreamAccount) -> [Int] {
    // A loss that several streams share is in the sentence of ``text``.
    let lost = losses.filter { $0.streams == [stream.stream] && $0.countsReadings && !$0.isRecorded }
    return [
      stream.received, stream.written, stream.late, stream.dropped, stream.suppressed, stream.used, stream.made,
      stream.discarded, stream.unwritten, stream.held, lost.reduce(0) { adding($0, $1.count) },
    ]
  }

  private static func cut(_ name: String, to width: Int) -> String {
    name.count > width ? name.prefix(width - 2) + ".." : name
  }

  /// Puts rows side by side, in as many columns as fit. Each column has the header. The order is top to bottom, then
  /// left to right.
  private static func sideBySide(_ rows: [String], _ columns: Int) -> [String] {
    guard let header = rows.first else { return [] }
    let width = rows.lazy.map(\.count).max() ?? 0
    let gap = 4
    let across = max(1, (columns + gap) / (width + gap))
    let body = rows.dropFirst()
    let height = (body.count + across - 1) / across
    return (-1..<height).map { row in
      var line = ""
      for column in 0..<across {
        let index = body.startIndex + column * height + max(row, 0)
        guard column * height + max(row, 0) < body.count else { break }
        line += padded(row < 0 ? header : body[index], width + gap)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
