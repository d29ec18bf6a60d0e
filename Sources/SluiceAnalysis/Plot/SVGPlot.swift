package import SluiceReadings

/// A plot as an SVG picture.
package struct SVGPlot {
  package struct Options: Sendable {
    package var title: String?
    package var width = 960
    /// The height; nil for a height with space for all panels.
    package var height: Int?
    package var theme = PlotTheme.auto
    /// Whether each channel has its own panel.
    package var isSeparate = false

    package init() {}
  }

  package private(set) var text = ""
  private let layout: PlotLayout
  /// The width of a column: wider if there are many lines, so that the file stays small.
  private let columns: Int

  /// - Throws: If the size is too small.
  package init(_ plot: Plot, _ options: Options = Options()) throws(SluiceError) {
    let panels = plot.panels(isSeparate: options.isSeparate)
    let (width, height) = (Double(options.width), options.height.map { Double($0) })
    guard let layout = PlotLayout(plot, panels, width: width, height: height, hasSubtitle: true) else {
      throw Self.tooSmall(plot, panels, options)
    }
    self.layout = layout
    let lines = panels.reduce(0) { $0 + $1.series.count }
    let area = Int(layout.right - layout.left)
    // A column takes about 25 bytes.
    columns = max(64, min(area, 18_000 / max(1, lines)))
    write(plot, options)
  }

  private static func tooSmall(_ plot: Plot, _ panels: [PlotPanel], _ options: Options) -> SluiceError {
    let width = Double(options.width)
    // The smallest height with space for all panels; there is none if the picture is too narrow.
    var heights = 1...20_000
    let isTooNarrow = PlotLayout(plot, panels, width: width, height: 20_000, hasSubtitle: true) == nil
    while !isTooNarrow, heights.count > 1 {
      let middle = (heights.lowerBound + heights.upperBound) / 2
      let hasRoom = PlotLayout(plot, panels, width: width, height: Double(middle), hasSubtitle: true) != nil
      heights = hasRoom ? heights.lowerBound...middle : middle + 1...heights.upperBound
    }
    return SluiceError(
      .usage, "plot", plot.name,
      because: "\(options.width)\(options.height.map { "x\($0)" } ?? "") is too small for "
        + (panels.count == 1 ? "a panel" : "\(panels.count) panels"),
      remedy: "give " + (isTooNarrow ? "a wider --size" : "at least --size \(options.width)x\(heights.lowerBound)")
        + (panels.count == 1 ? "" : ", or fewer channels with --select"))
  }

  // MARK: Parts

  private mutating func write(_ plot: Plot, _ options: Options) {
    let title = options.title ?? plot.title
    let size = "\(options.width)\" height=\"\(SVGText.number(layout.height))"
    text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(size)" viewBox="0 0 \(options.width) \(SVGText.number(layout.height))" role="img" aria-labelledby="title desc">
      <title id="title">\(SVGText.escaped(title))</title>
      <desc id="desc">\(SVGText.escaped(plot.summary(layout.panels.map(\.panel))))</desc>
      <style>\(Self.style(options.theme))</style>
      <defs><pattern id="gap" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="h" d="M0 0V6"/></pattern></defs>
      <rect class="b" width="100%" height="100%"/>

      """
    let titleText = TextWidth.cut(title, size: 16 * 1.08, to: layout.width - 28)
    add(titleText, 14, 30, "t")
    add(TextWidth.cut(plot.subtitle, size: PlotLayout.font, to: layout.width - 28), 14, 50, "m")
    for panel in layout.panels { add(panel) }
    addTimes()
    addMarks()
    text += "</svg>\n"
  }

  static func style(_ theme: PlotTheme) -> String {
    let common =
      "text{font:12px sans-serif}.t{font-size:16px;font-weight:600}.u{font-weight:600}.e{text-anchor:end}"
      + ".c{text-anchor:middle}path{fill:none;stroke-linejoin:round;stroke-linecap:round}.g,.a{shape-rendering:crispEdges}"
      + ".v{stroke-width:1.3}.h{stroke-width:1.6;opacity:.55}path.x,path.p{stroke:none}"
      + "path.f{fill:url(#gap);stroke:none}path.x{opacity:.16}path.p{opacity:.22}path.s{stroke:none;opacity:.8}"
    let (light, dark) = (PlotColours.light.rules, PlotColours.dark.rules)
    switch theme {
    case .light: return common + light
    case .dark: return common + dark
    // On paper the colours are light.
    case .auto: return common + light + "@media screen and (prefers-color-scheme:dark){\(dark)}"
    }
  }

  private mutating func add(_ string: String, _ x: Double, _ y: Double, _ style: String) {
    guard !string.isEmpty else { return }
    let attribute = style.isEmpty ? "" : " class=\"\(style)\""
    text +=
      "<text\(attribute) x=\"\(SVGText.number(x))\" y=\"\(SVGText.number(y))\">\(SVGText.escaped(string))</text>\n"
  }

  private mutating func add(_ path: SVGPath, _ style: String, _ more: String = "") {
    if !path.isEmpty { text += "<path class=\"\(style)\"\(more) d=\"\(path.text)\"/>\n" }
  }

  private mutating func add(_ panel: PlotLayout.Panel) {
    let first = panel.top - 10 - Double(panel.legend.count - 1) * PlotLayout.legendRow
    add(panel.title, layout.left, first, "u")
    for (row, entries) in panel.legend.enumerated() {
      let y = first + Double(row) * PlotLayout.legendRow
      for entry in entries {
        var sample = SVGPath()
        sample.move(entry.x - 22, y - 4)
        sample.line(entry.x - 5, y - 4)
        add(sample, Self.line(entry.colour), " stroke-width=\"2.4\"" + Self.dash(entry.colour))
        add(entry.text, entry.x, y, "")
      }
    }
    if panel.panel.isLevels { addLanes(panel) } else { addValues(panel) }
  }

  private static func line(_ colour: Int) -> String { "l\(colour % PlotColours.count)" }

  private static func dash(_ colour: Int) -> String {
    let dash = PlotColours.dashes[colour / PlotColours.count % PlotColours.dashes.count]
    return dash.isEmpty ? "" : " stroke-dasharray=\"\(dash)\""
  }

  private mutating func addGrid(top: Double, height: Double, _ lines: [Double]) {
    var grid = SVGPath()
    for y in lines {
      grid.move(layout.left, y)
      grid.line(layout.right, y)
    }
    for tick in layout.times.ticks {
      grid.move(layout.x(tick.position), top)
      grid.line(layout.x(tick.position), top + height)
    }
    add(grid, "g")
  }

  private mutating func addFrame(top: Double, height: Double) {
    var frame = SVGPath()
    frame.move(layout.left, top)
    frame.line(layout.left, top + height)
    frame.line(layout.right, top + height)
    add(frame, "a")
  }

  // MARK: Values

  private mutating func addValues(_ panel: PlotLayout.Panel) {
    guard let axis = panel.axis else { return }
    func y(_ position: Double) -> Double { panel.top + panel.height * (1 - position) }
    addGrid(top: panel.top, height: panel.height, axis.ticks.map { y($0.position) })
    addBands(panel.panel.allBands, top: panel.top, height: panel.height)
    addFrame(top: panel.top, height: panel.height)
    for tick in axis.ticks { add(tick.label, layout.left - 7, y(tick.position) + 4, "m e") }
    for series in panel.panel.seriesByInk {
      var path = SVGPath()
      var held = 0.0
      for (point, isAlone) in Self.marked(series.points(columns: columns)) {
        let x = layout.x(point.position)
        func y(_ value: Double) -> Double { panel.top + panel.height * (1 - axis.position(of: value)) }
        if path.isEmpty || point.isAfterGap {
          path.move(x, y(point.extent.first))
        } else {
          if series.isHeld { path.line(x, y(held)) }
          path.line(x, y(point.extent.first))
        }
        let extent = point.extent
        held = extent.last
        if extent.smallest < extent.largest {
          // The shorter way comes first, so that the line ends near the start of the next one.
          let isUp = extent.last >= extent.first
          path.line(x, y(isUp ? extent.smallest : extent.largest))
          path.line(x, y(isUp ? extent.largest : extent.smallest))
          path.line(x, y(extent.last))
        } else if isAlone {
          path.dot()
        }
      }
      add(path, "v \(Self.line(series.colour))", Self.dash(series.colour))
    }
  }

  /// The points, and whether each of them has no line to it or from it.
  private static func marked(_ points: [PlotSeries.Point]) -> [(PlotSeries.Point, isAlone: Bool)] {
    points.indices.map { index in
      let isFirst = index == 0 || points[index].isAfterGap
      let isLast = index == points.count - 1 || points[index + 1].isAfterGap
      return (points[index], isFirst && isLast)
    }
  }

  // MARK: Levels

  private mutating func addLanes(_ panel: PlotLayout.Panel) {
    let height = panel.height / Double(max(1, panel.panel.series.count))
    addGrid(top: panel.top, height: panel.height, [])
    for (index, series) in panel.panel.series.enumerated() {
      let top = panel.top + Double(index) * height
      addBands(panel.panel.bands[index], top: top + 1, height: height - 2)
      let (high, low) = (top + height * 0.22, top + height * 0.8)
      let name = TextWidth.cut(series.name, size: PlotLayout.font, to: layout.left - 20)
      add(name, layout.left - 9, (high + low) / 2 + 4, "e")
      var path = SVGPath()
      var level = 0.0
      for (point, isAlone) in Self.marked(series.points(columns: columns)) {
        let x = layout.x(point.position)
        func y(_ level: Double) -> Double { level > 0 ? high : low }
        let extent = point.extent
        if path.isEmpty || point.isAfterGap {
          path.move(x, y(extent.first))
        } else {
          path.line(x, y(level))
          path.line(x, y(extent.first))
        }
        if extent.smallest < extent.largest { path.line(x, y(extent.first > 0 ? 0 : 1)) }
        path.line(x, y(extent.last))
        level = extent.last
        if isAlone, extent.smallest == extent.largest { path.dot() }
      }
      add(path, "v l0")
    }
    addFrame(top: panel.top, height: panel.height)
  }

  // MARK: Bands

  private mutating func addBands(_ bands: [PlotBand], top: Double, height: Double) {
    for kind in PlotBand.Kind.allCases {
      var path = SVGPath()
      var end = -Double.infinity
      for band in bands.filter({ $0.kind == kind }).sorted(by: { $0.from < $1.from }) {
        let from = layout.x(band.from)
        // Bands are wide enough to be visible. Bands that touch become one.
        let to = max(layout.x(band.to), from + 2)
        if kind == .mark {
          path.move(from, top)
          path.line(from, top + height)
          continue
        }
        guard to > end else { continue }
        let start = max(from, end)
        path.rectangle(start, kind == .loss ? top - 3 : top, to - start, kind == .loss ? 3 : height)
        end = to
      }
      switch kind {
      case .gap:
        add(path, "x")
        add(path, "f")
      case .pause: add(path, "p")
      case .loss: add(path, "s")
      case .mark: add(path, "a", Self.dashOfMarks)
      }
    }
  }

  private static let dashOfMarks = " stroke-dasharray=\"3 2\""

  private mutating func addMarks() {
    for entry in layout.marks {
      let y = layout.marksTop + Double(entry.row) * PlotLayout.legendRow + 13
      addSample(entry.mark.kind, entry.x, y)
      add(TextWidth.cut(entry.mark.text, size: PlotLayout.font, to: layout.right - entry.x - 20), entry.x + 19, y, "m")
    }
    let rows = layout.marks.last.map { $0.row + 1 } ?? 0
    for (index, note) in layout.notes.enumerated() {
      let y = layout.marksTop + Double(rows + index) * PlotLayout.legendRow + 13
      add(TextWidth.cut(note, size: PlotLayout.font, to: layout.right - layout.left), layout.left, y, "m")
    }
  }

  private mutating func addSample(_ kind: PlotBand.Kind, _ x: Double, _ y: Double) {
    var path = SVGPath()
    if kind == .mark {
      path.move(x + 6, y - 11)
      path.line(x + 6, y + 3)
    } else {
      path.rectangle(x, kind == .loss ? y - 6 : y - 10, 13, kind == .loss ? 4 : 12)
    }
    switch kind {
    case .gap:
      add(path, "x")
      add(path, "f")
    case .pause: add(path, "p")
    case .loss: add(path, "s")
    case .mark: add(path, "a", Self.dashOfMarks)
    }
  }

  // MARK: Times

  private mutating func addTimes() {
    let bottom = layout.bottom
    var marks = SVGPath()
    for tick in layout.times.ticks {
      marks.move(layout.x(tick.position), bottom)
      marks.line(layout.x(tick.position), bottom + 4)
    }
    add(marks, "a")
    for tick in layout.times.ticks {
      let x = layout.x(tick.position)
      // A label at an edge stays within the picture.
      add(tick.label, inside(x, tick.label), bottom + 18, "m c")
      add(tick.detail, inside(x, tick.detail), bottom + 33, "m c")
    }
    let hasDetail = layout.times.ticks.contains { !$0.detail.isEmpty }
    add(layout.times.title, layout.right, bottom + (hasDetail ? 50 : 35), "e")
  }

  private func inside(_ x: Double, _ label: String) -> Double {
    let half = TextWidth.of(label, size: PlotLayout.font) / 2 + 2
    return min(max(x, half), layout.width - half)
  }
}
