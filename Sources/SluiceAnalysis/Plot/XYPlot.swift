package import SluicePipeline
package import SluiceReadings
import SluiceRecording

/// One channel over another, without their times. The trace is read once.
package struct XYPlot {
  package let name: String
  private var grid = XYGrid()
  private var titles = ("", "")

  /// The place of a channel.
  private struct Place: Hashable {
    var stream: Int
    var channel: Int
  }

  /// - Parameters:
  ///   - plan: The trace and the options for reading it.
  ///   - x, y: The channels, as for ``PlotSelection``.
  /// - Throws: If the trace cannot be read to its end, if it does not have the channels, or no reading has both.
  package init(
    _ plan: ReplayPlan, x: String, y: String, warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(SluiceError) {
    name = OpenTrace.name(plan.files)
    let reader = try plan.reader(plan.changes, warn: warn)
    var window = plan.window.map { ReplayWindow($0, of: name) }
    var readings = [Reading](repeating: .empty, count: 512)
    var count = try reader.next(into: &readings)
    let streams = reader.streams
    let places = (try Self.place(x, streams, name), try Self.place(y, streams, name))
    titles = (Self.title(x, places.0, streams), Self.title(y, places.1, streams))
    var last: (x: Double?, y: Double?) = (nil, nil)
    while window?.isOver != true, count > 0 {
      for reading in try window?.cut(readings[..<count]) ?? readings[..<count] {
        let stream = Int(reading.stream.index)
        guard stream == places.0.stream || stream == places.1.stream else { continue }
        if stream == places.0.stream { last.x = Self.value(reading, places.0, streams) }
        if stream == places.1.stream { last.y = Self.value(reading, places.1, streams) }
        if let x = last.x, let y = last.y { grid.add(x, y) }
      }
      count = try reader.next(into: &readings)
    }
    guard grid.count > 0 else {
      throw SluiceError(.unsupported, "plot", name, because: "no reading has a value of both \(x) and \(y)")
    }
  }

  private static func place(_ wanted: String, _ streams: [StreamDescription], _ name: String) throws(SluiceError)
    -> Place
  {
    var selection = PlotSelection([wanted])
    var places: [Place] = []
    for (stream, description) in streams.enumerated() {
      for channel in description.channels.indices where selection.takes(description.channels[channel], of: description)
      {
        places.append(Place(stream: stream, channel: channel))
      }
    }
    if let error = selection.unknown(name) { throw error }
    guard places.count == 1 else {
      throw SluiceError(
        .usage, "plot", name, because: "\(wanted) is the name of \(places.count) channels",
        remedy: "give STREAM.channel")
    }
    return places[0]
  }

  private static func title(_ wanted: String, _ place: Place, _ streams: [StreamDescription]) -> String {
    let channel = streams[place.stream].channels[place.channel]
    return channel.unit.map { "\(channel.nameWithoutUnit == channel.name ? wanted : channel.nameWithoutUnit), \($0)" }
      ?? wanted
  }

  private static func value(_ reading: Reading, _ place: Place, _ streams: [StreamDescription]) -> Double? {
    guard place.channel < reading.values.count, !reading.values[place.channel].isMissing else { return nil }
    let (description, value) = (streams[place.stream], reading.values[place.channel].approximate)
    let channel = description.channels[place.channel]
    if description.isScaled { return value }
    return (value + channel.offset.approximate) * channel.scale.approximate
  }

  private var subtitle: String { "\(grouped(grid.count)) point\(grid.count == 1 ? "" : "s")" }

  /// The picture in the terminal.
  package func text(_ options: TerminalPlot.Options) -> String {
    guard let values = grid.values else { return "" }
    let rows = max(8, min(24, (options.height ?? 26) - 7))
    let up = ValueAxis(values.y, intervals: max(2, rows / 2))
    let left = up.ticks.map(\.label.count).max() ?? 0
    let columns = max(TerminalPlot.narrowest, options.width - left - 1)
    let across = ValueAxis(values.x, intervals: max(2, columns / 12))
    var canvas = DotCanvas(columns: columns, rows: rows, options.glyphs)
    for run in grid.runs {
      let y = Int(((1 - up.position(of: run.y)) * Double(canvas.height - 1)).rounded())
      func x(_ value: Double) -> Int { Int((across.position(of: value) * Double(canvas.width - 1)).rounded()) }
      canvas.line(from: (x(run.from), y), to: (x(run.to), y), 0)
    }
    func safe(_ text: String) -> String { TerminalText.safe(text, options.glyphs) }
    func power(_ axis: ValueAxis) -> String { axis.power == 0 ? "" : " (1e\(axis.power))" }
    var lines = [safe(options.title ?? name), subtitle]
    lines.append(String(repeating: " ", count: left + 1) + safe(titles.1) + power(up))
    var labels: [Int: String] = [:]
    for tick in up.ticks {
      labels[Int(((1 - tick.position) * Double(canvas.height - 1)).rounded()) / options.glyphs.dots.down] = tick.label
    }
    for row in 0..<rows {
      let side = options.glyphs.side
      var line = padded(labels[row] ?? "", left, .right) + String(labels[row] == nil ? side.plain : side.tick)
      line += String(canvas.row(row).map(\.character))
      while line.last == " " { line.removeLast() }
      lines.append(line)
    }
    var floor = Array(repeating: options.glyphs.floor.plain, count: columns)
    var below = ""
    for tick in across.ticks {
      let column = min(columns - 1, Int((tick.position * Double(columns - 1)).rounded()))
      floor[column] = options.glyphs.floor.tick
      let start = min(max(0, left + 1 + column - tick.label.count / 2), options.width - tick.label.count)
      guard start > below.count || below.isEmpty else { continue }
      below += String(repeating: " ", count: max(0, start - below.count)) + tick.label
    }
    lines.append(String(repeating: " ", count: left) + String(options.glyphs.floor.corner) + String(floor))
    lines.append(below)
    let title = safe(titles.0) + power(across)
    lines.append(String(repeating: " ", count: max(0, options.width - TerminalText.width(title))) + title)
    return lines.map { $0 + "\n" }.joined()
  }

  /// The picture as SVG.
  /// - Throws: If the size is too small.
  package func svg(_ options: SVGPlot.Options) throws(SluiceError) -> String {
    guard let values = grid.values else { return "" }
    let height = options.height ?? options.width * 3 / 4
    guard options.width >= 160, Double(height) >= SVGFrame.head + SVGFrame.foot + 64 else {
      throw SluiceError(
        .usage, "plot", name, because: "\(options.width)x\(height) is too small",
        remedy: "give at least --size \(max(160, options.width))x\(Int(SVGFrame.head + SVGFrame.foot + 64))")
    }
    var frame = SVGFrame(
      title: options.title ?? name, subtitle: subtitle, summary: "\(titles.1) over \(titles.0); \(subtitle)",
      width: options.width, height: height, options.theme)
    let area = frame.area(
      top: SVGFrame.head + 24, bottom: Double(height) - SVGFrame.foot, across: (values.x, titles.0),
      up: (values.y, titles.1))
    var path = SVGPath()
    for run in grid.runs {
      path.move(area.x(run.from), area.y(run.y))
      if area.x(run.to) - area.x(run.from) >= 0.1 { path.line(area.x(run.to), area.y(run.y)) } else { path.dot() }
    }
    frame.add(path, "dots l0")
    return frame.picture
  }
}
