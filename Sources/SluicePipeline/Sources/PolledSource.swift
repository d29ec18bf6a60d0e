import Dispatch
import Sluice
package import SluiceDevices
package import SluiceReadings

/// The number in a file, read at intervals: `poll:thermal:cpu-thermal@1s`.
package struct PolledSource: SourceKind {
  package static let name = "poll"
  package static let form = "FILE@PERIOD"
  package static let example = "thermal:cpu-thermal@1s"
  package static let hasPeriod = true
  package static let keys: [SourceSettings.Key] = [.si]

  package let file: PolledFile

  package init?(_ what: String) {
    guard let file = PolledFile(what) else { return nil }
    self.file = file
  }

  package var streamName: String? { file.path }

  package func inputs(_ roots: DeviceRoots) throws(SluiceError) -> [String] {
    [try PolledAttributes.path(of: file.path, roots: roots)]
  }

  package func forecast(_ settings: SourceSettings, _ roots: DeviceRoots) -> SourceForecast {
    SourceForecast([.init(name: file.path, channels: [.init(name: "value")])], every: file.period, certainty: .named)
  }

  package func open(_ settings: SourceSettings, _ context: SourceContext) throws(SluiceError) -> [any ReadingSource] {
    let path = try PolledAttributes.path(of: file.path, roots: context.roots)
    var attribute = try Publishers.PolledAttribute(
      path: path, every: .nanoseconds(Int(file.period.nanoseconds)), inSI: settings.si ?? false)
    attribute.whenFailed = { [tell = context.tell] in tell(.readFailed($0)) }
    return [attribute]
  }
}
