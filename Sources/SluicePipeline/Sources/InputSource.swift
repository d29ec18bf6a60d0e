import Sluice
package import SluiceDevices
package import SluiceReadings

/// The events of an input device, one stream per key, axis or switch: `input:gpio-keys:KEY_ENTER`.
package struct InputSource: SourceKind {
  package static let name = "input"
  package static let form = "DEVICE[:CODE,...]"
  package static let example = "gpio-keys:KEY_ENTER"
  package static let isOfEvents = true
  package static let keys: [SourceSettings.Key] = [.initialLevel, .reconnect]

  package let device: DeviceSpec

  package init?(_ what: String) {
    guard let device = DeviceSpec(what) else { return nil }
    self.device = device
  }

  package func forecast(_ settings: SourceSettings, _ roots: DeviceRoots) -> SourceForecast {
    SourceForecast(queue: .input)
  }

  package func open(_ settings: SourceSettings, _ context: SourceContext) throws(SluiceError) -> [any ReadingSource] {
    [
      try Publishers.InputEvents(
        device: device.device, codes: device.parts, hasInitialState: settings.initialLevel ?? false,
        roots: context.roots, whenRemoved: settings.whenRemoved(device.device, context.tell))
    ]
  }
}
