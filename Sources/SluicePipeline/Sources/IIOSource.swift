import Dispatch
import Sluice
package import SluiceDevices
package import SluiceReadings

/// The scans of a device, all channels or some: `iio:bmi160:accel_x,accel_y`.
package struct IIOSource: SourceKind {
  package static let name = "iio"
  package static let form = "DEVICE[:CHANNEL,...]"
  package static let example = "bmi160:accel_x,accel_y"
  package static let keys: [SourceSettings.Key] = [
    .sampleRate, .trigger, .watermark, .latency, .length, .reconnect, .si,
  ]

  package let device: DeviceSpec

  package init?(_ what: String) {
    guard let device = DeviceSpec(what) else { return nil }
    self.device = device
  }

  private static func options(_ settings: SourceSettings) -> IIOOptions {
    var options = IIOOptions()
    options.samplingFrequency = settings.sampleRate
    options.trigger = settings.triggerName.name
    options.watermark = settings.watermark
    options.latency = settings.latency?.nanoseconds
    options.length = settings.length
    options.inSI = settings.si ?? false
    return options
  }

  package func forecast(_ settings: SourceSettings, _ roots: DeviceRoots) -> SourceForecast {
    let options = Self.options(settings)
    guard
      let found = try? IIOForecast(device: device.device, channels: device.parts, options: options, roots: roots)
    else {
      // It may be another machine's.
      let rate = settings.sampleRate.flatMap { Double($0) }
      return SourceForecast(rate: rate, queue: IIOForecast.queue(at: rate, options))
    }
    return SourceForecast(streams: [found.stream], rate: found.rate, queue: found.queue)
  }

  package func open(_ settings: SourceSettings, _ context: SourceContext) throws(SluiceError) -> [any ReadingSource] {
    var options = Self.options(settings)
    let (trigger, isNew) = settings.triggerName
    options.makesTrigger = isNew && context.makesTrigger(trigger ?? "")
    let scans = try Publishers.IIOScans(
      device: device.device, channels: device.parts, options: options, roots: context.roots,
      whenRemoved: settings.whenRemoved(device.device, context.tell))
    context.report(scans.restored)
    return [scans]
  }
}

extension SourceSettings {
  /// The name of the trigger, and whether the recording must create it.
  package var triggerName: (name: String?, isNew: Bool) {
    let prefix = "hrtimer:"
    guard let trigger, trigger.hasPrefix(prefix) else { return (trigger, false) }
    return (String(trigger.dropFirst(prefix.count)), true)
  }
}
