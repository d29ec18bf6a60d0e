import SluicePipeline

/// The positions of all parts of a picture.
struct PlotLayout {
  struct Panel {
    let panel: PlotPanel
    /// The top and the height of its plot area.
    var top: Double
    var height: Double
    /// The number of legend lines above it.
    var legend: [[LegendEntry]]
    /// The value axis; nil for levels.
    var axis: ValueAxis?
    var title: String
  }

  struct LegendEntry: Equatable {
    let text: String
    /// The width of the text.
    let x: Double
    let colour: Int
  }

  struct MarkEntry: Equatable {
    let mark: PlotMark
    let x: Double
    let row: Int
  }

  static let font = 12.0
  static let legendRow = 18.0
  static let lane = 30.0

  let width: Double
  private(set) var height: Double
  private(set) var left: Double
  let right: Double
  private(set) var panels: [Panel] = []
  let times: TimeAxis
  private(set) var marks: [MarkEntry] = []
  private(set) var notes: [String]
  /// The top of the legend of the marks.
  private(set) var marksTop: Double

  /// - Parameter size: If the height is nil, it is large enough for all panels.
  /// - Returns: Nil if the size is too small.
  init?(_ plot: Plot, _ panels: [PlotPanel], width: Double, height: Double?, hasSubtitle: Bool) {
    self.width = width
    let right = width - 22
    self.right = right
    // The value axes are made twice: the width of their labels determines the left margin, the margin determines the
    // rows of the legends, and the remaining height determines the number of labels.
    let first = panels.map { panel in panel.isLevels ? nil : panel.values.map { ValueAxis($0, intervals: 5) } }
    let labels = first.compactMap { $0 }.flatMap(\.ticks).map { TextWidth.of($0.label, size: Self.font) }
    let lanes = panels.filter(\.isLevels).flatMap(\.series).map { TextWidth.of($0.name, size: Self.font) }
    let left = (max((labels.max() ?? 0) + 14, min((lanes.max() ?? 0) + 22, width / 4), 34)).rounded(.up)
    self.left = left
    guard right - left >= 80 else { return nil }
    let (area, font) = (right - left, Self.font)
    let times = TimeAxis(plot.times, plot.clock, zero: plot.zero) { ticks in
      let widths = ticks.map { max(TextWidth.of($0.label, size: font), TextWidth.of($0.detail, size: font)) }
      return ticks.indices.dropFirst().allSatisfy { (tick: Int) -> Bool in
        let room: Double = (ticks[tick].position - ticks[tick - 1].position) * area
        return room >= (widths[tick - 1] + widths[tick]) / 2 + 14
      }
    }
    self.times = times
    let legends = panels.map { panel in panel.isLevels ? [] : Self.legend(panel, left: left, right: right) }
    let top = 16 + 22 + (hasSubtitle ? 18 : 0) + 4.0
    // The last lane ends with its level, without space below.
    let headers = legends.indices.map { index in
      let room: Double = index > 0 && panels[index - 1].isLevels ? 10 : 0
      return legends[index].isEmpty ? 12 : Double(legends[index].count) * Self.legendRow + 10 + room
    }
    var rows: [MarkEntry] = []
    var x = left
    var row = 0
    for mark in plot.marks {
      let width = 18 + TextWidth.of(mark.text, size: Self.font) + 18
      if x > left, x + width > right { (x, row) = (left, row + 1) }
      rows.append(MarkEntry(mark: mark, x: x, row: row))
      x += width
      guard rows.count < 12 else { break }
    }
    marks = rows
    notes = Array(plot.notes.prefix(4))
    let hasDetail = times.ticks.contains { !$0.detail.isEmpty }
    let axisHeight = 18 + (hasDetail ? 15 : 0) + 20.0
    let foot = (rows.isEmpty ? 0 : Double(row + 1) * Self.legendRow + 6) + Double(notes.count) * Self.legendRow + 12
    let fixed = top + headers.reduce(0, +) + axisHeight + foot
    let laneCount = Double(panels.filter(\.isLevels).reduce(0) { $0 + $1.series.count })
    let valueCount = Double(panels.filter { !$0.isLevels }.count)
    let usual: Double = valueCount <= 1 ? 260 : valueCount == 2 ? 190 : 150
    var (lane, value) = (Self.lane, usual)
    if let height {
      let rest = height - fixed
      // Lanes lose height first, then the panels of values too.
      if laneCount > 0 { lane = min(Self.lane * 2, max(14, (rest - valueCount * 90) / laneCount)) }
      if valueCount > 0 { value = (rest - laneCount * lane) / valueCount }
      guard rest >= laneCount * 14, valueCount == 0 || value >= 40 else { return nil }
      if valueCount == 0 { lane = rest / laneCount }
    }
    var y = top
    for (index, panel) in panels.enumerated() {
      y += headers[index]
      let height = (panel.isLevels ? Double(panel.series.count) * lane : value).rounded()
      let axis =
        panel.isLevels
        ? nil : ValueAxis(panel.values ?? 0...1, intervals: max(2, Int(height / 28)))
      self.panels.append(
        Panel(
          panel: panel, top: y, height: height, legend: legends[index], axis: axis, title: Self.title(panel.kind, axis))
      )
      y += height
    }
    marksTop = y + axisHeight
    self.height = height ?? (y + axisHeight + foot).rounded()
  }

  var bottom: Double { panels.last.map { $0.top + $0.height } ?? 0 }

  func x(_ position: Double) -> Double { left + (right - left) * position }

  /// `deg/s`, or `1e6 deg/s`.
  private static func title(_ kind: PlotPanel.Kind, _ axis: ValueAxis?) -> String {
    guard case .values(let unit) = kind else { return "" }
    guard let power = axis?.power, power != 0 else { return unit }
    return "1e\(power)" + (unit.isEmpty ? "" : " \(unit)")
  }

  /// The names of the lines beside the unit, in one or more rows.
  private static func legend(_ panel: PlotPanel, left: Double, right: Double) -> [[LegendEntry]] {
    let sample = 24.0
    let unit = title(panel.kind, panel.values.map { ValueAxis($0, intervals: 5) })
    let start = unit.isEmpty ? left : left + TextWidth.of(unit, size: font) * 1.1 + 16
    var rows: [[LegendEntry]] = [[]]
    var x = start
    for series in panel.series {
      let text = TextWidth.cut(series.name, size: font, to: right - left - sample)
      let width = sample + TextWidth.of(text, size: font) + 16
      if x + width > right + 16, !(rows.last?.isEmpty ?? true) {
        rows.append([])
        x = left
      }
      rows[rows.count - 1].append(LegendEntry(text: text, x: x + sample, colour: series.colour))
      x += width
    }
    return rows
  }
}
