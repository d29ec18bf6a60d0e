import SluiceAnalysis
import SluiceArguments
import SluicePipeline
import SluiceReadings
import SluiceSystem

struct PlotCommand: ArgumentCommand {
  static let firstOptions: [String]? = []

  static let name = "plot"
  static let summary = "Draw traces over time, or how values are distributed: in the terminal, or as a picture."
  static let discussion = """
    Examples: sluice plot walk.csv
              sluice plot walk.csv --select accel_x,accel_y --from 5s --to 10s -o walk.svg
              sluice plot irq.csv --histogram 'irq high' -o widths.svg
              sluice plot walk.csv --xy accel_x,accel_y

    It reads each trace once. The drawing shows all peaks, for any number of readings.
    """

  var traces: [String] = []
  var input = TraceReadOptions()
  var output: String?
  var select: NameList?
  var window = TraceWindowOptions()
  var time: PlotClock?
  var panels: PlotPanels = .unit
  var histogram: NameList?
  var xy: NameList?
  var steps = false
  var title: String?
  var size: PictureSize?
  var theme: PlotTheme?
  var dpi: Double?

  static var rows: [ArgumentRow<Self>] {
    [
      .argument(
        "TRACE", "Traces of any format, folders of them, or - for standard input.", \.traces, completion: .file),
      .group("Input, how a trace is read", \.input),
      .option(
        "output", short: "o", "FILE.svg|.png|.pdf|-",
        "The picture: SVG, PNG or PDF, by the ending of its name, or - for SVG on standard output. An existing file is replaced. Without -o, plot draws in the terminal.",
        \.output, completion: .file),
      .option(
        "select", "NAME,...", "Draw only these: STREAM, STREAM.channel, or channel for this channel of all streams.",
        \.select
      )
      .earlier("channels"),
      .rows(of: \.window),
      .option(
        "time", "local|utc|relative",
        "Show local time, UTC, or the time since the first reading. (default: utc; relative if the times are not dates)",
        \.time),
      .option("panels", "unit|channel", "Draw one panel per unit, or one per channel. (default: unit)", \.panels),
      .option(
        "histogram", "NAME,...", "Draw the distribution of these instead: channels, or intervals such as 'irq high'.",
        \.histogram),
      .option(
        "xy", "A,B", "Draw channel B (vertical) against channel A (horizontal) instead, without their times.", \.xy),
      .flag(
        "steps", "Draw all values as steps: each lasts until the next reading. Values of polled files always are.",
        \.steps),
      .option("title", "TEXT", "The title. (default: the name of the trace)", \.title),
      .option(
        "size", "WxH|W", "The size of the picture, or its width alone. (default: 960, and as high as the panels need)",
        \.size),
      .option(
        "theme", "light|dark|auto",
        "The colours of the picture; auto follows the setting of the reader's screen, and is light on paper, in PNG and in PDF.",
        \.theme),
      .option(
        "dpi", "PIXELS",
        "The resolution of a PNG, 48 to 1200: 96 is a pixel per unit of --size, 300 is for print. (default: 96)", \.dpi),
    ]
  }

  func validate() throws {
    if traces.contains("") { throw Fault("plot takes files, folders, or - for standard input") }
    if let path = traces.indices.first(where: { traces[..<$0].contains(traces[$0]) }).map({ traces[$0] }) {
      throw Fault("\(path) is given twice; give each trace once")
    }
    if output == "" {
      throw Fault("-o takes a file that ends in .svg, .png or .pdf, or - for SVG on standard output")
    }
    if let output, output != "-", !output.lowercased().hasSuffix(".svg"), drawn == nil {
      throw Fault("\(output) does not end in .svg, .png or .pdf, and plot writes these")
    }
    if let dpi {
      guard case .png? = drawn else {
        throw Fault("--dpi is for a PNG; give -o FILE.png too, or leave out --dpi")
      }
      guard (48...1_200).contains(dpi) else {
        throw Fault("--dpi takes 48 to 1200 pixels per inch, such as 300 for print")
      }
    }
    try checkDistribution()
    if output == nil, size != nil {
      throw Fault("--size is the size of a picture; give -o FILE too, or leave out --size")
    }
    if output == nil, theme != nil {
      throw Fault("--theme is for a picture; give -o FILE too, or leave out --theme")
    }
  }

  /// How the picture is drawn; nil for SVG and in the terminal.
  private var drawn: DrawnPicture? {
    guard let output = output?.lowercased() else { return nil }
    if output.hasSuffix(".png") { return .png(resolution: dpi ?? DrawnPicture.screen) }
    return output.hasSuffix(".pdf") ? .pdf : nil
  }

  /// Refuses what has no effect on a picture without times.
  private func checkDistribution() throws {
    guard histogram != nil || xy != nil else { return }
    let name = histogram != nil ? "--histogram" : "--xy"
    if histogram != nil, xy != nil { throw Fault("--histogram and --xy are two pictures; give one of them") }
    if let xy, xy.names.count != 2 { throw Fault("--xy takes two channels, such as accel_x,accel_y") }
    let others = [
      ("--select", select != nil), ("--time", time != nil), ("--panels", panels != .unit), ("--steps", steps),
    ]
    if let other = others.first(where: \.1)?.0 {
      throw Fault("\(other) is for a picture over time; leave it out, or leave out \(name)")
    }
    if histogram != nil, traces.count > 1 {
      throw Fault("--histogram takes one trace; draw each alone")
    }
    try window.check()
  }

  func run() throws {
    try reportingErrors {
      if let histogram { return try drawHistogram(histogram.names) }
      if let xy { return try drawXY(xy.names) }
      guard let output else { return try drawInTerminal() }
      let options = pictureOptions
      try checkOutput(output)
      let plot = try Plot(input.plan(traces), plotOptions(width: options.width), warn: Console.warn)
      let picture = try SVGPlot(plot, options).text
      try write(picture, to: output)
    }
  }

  private func write(_ picture: String, to output: String) throws {
    if output == "-" { return try printOutput(picture) }
    guard let drawn else { return try WholeFile.write(picture, to: output) }
    try WholeFile.write(drawn.bytes(of: picture, output), to: output)
  }

  private var pictureOptions: SVGPlot.Options {
    var options = SVGPlot.Options()
    (options.title, options.theme, options.isSeparate) = (
      title, theme ?? (drawn == nil ? .auto : .light), panels == .channel
    )
    if let size { (options.width, options.height) = (size.width, size.height) }
    return options
  }

  private func windowedPlan() throws -> ReplayPlan {
    var plan = try input.plan(traces)
    try window.give(to: &plan)
    return plan
  }

  private func drawHistogram(_ names: [String]) throws {
    if let output { try checkOutput(output) }
    var counted = DistributionOptions()
    (counted.intervals, counted.values) = (true, true)
    let info = try TraceInfo(windowedPlan(), counted)
    if let error = info.error { throw error }
    var shown = DistributionsShown()
    shown.histograms = names
    guard let output else {
      return try printText(info.histogramsText(shown, TerminalWindow.current.glyphs, title: title))
    }
    // The steps of a picture are finer than those of a text.
    let items = try shown.histograms(of: info).compactMap { histogram in
      histogram.values.steps(atMost: 64).map { steps in
        let (unit, scale) = histogram.isOfTimes ? StepLabel.unit(of: steps) : (histogram.unit ?? "", 1)
        return SVGHistogram.Item(name: histogram.name, unit: unit, steps: steps.divided(by: scale))
      }
    }
    try write(SVGHistogram(items, of: info.path, pictureOptions).text, to: output)
  }

  private func drawXY(_ names: [String]) throws {
    if let output { try checkOutput(output) }
    let plot = try XYPlot(windowedPlan(), x: names[0], y: names[1], warn: Console.warn)
    if let output { return try write(plot.svg(pictureOptions), to: output) }
    let window = TerminalWindow.current
    var options = TerminalPlot.Options()
    (options.title, options.width, options.height, options.glyphs) = (title, window.columns, window.rows, window.glyphs)
    try printOutput(plot.text(options))
  }

  /// Refuses a trace as the output, because a trace may have any name; and a picture that cannot be drawn, before the work.
  private func checkOutput(_ output: String) throws(SluiceError) {
    if drawn != nil { try DrawnPicture.check(output) }
    guard output != "-", let file = FileIdentity(path: output),
      let trace = traces.first(where: { FileIdentity(path: $0) == file })
    else { return }
    throw SluiceError(
      .usage, "write", output, because: "it is the trace \(trace)", remedy: "give the picture another name")
  }

  private func plotOptions(width: Int) -> Plot.Options {
    var options = Plot.Options()
    (options.channels, options.from, options.to) = (select?.names ?? [], window.from, window.to)
    (options.duration, options.isStepped) = (window.duration?.nanoseconds, steps)
    (options.clock, options.width) = (time, width)
    return options
  }

  private func drawInTerminal() throws {
    let window = TerminalWindow.current
    var options = TerminalPlot.Options()
    (options.title, options.isSeparate) = (title, panels == .channel)
    (options.width, options.height) = (window.columns, window.rows)
    (options.glyphs, options.isColoured) = (window.glyphs, window.isColoured)
    // Braille has two dots per column.
    let plot = try Plot(input.plan(traces), plotOptions(width: 2 * options.width), warn: Console.warn)
    try printOutput(TerminalPlot(plot, options).text)
  }
}
