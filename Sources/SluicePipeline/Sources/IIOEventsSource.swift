import Dispatch
import Sluice
package import SluiceDevices
package import SluiceReadings

/// The events of a device, one stream per event: `iio-events:adxl345:accel_x_thresh_rising=300`.
package struct IIOEventsSource: SourceKind {
  package static let name = "iio-events"
  package static let form = "DEVICE[:EVENT[=VALUE],...]"
  package static let example = "adxl345:accel_x_thresh_rising=300"
  package static let isOfEvents = true
  package static let keys: [SourceSettings.Key] = [.reconnect]
  package static let isOpenedFirst = true

  package let device: DeviceSpec

  package init?(_ what: String) {
    guard let device = DeviceSpec(what) else { return nil }
    self.device = device
  }

  /// A number is the threshold of an event.
  package static func takes(_ name: String, _ value: String) -> Bool {
    Double(value) != nil && SourceSettings.Key(named: name) == nil
  }

  package func forecast(_ settings: SourceSettings, _ roots: DeviceRoots) -> SourceForecast {
    SourceForecast(queue: .iioEvents)
  }

  package func open(_ settings: SourceSettings, _ context: SourceContext) throws(SluiceError) -> [any ReadingSource] {
    let events = try Publishers.IIOEvents(
      device: device.device, events: device.parts, roots: context.roots,
      whenRemoved: settings.whenRemoved(device.device, context.tell))
    context.report(events.restored)
    return [events]
  }
}
