import Dispatch
import Sluice
package import SluiceDevices
package import SluiceReadings

/// The levels of lines of one chip, read at intervals: `gpio-values:gpiochip0:3,4@10ms`.
package struct GPIOValuesSource: SourceKind {
  package static let name = "gpio-values"
  package static let form = "CHIP:LINE[,LINE...]@PERIOD"
  package static let example = "gpiochip0:3,4@10ms"
  package static let hasPeriod = true
  package static let keys: [SourceSettings.Key] = [.bias, .activeLow, .consumer, .reconnect]

  package let device: DeviceSpec
  package let period: TimeSpan

  package init?(_ what: String) {
    guard let polled = PolledFile(what), let device = DeviceSpec(polled.path), !device.parts.isEmpty else { return nil }
    self.device = device
    period = polled.period
  }

  package func forecast(_ settings: SourceSettings, _ roots: DeviceRoots) -> SourceForecast {
    let channels = device.parts.map { StreamDescription.Channel(name: $0, format: StreamDescription.Channel.level) }
    return SourceForecast([.init(name: device.device, channels: channels)], every: period)
  }

  package func open(_ settings: SourceSettings, _ context: SourceContext) throws(SluiceError) -> [any ReadingSource] {
    let chip = device.device
    var values = try Publishers.GPIOValues(
      GPIOLines(chip: chip, lines: device.parts), every: .nanoseconds(Int(period.nanoseconds)),
      bias: settings.bias ?? .asIs, isActiveLow: settings.activeLow ?? false, consumer: settings.consumer ?? "sluice",
      root: context.roots.dev, whenRemoved: settings.whenRemoved(chip, context.tell))
    values.whenFailed = { [tell = context.tell] in tell(.readFailed($0)) }
    return [values]
  }
}
