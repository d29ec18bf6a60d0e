import ArgumentParser
import SluicePipeline
import SluiceReadings

struct PlotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Draw traces over time: in the terminal, or as an SVG picture.",
    discussion: """
      Examples: sluice plot walk.csv
                sluice plot walk.csv --channels accel_x,accel_y --from 5s --to 10s -o walk.svg

      It reads each trace once. However many readings there are, no value lies outside of what is drawn.
      """)

  @Argument(
    help: ArgumentHelp(
      "Traces of any format, folders of them, or - for standard input.", valueName: "TRACE"))
  var traces: [String]

  @OptionGroup(title: "Input") var input: TraceReadOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The picture, or - for standard output; a file of this name is replaced. Without it, plot draws in the terminal.",
      valueName: "FILE.svg|-"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Draw only these channels: STREAM, STREAM.channel, or channel of every stream that has it.",
      valueName: "NAME,..."))
  var channels: NameList?

  @Option(
    help: ArgumentHelp(
      "Begin so long after the first reading, or at a date such as 2026-11-21T12:00:00Z.", valueName: "T"))
  var from: PlotInstant?

  @Option(help: ArgumentHelp("End there, in the same forms.", valueName: "T"))
  var to: PlotInstant?

  @Option(
    help: ArgumentHelp(
      "Times of day of this machine's zone or of UTC, or times since the first reading. (default: utc; relative if the times are no dates)",
      valueName: "local|utc|relative"))
  var time: PlotClock?

  @Option(
    help: ArgumentHelp(
      "Which channels share an axis: those of one unit, or none.", valueName: "unit|channel"))
  var panels: PlotPanels = .unit

  @Option(help: ArgumentHelp("The title. (default: the name of the trace)", valueName: "TEXT"))
  var title: String?

  @Option(
    help: ArgumentHelp(
      "The size of the picture, or its width alone. (default: 960, and as high as the panels need)",
      valueName: "WxH|W"))
  var size: PictureSize?

  @Option(
    help: ArgumentHelp(
      "The colours of the picture; auto is as the reader's screen is set, and light on paper.",
      valueName: "light|dark|auto"))
  var theme: PlotTheme = .auto

  func validate() throws {
    if traces.contains("") { throw ValidationError("plot takes files, folders, or - for standard input") }
    if let path = traces.indices.first(where: { traces[..<$0].contains(traces[$0]) }).map({ traces[$0] }) {
      throw ValidationError("\(path) is given twice; give each trace once")
    }
    if let output, output != "-", !output.lowercased().hasSuffix(".svg") {
      throw ValidationError(
        "\(output) does not end in .svg; plot writes SVG, and rsvg-convert makes a PNG of it (docs/Plot.md)")
    }
    if output == nil, size != nil {
      throw ValidationError("--size is the size of a picture; give -o FILE.svg too, or leave it out")
    }
  }

  func run() throws {
    try reportingErrors {
      guard let output else { return try drawInTerminal() }
      var options = SVGPlot.Options()
      (options.title, options.theme, options.isSeparate) = (title, theme, panels == .channel)
      if let size { (options.width, options.height) = (size.width, size.height) }
      try checkOutput(output)
      let plot = try Plot(input.plan(traces), plotOptions(width: options.width), warn: Console.say)
      let picture = try SVGPlot(plot, options).text
      if output == "-" { return try printOutput(picture) }
      try PictureFile.write(picture, to: output)
    }
  }

  /// A trace may have any name.
  private func checkOutput(_ output: String) throws(SluiceError) {
    guard output != "-", let file = FileIdentity(path: output),
      let trace = traces.first(where: { FileIdentity(path: $0) == file })
    else { return }
    throw SluiceError(
      .usage, "write", output, because: "it is the trace \(trace)", remedy: "give the picture another name")
  }

  private func plotOptions(width: Int) -> Plot.Options {
    var options = Plot.Options()
    (options.channels, options.from, options.to) = (channels?.names ?? [], from, to)
    (options.clock, options.width) = (time, width)
    return options
  }

  private func drawInTerminal() throws {
    let window = TerminalWindow.current
    var options = TerminalPlot.Options()
    (options.title, options.isSeparate) = (title, panels == .channel)
    (options.width, options.height) = (window.columns, window.rows)
    (options.glyphs, options.isColoured) = (window.glyphs, window.isColoured)
    // Braille has two dots in a column.
    let plot = try Plot(input.plan(traces), plotOptions(width: 2 * options.width), warn: Console.say)
    try printOutput(TerminalPlot(plot, options).text)
  }
}
