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
    help: ArgumentHelp(
      "Scans of an IIO device, all channels or some: bmi160:accel_x,accel_y", valueName: "DEVICE[:CHANNEL,...]"))
  var iio: [DeviceArgument] = []

  @Option(help: ArgumentHelp("Which edges to record.", valueName: "both|rising|falling"))
  var edges: GPIOOptions.Edges = .both

  @Option(help: ArgumentHelp("Pull the lines.", valueName: "as-is|disabled|pull-up|pull-down"))
  var bias: GPIOOptions.Bias = .asIs

  @Flag(help: "Treat low as active.")
  var activeLow = false

  @Option(help: ArgumentHelp("Let the kernel debounce the lines. Needs libgpiod 2.", valueName: "T"))
  var debounce: DurationArgument?

  @Option(
    help: ArgumentHelp("Edges that the kernel keeps. Needs libgpiod 2, where it is 1024 by default.", valueName: "N"))
  var fifo: Int?

  @Option(help: ArgumentHelp("What edges are timed by. Needs libgpiod 2.", valueName: "monotonic|realtime|hte"))
  var eventClock: GPIOOptions.Clock = .monotonic

  @Option(help: ArgumentHelp("Set the rate of the IIO device or its trigger.", valueName: "HZ"))
  var sampleRate: String?

  @Option(help: ArgumentHelp("Let this trigger start the scans.", valueName: "NAME"))
  var trigger: String?

  @Option(help: ArgumentHelp("Scans that gather in the kernel before they are read.", valueName: "N"))
  var watermark: Int?

  @Option(help: ArgumentHelp("Scans that the kernel keeps.", valueName: "N"))
  var length: Int?

  @Option(help: ArgumentHelp("Where sys and dev are, to record from a fixture instead of devices.", valueName: "DIR"))
  var root = ""

  var roots: DeviceRoots { DeviceRoots(sys: "\(root)/sys", dev: "\(root)/dev", run: "\(root)/run") }

  var isEmpty: Bool { gpio.isEmpty && iio.isEmpty }

  func validate() throws {
    for device in gpio where device.parts.isEmpty {
      throw ValidationError("--gpio takes a chip and lines, such as \(device.device):0,1")
    }
    for (name, number) in [("--fifo", fifo), ("--watermark", watermark), ("--length", length)] {
      if let number, number < 1 || number > 1 << 20 { throw ValidationError("\(name) takes 1 to 1048576") }
    }
    if let debounce, debounce.nanoseconds / 1_000 < 1 || debounce.nanoseconds / 1_000 > Int64(UInt32.max) {
      throw ValidationError("--debounce takes 1us to 4294s")
    }
    if gpio.isEmpty,
      edges != .both || bias != .asIs || activeLow || debounce != nil || fifo != nil || eventClock != .monotonic
    {
      throw ValidationError("--edges, --bias, --active-low, --debounce, --fifo and --event-clock are for --gpio")
    }
    if iio.isEmpty, sampleRate != nil || trigger != nil || watermark != nil || length != nil {
      throw ValidationError("--sample-rate, --trigger, --watermark and --length are for --iio")
    }
    if isEmpty, !root.isEmpty { throw ValidationError("--root is for --gpio and --iio") }
  }

  /// Opens each device and lets it go again.
  func check() throws(SluiceError) {
    for device in gpio { _ = try source(gpio: device) }
    for device in iio { _ = try source(iio: device) }
  }

  func source(gpio device: DeviceArgument) throws(SluiceError) -> Source {
    var options = GPIOOptions()
    options.edges = edges
    options.bias = bias
    options.isActiveLow = activeLow
    options.debounce = debounce.map { UInt32(clamping: $0.nanoseconds / 1_000) }
    options.fifo = fifo.map { UInt32(clamping: $0) }
    options.clock = eventClock
    let edges = try Publishers.GPIOEdges(chip: device.device, lines: device.parts, options: options, root: roots.dev)
    return Source(
      streams: edges.streams,
      publisher: { edges.streams(from: $0).eraseToAnyPublisher() },
      finish: { edges.finish() },
      losses: { edges.losses.all.map(Loss.init) },
      fifo: edges.fifo,
      closed: { edges.teardown.wait() })
  }

  func source(iio device: DeviceArgument) throws(SluiceError) -> Source {
    var options = IIOOptions()
    options.samplingFrequency = sampleRate
    options.trigger = trigger
    options.watermark = watermark
    options.length = length
    let scans = try Publishers.IIOScans(device: device.device, channels: device.parts, options: options, roots: roots)
    return Source(
      streams: [scans.description],
      publisher: { scans.stream($0).eraseToAnyPublisher() },
      finish: { scans.finish() },
      fifo: scans.fifo,
      closed: { scans.teardown.wait() })
  }
}
