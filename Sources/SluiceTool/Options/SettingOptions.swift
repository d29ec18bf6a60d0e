import SluiceArguments
package import SluiceDevices
package import SluicePipeline

extension GPIOOptions.Edges: NamedChoice {}
extension GPIOOptions.Bias: NamedChoice {
  /// `iio_readdev -b` is the length of the buffer.
  package static func why(_ argument: String) -> String? {
    !argument.isEmpty && argument.allSatisfy { $0.isASCII && $0.isNumber }
      ? "this is the bias of a line; the buffer of an IIO device is --length" : nil
  }
}
extension GPIOOptions.Clock: NamedChoice {}

extension ByteSize: ArgumentValue {
  /// A number without a unit is refused, because it could be bytes or megabytes.
  package init?(argument: String) {
    guard argument.last.map({ !$0.isNumber }) ?? false else { return nil }
    self.init(argument)
  }

  package static func why(_ argument: String) -> String? {
    !argument.isEmpty && argument.allSatisfy { $0.isASCII && $0.isNumber }
      ? "a size has a unit, such as \(argument)k, \(argument)M or \(argument)G" : nil
  }
}

/// The settings of sources as options. Each is the default of all sources that have this setting.
struct SettingOptions: ArgumentGroup {
  var edges: GPIOOptions.Edges?
  var bias: GPIOOptions.Bias?
  var activeLow = false
  var debounce: RepeatedTime?
  var fifo: Int?
  var eventClock: GPIOOptions.Clock?
  var initialLevel = false
  var consumer: String?
  var reconnect = false
  var sampleRate: String?
  var trigger: String?
  var watermark: Int?
  var latency: RepeatedTime?
  var length: Int?
  var si = false
  var root: String?

  static var rows: [ArgumentRow<Self>] {
    [
      .option("edges", short: "e", "both|rising|falling", "Edges to record. (default: both)", \.edges),
      .option("bias", short: "b", "as-is|disabled|pull-up|pull-down", "Bias of the lines. (default: as-is)", \.bias),
      .flag("active-low", short: "l", "Treat low as active.", \.activeLow),
      .option("debounce", short: "p", "T", "Let the kernel debounce the lines. Needs libgpiod 2.", \.debounce),
      .option("fifo", "N", "Edges that the kernel's FIFO keeps, 2 to 1024. Needs libgpiod 2. (default: 1024)", \.fifo),
      .option(
        "event-clock", "monotonic|realtime|hte", "Clock of the edges' times. Needs libgpiod 2. (default: monotonic)",
        \.eventClock),
      .flag("initial-level", "Begin with the level of each line.", \.initialLevel),
      .option("consumer", short: "C", "NAME", "Consumer name that gpioinfo shows. (default: sluice)", \.consumer),
      .flag("reconnect", "Wait for a chip or device that is removed, and go on when it is back.", \.reconnect),
      .option("sample-rate", "HZ", "Rate of the IIO device or its trigger.", \.sampleRate),
      .option(
        "trigger", "[hrtimer:]NAME", "Trigger that starts the scans; hrtimer:NAME makes one for the recording.",
        \.trigger, completion: .trigger
      )
      .named("-t", in: "iio_readdev"),
      .option("watermark", "N", "Read after N scans (watermark).", \.watermark),
      .option("latency", "T", "The watermark as a time. (default: 50ms)", \.latency),
      .option("length", "N", "Length of the kernel's buffer, in scans.", \.length)
        .named("--buffer-size", in: "iio_readdev"),
      .flag("si", "Write V, degrees and tesla instead of the kernel's mV, m°C and gauss; for iio and poll.", \.si),
      .option(
        "root", "DIR", "Where sys and dev are, to record from a fixture instead of devices.", \.root,
        completion: .folders),
    ]
  }

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
      throw ArgumentFault("--\(key.name) takes \(key.limits)")
    }
    if watermark != nil, latency != nil { throw ArgumentFault("give --watermark or --latency, not both") }
  }

  /// Checks that each option applies to at least one of the sources.
  func check(for sources: [SourceSpec]) throws {
    for key in settings.keys where !sources.contains(where: { $0.kind.keys.contains(key) }) {
      let kinds = SourceKinds.all.filter { $0.keys.contains(key) }.map { $0.name }
      throw ArgumentFault(
        "--\(key.name) is for \(kinds.joined(separator: ", ")), and there is no such source; leave it out")
    }
    if let root, !root.isEmpty, sources.allSatisfy({ !$0.kind.hasRoot }) {
      throw ArgumentFault("--root is for devices and files, and there is no such source; leave it out")
    }
  }
}
