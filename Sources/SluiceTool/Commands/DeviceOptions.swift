import ArgumentParser
import Sluice
import SluiceDevices
import SluiceRecording

extension GPIOOptions.Edges: ExpressibleByArgument {}
extension GPIOOptions.Bias: ExpressibleByArgument {}
extension GPIOOptions.Clock: ExpressibleByArgument {}

/// The devices that readings come from, and how they are set.
struct DeviceOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Edges of GPIO lines, by offset or name: gpiochip0:3,4", valueName: "CHIP:LINE[,LINE...]"))
  var gpio: [DeviceArgument] = []

  @Option(
    help: ArgumentHelp("Edges of GPIO lines by their names, on whichever chips they are.", valueName: "NAME[,NAME...]"))
  var gpioName: [NamesArgument] = []

  @Option(
    help: ArgumentHelp(
      "Levels of GPIO lines, read every PERIOD: gpiochip0:3,4@10ms", valueName: "CHIP:LINE[,LINE...]@PERIOD"))
  var gpioValues: [PolledLinesArgument] = []

  @Option(
    help: ArgumentHelp(
      "Scans of an IIO device, all channels or some: bmi160:accel_x,accel_y", valueName: "DEVICE[:CHANNEL,...]"))
  var iio: [DeviceArgument] = []

  @Option(
    help: ArgumentHelp(
      "Events of an IIO device, all or some: adxl345:accel_x_thresh_rising=300",
      valueName: "DEVICE[:EVENT[=VALUE],...]"))
  var iioEvents: [DeviceArgument] = []

  @Option(help: ArgumentHelp("Which edges to record.", valueName: "both|rising|falling"))
  var edges: GPIOOptions.Edges = .both

  @Option(help: ArgumentHelp("Pull the lines.", valueName: "as-is|disabled|pull-up|pull-down"))
  var bias: GPIOOptions.Bias = .asIs

  @Flag(help: "Treat low as active.")
  var activeLow = false

  @Option(help: ArgumentHelp("Let the kernel debounce the lines. Needs libgpiod 2.", valueName: "T"))
  var debounce: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Edges that the kernel keeps, 2 to 1024; 1024 unless said. Needs libgpiod 2.", valueName: "N"))
  var fifo: Int?

  @Option(help: ArgumentHelp("What edges are timed by. Needs libgpiod 2.", valueName: "monotonic|realtime|hte"))
  var eventClock: GPIOOptions.Clock = .monotonic

  @Flag(help: "Begin with the level of each line.")
  var initialLevel = false

  @Option(help: ArgumentHelp("Who uses the lines, as others see it. (default: sluice)", valueName: "NAME"))
  var consumer: String?

  @Flag(help: "Wait for a chip or device that is removed, and go on when it is back.")
  var reconnect = false

  @Option(help: ArgumentHelp("Set the rate of the IIO device or its trigger.", valueName: "HZ"))
  var sampleRate: String?

  @Option(
    help: ArgumentHelp(
      "Let this trigger start the scans; hrtimer:NAME makes one for the recording.", valueName: "[hrtimer:]NAME"))
  var trigger: String?

  @Option(help: ArgumentHelp("Scans that gather in the kernel before they are read.", valueName: "N"))
  var watermark: Int?

  @Option(
    help: ArgumentHelp("How long scans may gather, instead of --watermark: 50ms unless said.", valueName: "T"))
  var latency: DurationArgument?

  @Option(help: ArgumentHelp("Scans that the kernel keeps.", valueName: "N"))
  var length: Int?

  @Option(help: ArgumentHelp("Where sys and dev are, to record from a fixture instead of devices.", valueName: "DIR"))
  var root = ""

  var roots: DeviceRoots { DeviceRoots(sys: "\(root)/sys", dev: "\(root)/dev", run: "\(root)/run") }

  var isEmpty: Bool { gpio.isEmpty && gpioName.isEmpty && gpioValues.isEmpty && iio.isEmpty && iioEvents.isEmpty }

  private var hasEdges: Bool { !gpio.isEmpty || !gpioName.isEmpty }

  func validate() throws {
    for device in gpio where device.parts.isEmpty {
      throw ValidationError("--gpio takes a chip and lines, such as \(device.device):0,1")
    }
    if let fifo, fifo < 2 || fifo > 1_024 { throw ValidationError("--fifo takes 2 to 1024") }
    for (name, number) in [("--watermark", watermark), ("--length", length)] {
      if let number, number < 1 || number > 1 << 20 { throw ValidationError("\(name) takes 1 to 1048576") }
    }
    if let debounce, debounce.nanoseconds / 1_000 < 1 || debounce.nanoseconds / 1_000 > Int64(UInt32.max) {
      throw ValidationError("--debounce takes 1us to 4294s")
    }
    if !hasEdges, edges != .both || debounce != nil || fifo != nil || eventClock != .monotonic || initialLevel {
      throw ValidationError(
        "--edges, --debounce, --fifo, --event-clock and --initial-level are for --gpio and --gpio-name")
    }
    if !hasEdges, gpioValues.isEmpty, bias != .asIs || activeLow || consumer != nil {
      throw ValidationError("--bias, --active-low and --consumer are for GPIO lines")
    }
    if isEmpty, reconnect { throw ValidationError("--reconnect is for GPIO, --iio and --iio-events") }
    if iio.isEmpty, sampleRate != nil || trigger != nil || watermark != nil || latency != nil || length != nil {
      throw ValidationError("--sample-rate, --trigger, --watermark, --latency and --length are for --iio")
    }
    if watermark != nil, latency != nil { throw ValidationError("take --watermark or --latency, not both") }
  }

  /// Opens each device and lets it go again.
  func check() throws(SluiceError) {
    for device in gpio { _ = try source(gpio: device) }
    for device in iio { _ = try source(iio: device) }
  }

  func source(gpio device: DeviceArgument) throws(SluiceError) -> Source {
    try source(edges: GPIOLines(chip: device.device, lines: device.parts))
  }

  /// A source for each chip that has some of the lines.
  func sources(named names: NamesArgument) throws(SluiceError) -> [Source] {
    var sources: [Source] = []
    for lines in try GPIOLines.named(names.names, root: roots.dev) { sources.append(try source(edges: lines)) }
    return sources
  }

  func source(values lines: PolledLinesArgument) throws(SluiceError) -> Source {
    var values = try Publishers.GPIOValues(
      GPIOLines(chip: lines.device.device, lines: lines.device.parts),
      every: .nanoseconds(Int(lines.period.nanoseconds)), bias: bias, isActiveLow: activeLow,
      consumer: consumer ?? "sluice", root: roots.dev, whenRemoved: whenRemoved(lines.device.device))
    values.whenFailed = { printLine("sluice: \($0); it is tried again") }
    return Source(
      streams: [values.description],
      publisher: { [values] in values.stream($0, clock: $1).eraseToAnyPublisher() },
      losses: { [values] in values.losses.all.map(Loss.init) },
      lossCoverage: values.losses.coverage,
      closed: { [values] in values.teardown.wait() })
  }

  /// Tells of a chip or device that it was removed, and that it is back.
  private func whenRemoved(_ name: String) -> (@Sendable (SluiceError?) -> Void)? {
    guard reconnect else { return nil }
    return { error in
      switch error?.code {
      case nil: printLine("sluice: \(name) is back")
      case .disconnected?:
        let device = error?.object ?? name
        printLine("sluice: \(device.contains(name) ? device : "\(device) (\(name))") was removed; waiting for it")
      default: printLine("sluice: still waiting for \(name): \(error.map(\.description) ?? "")")
      }
    }
  }

  private func source(edges lines: GPIOLines) throws(SluiceError) -> Source {
    var options = GPIOOptions()
    options.edges = edges
    options.bias = bias
    options.isActiveLow = activeLow
    options.debounce = debounce.map { UInt32(clamping: $0.nanoseconds / 1_000) }
    options.fifo = fifo.map { UInt32(clamping: $0) }
    options.clock = eventClock
    options.hasInitialLevel = initialLevel
    let edges = try Publishers.GPIOEdges(
      lines, options: options, consumer: consumer ?? "sluice", root: roots.dev,
      whenRemoved: whenRemoved(lines.chip ?? lines.lines.joined(separator: ",")))
    return Source(
      streams: edges.streams,
      publisher: { edges.streams(from: $0, clock: $1).eraseToAnyPublisher() },
      finish: { edges.finish() },
      losses: { edges.losses.all.map(Loss.init) },
      lossCoverage: edges.losses.coverage,
      fifo: edges.fifo,
      closed: { edges.teardown.wait() })
  }

  /// - Parameter inSI: Units of the SI instead of the kernel's.
  func source(iio device: DeviceArgument, inSI: Bool = false) throws(SluiceError) -> Source {
    var options = IIOOptions()
    options.samplingFrequency = sampleRate
    let (name, isNew) = Self.trigger(trigger)
    options.trigger = name
    // Those after the first use the trigger that is made for it.
    options.makesTrigger = isNew && device == iio.first
    options.watermark = watermark
    options.latency = latency?.nanoseconds
    options.length = length
    options.inSI = inSI
    let scans = try Publishers.IIOScans(
      device: device.device, channels: device.parts, options: options, roots: roots,
      whenRemoved: whenRemoved(device.device))
    Self.report(scans.restored)
    return Source(
      streams: [scans.description],
      publisher: { scans.stream($0, clock: $1).eraseToAnyPublisher() },
      finish: { scans.finish() },
      blocks: { scans.stream($0, clock: $1).blocks.eraseToAnyPublisher() },
      losses: { scans.losses.all.map(Loss.init) },
      lossCoverage: scans.losses.coverage,
      fifo: scans.fifo,
      closed: { scans.teardown.wait() })
  }

  func source(iioEvents device: DeviceArgument) throws(SluiceError) -> Source {
    let events = try Publishers.IIOEvents(
      device: device.device, events: device.parts, roots: roots, whenRemoved: whenRemoved(device.device))
    Self.report(events.restored)
    return Source(
      streams: events.streams,
      publisher: { events.streams(from: $0, clock: $1).eraseToAnyPublisher() },
      finish: { events.finish() },
      losses: { events.losses.all.map(Loss.init) },
      lossCoverage: events.losses.coverage,
      closed: { events.teardown.wait() })
  }

  /// The name of a trigger, and whether it is to be made.
  static func trigger(_ argument: String?) -> (name: String?, isNew: Bool) {
    let prefix = "hrtimer:"
    guard let argument, argument.hasPrefix(prefix) else { return (argument, false) }
    return (String(argument.dropFirst(prefix.count)), true)
  }

  private static func report(_ restored: [IIOState]) {
    for state in restored {
      let failure = state.failure.map { ", but \($0)" } ?? ""
      printLine("sluice: put back first what a killed recording had left on \(state)\(failure)")
    }
  }
}
