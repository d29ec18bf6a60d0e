public import ArgumentParser
public import SluiceDevices
public import SluicePipeline

extension GPIOOptions.Edges: NamedChoice {}
extension GPIOOptions.Bias: NamedChoice {}
extension GPIOOptions.Clock: NamedChoice {}
extension TimeSpan: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
  /// The default in the form that a user types.
  public var defaultValueDescription: String { description }
}

extension ByteSize: ExpressibleByArgument {
  /// A number without a unit is refused, because it could be bytes or megabytes.
  public init?(argument: String) {
    guard argument.last.map({ !$0.isNumber }) ?? false else { return nil }
    self.init(argument)
  }
  /// The default in the form that a user types.
  public var defaultValueDescription: String { description }
}

/// The settings of sources as options. Each is the default of all sources that have this setting.
struct SettingOptions: ParsableArguments {
  @Option(
    name: [.long, .customShort("e", allowingJoined: true)],
    help: ArgumentHelp("Edges to record. (default: both)", valueName: "both|rising|falling"))
  var edges: GPIOOptions.Edges?

  @Option(
    name: [.long, .customShort("b", allowingJoined: true)],
    help: ArgumentHelp("Bias of the lines. (default: as-is)", valueName: "as-is|disabled|pull-up|pull-down"))
  var bias: GPIOOptions.Bias?

  @Flag(name: [.long, .customShort("l")], help: "Treat low as active.")
  var activeLow = false

  @Option(
    name: [.long, .customShort("p", allowingJoined: true)],
    help: ArgumentHelp("Let the kernel debounce the lines. Needs libgpiod 2.", valueName: "T"))
  var debounce: RepeatedTime?

  @Option(
    help: ArgumentHelp(
      "Edges that the kernel's FIFO keeps, 2 to 1024. Needs libgpiod 2. (default: 1024)", valueName: "N"))
  var fifo: Int?

  @Option(
    help: ArgumentHelp(
      "Clock of the edges' times. Needs libgpiod 2. (default: monotonic)", valueName: "monotonic|realtime|hte"))
  var eventClock: GPIOOptions.Clock?

  @Flag(help: "Begin with the level of each line.")
  var initialLevel = false

  @Option(
    name: [.long, .customShort("C", allowingJoined: true)],
    help: ArgumentHelp("Consumer name that gpioinfo shows. (default: sluice)", valueName: "NAME"))
  var consumer: String?

  @Flag(help: "Wait for a chip or device that is removed, and go on when it is back.")
  var reconnect = false

  @Option(help: ArgumentHelp("Rate of the IIO device or its trigger.", valueName: "HZ"))
  var sampleRate: String?

  @Option(
    help: ArgumentHelp(
      "Trigger that starts the scans; hrtimer:NAME makes one for the recording.", valueName: "[hrtimer:]NAME"),
    completion: .trigger)
  var trigger: String?

  @Option(help: ArgumentHelp("Read after N scans (watermark).", valueName: "N"))
  var watermark: Int?

  @Option(help: ArgumentHelp("The watermark as a time. (default: 50ms)", valueName: "T"))
  var latency: RepeatedTime?

  @Option(help: ArgumentHelp("Length of the kernel's buffer, in scans.", valueName: "N"))
  var length: Int?

  @Flag(help: "Write V, degrees and tesla instead of the kernel's mV, m°C and gauss; for iio and poll.")
  var si = false

  @Option(
    help: ArgumentHelp("Where sys and dev are, to record from a fixture instead of devices.", valueName: "DIR"),
    completion: .directory)
  var root: String?

  var roots: DeviceRoots { DeviceRoots(root: root ?? "") }

  var settings: SourceSettings {
    var settings = SourceSettings()
    (settings.edges, settings.bias, settings.activeLow) = (edges, bias, activeLow ? true : nil)
    (settings.debounce, settings.fifo, settings.eventClock) = (debounce?.time, fifo, eventClock)
    (settings.initialLevel, settings.consumer) = (initialLevel ? true : nil, consumer)
    (settings.reconnect, settings.sampleRate, settings.trigger) = (reconnect ? true : nil, sampleRate, trigger)
    (settings.watermark, settings.latency, settings.length) = (watermark, latency?.time, length)
    settings.si = si ? true : nil
    return settings
  }

  func validate() throws {
    for key in settings.keys where !settings.isAllowed(key) {
      throw ValidationError("--\(key.name) takes \(key.limits)")
    }
    if watermark != nil, latency != nil { throw ValidationError("give --watermark or --latency, not both") }
  }

  /// Checks that each option applies to at least one of the sources.
  func check(for sources: [SourceSpec]) throws {
    for key in settings.keys where !sources.contains(where: { $0.kind.keys.contains(key) }) {
      let kinds = SourceKinds.all.filter { $0.keys.contains(key) }.map { $0.name }
      throw ValidationError(
        "--\(key.name) is for \(kinds.joined(separator: ", ")), and there is no such source; leave it out")
    }
    if let root, !root.isEmpty, sources.allSatisfy({ !$0.kind.hasRoot }) {
      throw ValidationError("--root is for devices and files, and there is no such source; leave it out")
    }
  }
}
