/// A picture with axes of values: the title, panels with their axes, and what is drawn in them.
struct SVGFrame {
  /// A plot area with its axes.
  struct Area {
    let left: Double
    let right: Double
    let top: Double
    let bottom: Double
    let across: ValueAxis
    let up: ValueAxis

    func x(_ value: Double) -> Double { left + across.position(of: value) * (right - left) }
    func y(_ value: Double) -> Double { bottom - up.position(of: value) * (bottom - top) }
  }

  /// The space above the first panel, and below each for its axis.
  static let head = 64.0
  static let foot = 52.0

  private(set) var text: String
  private let width: Double

  init(title: String, subtitle: String, summary: String, width: Int, height: Int, _ theme: PlotTheme) {
    self.width = Double(width)
    text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" role="img" aria-labelledby="title desc">
      <title id="title">\(SVGText.escaped(title))</title>
      <desc id="desc">\(SVGText.escaped(summary))</desc>
      <style>\(SVGPlot.style(theme)).bar{stroke:none;fill:\(PlotColours.light.lines[0]);opacity:.85}.dots{stroke-width:2}</style>
      <rect class="b" width="100%" height="100%"/>

      """
    add(TextWidth.cut(title, size: 16 * 1.08, to: self.width - 28), 14, 30, "t")
    add(TextWidth.cut(subtitle, size: PlotLayout.font, to: self.width - 28), 14, 50, "m")
  }

  var picture: String { text + "</svg>\n" }

  mutating func add(_ string: String, _ x: Double, _ y: Double, _ style: String) {
    guard !string.isEmpty else { return }
    text +=
      "<text class=\"\(style)\" x=\"\(SVGText.number(x))\" y=\"\(SVGText.number(y))\">\(SVGText.escaped(string))</text>\n"
  }

  mutating func add(_ path: SVGPath, _ style: String) {
    if !path.isEmpty { text += "<path class=\"\(style)\" d=\"\(path.text)\"/>\n" }
  }

  /// Draws the axes of a panel.
  /// - Parameters:
  ///   - top: The top of the plot area.
  ///   - across, up: The ranges of the values, with the titles of the axes.
  mutating func area(
    top: Double, bottom: Double, across: (values: ClosedRange<Double>, title: String),
    up: (values: ClosedRange<Double>, title: String)
  ) -> Area {
    let upAxis = ValueAxis(up.values, intervals: max(2, Int((bottom - top) / 40)))
    let labels = upAxis.ticks.map { TextWidth.of($0.label, size: PlotLayout.font) }
    let left = max(34, ((labels.max() ?? 0) + 14).rounded(.up))
    let right = width - 22
    let area = Area(
      left: left, right: right, top: top, bottom: bottom,
      across: ValueAxis(across.values, intervals: max(2, Int((right - left) / 90))), up: upAxis)
    var (grid, frame) = (SVGPath(), SVGPath())
    for tick in area.up.ticks {
      let y = bottom - tick.position * (bottom - top)
      grid.move(left, y)
      grid.line(right, y)
      add(tick.label, left - 7, y + 4, "m e")
    }
    for tick in area.across.ticks {
      let x = left + tick.position * (right - left)
      grid.move(x, top)
      grid.line(x, bottom)
      let half = TextWidth.of(tick.label, size: PlotLayout.font) / 2 + 2
      add(tick.label, min(max(x, half), width - half), bottom + 18, "m c")
    }
    frame.move(left, top)
    frame.line(left, bottom)
    frame.line(right, bottom)
    add(grid, "g")
    add(frame, "a")
    add(Self.title(up.title, area.up), left, top - 10, "u")
    add(Self.title(across.title, area.across), right, bottom + 36, "e")
    return area
  }

  private static func title(_ title: String, _ axis: ValueAxis) -> String {
    axis.power == 0 ? title : title + (title.isEmpty ? "" : " ") + "(1e\(axis.power))"
  }
}
