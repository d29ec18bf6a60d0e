import Sluice
package import SluiceDevices
package import SluiceReadings

/// The pulses of a PPS device: `pps:0`.
package struct PPSSource: SourceKind {
  package static let name = "pps"
  package static let form = "DEVICE"
  package static let example = "0"
  package static let isOfEvents = true

  package let device: String

  package init?(_ what: String) {
    guard !what.isEmpty else { return nil }
    device = what
  }

  package func forecast(_ settings: SourceSettings, _ roots: DeviceRoots) -> SourceForecast {
    // A pulse per second is what they are for.
    SourceForecast(rate: 1, queue: .pps)
  }

  package func open(_ settings: SourceSettings, _ context: SourceContext) throws(SluiceError) -> [any ReadingSource] {
    [try Publishers.PPSPulses(device: device, roots: context.roots)]
  }
}
