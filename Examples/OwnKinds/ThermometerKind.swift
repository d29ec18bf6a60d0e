import Foundation
import SluiceDevices
import SluicePipeline
import SluiceReadings

/// The thermometer as a source of the command and of plans: `thermometer:FILE`, `thermometer:FILE,period=1s`.
struct ThermometerKind: SourceKind {
  static let name = "thermometer"
  static let form = "FILE[,period=T]"
  static let example = "/run/tmp102"
  static let ownSettings = ["period"]
  let file: String
  let period: TimeSpan

  init?(_ what: String) {
    guard let text = OwnSettings(what, names: Self.ownSettings), let period = TimeSpan(text["period"] ?? "10ms") else {
      return nil
    }
    (file, self.period) = (text.what, period)
  }

  static func found(_ roots: DeviceRoots) -> [FoundSource] {
    let file = "\(roots.run)/tmp102"
    guard FileManager.default.fileExists(atPath: file) else { return [] }
    return [FoundSource(what: file, description: "TMP102, temperature", files: [file])]
  }

  func inputs(_ roots: DeviceRoots) -> [String] { [file] }

  func forecast(_ settings: SourceSettings, _ roots: DeviceRoots) -> SourceForecast {
    SourceForecast(rate: 1e9 / Double(period.nanoseconds), queue: .nothing)
  }

  func open(_ settings: SourceSettings, _ context: SourceContext) throws(SluiceError) -> [any ReadingSource] {
    [try Thermometer(file, every: .nanoseconds(Int(clamping: period.nanoseconds)))]
  }
}
