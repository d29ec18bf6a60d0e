import SluicePipeline
package import SluiceReadings

/// Histograms as an SVG picture, one panel below the other.
package struct SVGHistogram {
  /// One histogram.
  package struct Item {
    package var name: String
    /// The unit of its numbers; empty if it is not known.
    package var unit: String
    package var steps: LogLinearHistogram.Steps

    package init(name: String, unit: String, steps: LogLinearHistogram.Steps) {
      (self.name, self.unit, self.steps) = (name, unit, steps)
    }
  }

  private static let panel = 200.0

  package private(set) var text = ""

  /// - Parameter name: The name of the trace.
  /// - Throws: If the size is too small.
  package init(_ items: [Item], of name: String, _ options: SVGPlot.Options) throws(SluiceError) {
    let count = Double(max(1, items.count))
    let height = options.height ?? Int(SVGFrame.head + count * (Self.panel + SVGFrame.foot + 24))
    let each = (Double(height) - SVGFrame.head) / count - SVGFrame.foot - 24
    guard each >= 40, options.width >= 160 else {
      throw SluiceError(
        .usage, "plot", name, because: "\(options.width)x\(height) is too small for \(items.count) histograms",
        remedy:
          "give at least --size \(max(160, options.width))x\(Int(SVGFrame.head + count * (40 + SVGFrame.foot + 24)))")
    }
    let total = items.map { $0.steps.total }.max() ?? 0
    let title = options.title ?? name
    let summary = items.map { "histogram of \($0.name), \(grouped($0.steps.total)) values" }.joined(separator: "; ")
    var frame = SVGFrame(
      title: title, subtitle: "histogram of \(grouped(total)) value\(total == 1 ? "" : "s")", summary: summary,
      width: options.width, height: height, options.theme)
    for (index, item) in items.enumerated() {
      let top = SVGFrame.head + 24 + Double(index) * (each + SVGFrame.foot + 24)
      Self.draw(item, on: &frame, top: top, bottom: top + each)
    }
    text = frame.picture
  }

  private static func draw(_ item: Item, on frame: inout SVGFrame, top: Double, bottom: Double) {
    let steps = item.steps
    let outside = [(steps.below, "below"), (steps.above, "above")].filter { $0.0 > 0 }.map {
      "\(grouped($0.0)) \($0.1)"
    }
    let said = outside.isEmpty ? "" : " (\(outside.joined(separator: ", ")))"
    let area = frame.area(
      top: top, bottom: bottom,
      across: (
        steps.lower...steps.start(of: steps.counts.count), item.name + (item.unit.isEmpty ? "" : ", \(item.unit)")
      ),
      up: (0...Double(max(1, steps.counts.max() ?? 1)), "count\(said)"))
    var bars = SVGPath()
    for (step, count) in steps.counts.enumerated() where count > 0 {
      let (x, end) = (area.x(steps.start(of: step)), area.x(steps.start(of: step + 1)))
      // A bar of one of many is seen too.
      let y = min(area.y(Double(count)), area.y(0) - 1)
      bars.rectangle(x + 0.5, y, max(0.5, end - x - 1), area.y(0) - y)
    }
    frame.add(bars, "bar")
  }
}

extension LogLinearHistogram.Steps {
  /// All numbers.
  package var total: Int { counts.reduce(0, +) + below + above }

  /// The steps with numbers that are a part as large.
  package func divided(by scale: Double) -> Self {
    var steps = self
    (steps.lower, steps.width) = (lower / scale, width / scale)
    return steps
  }
}
