import Dispatch
package import Sluice
package import SluiceDevices
package import SluiceReadings

/// The edges of lines of one chip, one stream per line: `gpio:gpiochip0:3,4`.
package struct GPIOSource: SourceKind {
  package static let name = "gpio"
  package static let form = "CHIP:LINE[,LINE...]"
  package static let example = "gpiochip0:3,4"
  package static let isOfEvents = true
  package static let keys: [SourceSettings.Key] = [
    .edges, .bias, .activeLow, .debounce, .fifo, .eventClock, .initialLevel, .consumer, .reconnect,
  ]

  package let device: DeviceSpec

  package init?(_ what: String) {
    guard let device = DeviceSpec(what), !device.parts.isEmpty else { return nil }
    self.device = device
  }

  package static func reason(against what: String) -> String? {
    what.isEmpty || what.contains(":")
      ? nil : "say which lines of which chip, such as \(example); names alone are of the kind \(GPIONameSource.name)"
  }

  package func open(_ settings: SourceSettings, _ context: SourceContext) throws(SluiceError) -> [any ReadingSource] {
    [try Self.edges(of: GPIOLines(chip: device.device, lines: device.parts), settings, context)]
  }

  package func forecast(_ settings: SourceSettings, _ roots: DeviceRoots) -> SourceForecast {
    Self.forecast(device.parts, settings)
  }

  /// - Parameter lines: The lines of one chip, by offset or name.
  static func forecast(_ lines: [String], _ settings: SourceSettings) -> SourceForecast {
    var options = GPIOOptions()
    options.fifo = settings.fifo.map { UInt32(clamping: $0) }
    var forecast = SourceForecast(
      streams: lines.map { .init(name: $0, channels: [.init(name: "level", format: StreamDescription.Channel.level)]) },
      queue: options.kernelQueue(lines: lines.count))
    forecast.certainty = lines.count == 1 ? .named : .never
    return forecast
  }

  package static func edges(
    of lines: GPIOLines, _ settings: SourceSettings, _ context: SourceContext
  ) throws(SluiceError) -> Publishers.GPIOEdges {
    var options = GPIOOptions()
    options.edges = settings.edges ?? .both
    options.bias = settings.bias ?? .asIs
    options.isActiveLow = settings.activeLow ?? false
    options.debounce = settings.debounce.map { UInt32(clamping: $0.nanoseconds / 1_000) }
    options.fifo = settings.fifo.map { UInt32(clamping: $0) }
    options.clock = settings.eventClock ?? .monotonic
    options.hasInitialLevel = settings.initialLevel ?? false
    return try Publishers.GPIOEdges(
      lines, options: options, consumer: settings.consumer ?? "sluice", root: context.roots.dev,
      whenRemoved: settings.whenRemoved(lines.chip ?? lines.lines.joined(separator: ","), context.tell))
  }
}
