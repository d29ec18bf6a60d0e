import SluiceAnalysis
import SluicePipeline
import SluiceReadings

/// A histogram as lines of text: a row for each step, with a bar and the count.
enum HistogramText {
  static let rows = 16
  private static let width = 40

  /// - Parameter limit: Numbers above it are above all rows.
  static func lines(
    _ histogram: LogLinearHistogram, upTo limit: Double? = nil, isOfTimes: Bool, _ glyphs: TerminalGlyphs
  ) -> [String] {
    guard let steps = histogram.steps(atMost: rows, upTo: limit) else { return [] }
    let most = steps.counts.max() ?? 0
    let label = StepLabel(steps, isOfTimes: isOfTimes)
    var cells: [[String]] = []
    if steps.below > 0 { cells.append(["below", "", grouped(steps.below)]) }
    for (step, count) in steps.counts.enumerated() {
      cells.append([label.text(steps.start(of: step)), bar(count, of: most, glyphs), grouped(count)])
    }
    if steps.above > 0 { cells.append(["above", "", grouped(steps.above)]) }
    let widths = (cells.map { $0[0].count }.max() ?? 0, cells.map { $0[2].count }.max() ?? 0)
    return cells.map { row in
      "\(padded(row[0], widths.0, .right)) \(padded(row[2], widths.1, .right)) \(row[1])"
        .trimmedAtEnd
    }
  }

  /// Eighths of a character, so that a few of many are seen.
  private static func bar(_ count: Int, of most: Int, _ glyphs: TerminalGlyphs) -> String {
    guard count > 0, most > 0 else { return "" }
    let length = Double(count) / Double(most) * Double(width)
    guard glyphs != .ascii else { return String(repeating: "#", count: max(1, Int(length.rounded()))) }
    let eighths = max(1, Int((length * 8).rounded()))
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }
}

/// The lower ends of steps, all with the same unit and number of decimals.
struct StepLabel {
  private let scale: Double
  private let unit: String
  private let decimals: Int

  init(_ steps: LogLinearHistogram.Steps, isOfTimes: Bool) {
    let (unit, scale) = isOfTimes ? Self.unit(of: steps) : ("", 1)
    (self.scale, self.unit) = (scale, unit.isEmpty ? "" : " \(unit)")
    var decimals = 0
    var width = steps.width / scale
    while decimals < 12, width > 0, abs(width - width.rounded()) > 1e-6 {
      (width, decimals) = (width * 10, decimals + 1)
    }
    self.decimals = decimals
  }

  /// The unit of time for steps in nanoseconds.
  static func unit(of steps: LogLinearHistogram.Steps) -> (name: String, scale: Double) {
    let end = max(abs(steps.lower), abs(steps.start(of: steps.counts.count)))
    let units: [(name: String, scale: Double)] = [("ns", 1), ("us", 1e3), ("ms", 1e6), ("s", 1e9)]
    return units.last { end >= $0.scale } ?? ("ns", 1)
  }

  func text(_ value: Double) -> String { fixed(value / scale, decimals) + unit }
}

extension String {
  /// Without spaces at the end.
  fileprivate var trimmedAtEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
