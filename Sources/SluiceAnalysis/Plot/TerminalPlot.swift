import SluicePipeline
package import SluiceReadings

/// A plot as text for a terminal.
package struct TerminalPlot {
  package struct Options: Sendable {
    package var title: String?
    package var width = 80
    /// The height of the window; nil gives each panel eight rows.
    package var height: Int?
    package var glyphs = TerminalGlyphs.braille
    /// Without colours each channel has its own panel, because lines could not be distinguished.
    package var isColoured = false
    package var isSeparate = false

    package init() {}
  }

  /// Rows, each with the line end.
  package private(set) var text = ""
  private let options: Options
  private var columns = 0
  private var left = 0

  /// The smallest number of columns of the plot area.
  static let narrowest = 8

  /// - Throws: If the window is too narrow.
  package init(_ plot: Plot, _ options: Options = Options()) throws(SluiceError) {
    self.options = options
    let panels = plot.panels(isSeparate: options.isSeparate || !options.isColoured)
    let rows = rows(panels, plot)
    let axes = zip(panels, rows).map { panel, rows in
      panel.isLevels ? nil : ValueAxis(panel.values ?? 0...1, intervals: max(2, rows / 2))
    }
    let names = panels.filter(\.isLevels).flatMap(\.series).map { TerminalText.width(safe($0.name)) }
    let labels = axes.compactMap { $0 }.flatMap(\.ticks).map(\.label.count)
    left = max(labels.max() ?? 0, min(names.max() ?? 0, options.width / 4))
    columns = options.width - left - 1
    guard columns >= Self.narrowest else {
      throw SluiceError(
        .unsupported, "plot", plot.name,
        because: "a width of \(options.width) column\(options.width == 1 ? "" : "s") is too small",
        remedy:
          "make the terminal at least \(options.width + Self.narrowest - columns) columns wide, or give -o FILE.svg")
    }
    add([.bold], safe(options.title ?? plot.title))
    add([.faint], safe(plot.subtitle))
    for (index, panel) in panels.enumerated() { add(panel, axes[index], rows: rows[index]) }
    addTimes(plot)
    for mark in plot.marks.prefix(8) {
      add([.shade(mark.kind)], String(options.glyphs.character(of: mark.kind)), " " + safe(mark.text))
    }
    for note in plot.notes.prefix(4) { add([], safe(note)) }
  }

  // MARK: Room

  /// The rows of each panel.
  private func rows(_ panels: [PlotPanel], _ plot: Plot) -> [Int] {
    let values = panels.filter { !$0.isLevels }.count
    var each = values == 1 ? 16 : 8
    if let height = options.height, values > 0 {
      let lanes = panels.filter(\.isLevels).reduce(0) { $0 + $1.series.count }
      // The rows of the titles, headers, the axis and the legend, and of the prompt that follows.
      let notes = min(8, plot.marks.count) + min(4, plot.notes.count)
      let others = panels.count + notes + 6
      each = min(24, max(4, (height - others - lanes) / values))
    }
    return panels.map { $0.isLevels ? $0.series.count : each }
  }

  private func safe(_ text: String) -> String { TerminalText.safe(text, options.glyphs) }

  // MARK: Panels

  private mutating func add(_ panel: PlotPanel, _ axis: ValueAxis?, rows: Int) {
    addHeader(panel, axis)
    guard let axis else { return addLanes(panel) }
    var canvas = DotCanvas(columns: columns, rows: rows, options.glyphs)
    for band in panel.allBands { canvas.shade(from: band.from, to: band.to, band.kind) }
    let height = Double(canvas.height - 1)
    for series in panel.seriesByInk {
      draw(series, on: &canvas) { Int(((1 - axis.position(of: $0)) * height).rounded()) }
    }
    var labels: [Int: String] = [:]
    for tick in axis.ticks {
      labels[Int(((1 - tick.position) * height).rounded()) / options.glyphs.dots.down] = tick.label
    }
    for row in 0..<rows {
      let side = options.glyphs.side
      let label = padded(labels[row] ?? "", left, .right)
      add(label + String(labels[row] == nil ? side.plain : side.tick), canvas.row(row))
    }
  }

  private mutating func addLanes(_ panel: PlotPanel) {
    for (index, series) in panel.series.enumerated() {
      var canvas = DotCanvas(columns: columns, rows: 1, options.glyphs)
      for band in panel.bands[index] { canvas.shade(from: band.from, to: band.to, band.kind) }
      let bottom = canvas.height - 1
      draw(series, on: &canvas) { $0 > 0 ? 0 : bottom }
      let name = TerminalText.cut(safe(series.name), to: left, options.glyphs)
      let space = String(repeating: " ", count: max(0, left - TerminalText.width(name)))
      add(space + name + String(options.glyphs.side.plain), canvas.row(0))
    }
  }

  private func draw(_ series: PlotSeries, on canvas: inout DotCanvas, row: (Double) -> Int) {
    let colour = series.isLevel ? 0 : series.colour
    var end: (x: Int, y: Int)?
    for point in series.points(columns: canvas.width) {
      let x = DotCanvas.place(of: point.position, among: canvas.width)
      let start = (x: x, y: row(point.extent.first))
      if let end, !point.isAfterGap {
        let knee = series.isHeld ? (x: x, y: end.y) : end
        canvas.line(from: end, to: knee, colour)
        canvas.line(from: knee, to: start, colour)
      }
      canvas.line(from: (x, row(point.extent.largest)), to: (x, row(point.extent.smallest)), colour)
      end = (x, row(point.extent.last))
    }
  }

  /// The unit and the names of the lines.
  private mutating func addHeader(_ panel: PlotPanel, _ axis: ValueAxis?) {
    guard case .values(let unit) = panel.kind, let axis else { return }
    var title = safe(unit)
    if axis.power != 0 { title = "1e\(axis.power)" + (title.isEmpty ? "" : " \(title)") }
    let indent = String(repeating: " ", count: min(left + 1, options.width / 4))
    let limit = options.width - indent.count
    title = TerminalText.cut(title, to: limit, options.glyphs)
    var line = indent + style([.bold], title)
    var used = TerminalText.width(title)
    for series in panel.series {
      let name = TerminalText.cut(safe(series.name), to: limit - 4, options.glyphs)
      let width = TerminalText.width(name) + 4
      if used + width > limit {
        text += line + "\n"
        (line, used) = (indent, 0)
      }
      let space = used == 0 ? "" : "  "
      line += space + style([.colour(series.colour)], options.glyphs.sample) + " " + name
      used += width
    }
    text += line + "\n"
  }

  // MARK: Times

  private mutating func addTimes(_ plot: Plot) {
    let columns = columns
    func centre(_ tick: TimeAxis.Tick) -> Int { DotCanvas.place(of: tick.position, among: columns) }
    func start(_ tick: TimeAxis.Tick, _ label: String) -> Int {
      max(0, min(left + 1 + centre(tick) - label.count / 2, options.width - label.count))
    }
    let axis = TimeAxis(plot.times, plot.clock, zero: plot.zero) { ticks in
      var (end, endOfDetail) = (-2, -2)
      for tick in ticks {
        guard start(tick, tick.label) >= end + 2 else { return false }
        if !tick.detail.isEmpty, start(tick, tick.detail) < endOfDetail + 2 { return false }
        end = start(tick, tick.label) + tick.label.count
        if !tick.detail.isEmpty { endOfDetail = start(tick, tick.detail) + tick.detail.count }
      }
      return true
    }
    var floor = Array(repeating: options.glyphs.floor.plain, count: columns)
    for tick in axis.ticks { floor[centre(tick)] = options.glyphs.floor.tick }
    text += String(repeating: " ", count: left) + String(options.glyphs.floor.corner) + String(floor) + "\n"
    for label in [\TimeAxis.Tick.label, \.detail] {
      var line = ""
      for tick in axis.ticks where !tick[keyPath: label].isEmpty {
        line +=
          String(repeating: " ", count: max(0, start(tick, tick[keyPath: label]) - line.count)) + tick[keyPath: label]
      }
      if !line.isEmpty { text += line + "\n" }
    }
    let title = TerminalText.cut(safe(axis.title), to: options.width, options.glyphs)
    text += String(repeating: " ", count: max(0, options.width - TerminalText.width(title))) + title + "\n"
  }

  // MARK: Lines

  private enum Style {
    case bold, faint
    case colour(Int)
    case shade(PlotBand.Kind)

    /// The colours that are readable on light and dark terminals.
    private static let lines = ["36", "33", "35", "32", "34", "31", "37"]

    var code: String {
      switch self {
      case .bold: "1"
      case .faint: "2"
      case .colour(let number): Self.lines[number % Self.lines.count]
      case .shade(.pause): "2"
      case .shade(.mark): "1"
      case .shade: "31"
      }
    }
  }

  private func style(_ styles: [Style], _ text: String) -> String {
    guard options.isColoured, !styles.isEmpty, !text.isEmpty else { return text }
    return "\u{1b}[\(styles.map(\.code).joined(separator: ";"))m\(text)\u{1b}[0m"
  }

  private mutating func add(_ styles: [Style], _ string: String, _ plain: String = "") {
    let first = TerminalText.cut(string, to: options.width, options.glyphs)
    let rest = TerminalText.cut(plain, to: options.width - TerminalText.width(first), options.glyphs)
    text += style(styles, first) + rest + "\n"
  }

  /// One row of a canvas. Neighbouring cells of one colour share an escape sequence.
  private mutating func add(_ margin: String, _ cells: [DotCanvas.Cell]) {
    text += margin
    var cells = cells[...]
    while cells.last?.character == " " { cells.removeLast() }
    while let first = cells.first {
      let part = cells.prefix { $0.colour == first.colour && $0.shade == first.shade }
      let styles = first.colour.map { [Style.colour($0)] } ?? first.shade.map { [Style.shade($0)] } ?? []
      text += style(styles, String(part.map(\.character)))
      cells = cells[part.endIndex...]
    }
    text += "\n"
  }
}
