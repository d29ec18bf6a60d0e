import Foundation
import SluiceDevices
import SluicePipeline
import SluiceReadings

/// The thermometer as a source of the command and of plans: `thermometer:FILE`.
struct ThermometerKind: SourceKind {
  static let name = "thermometer"
  static let form = "FILE"
  static let example = "/run/tmp102"
  let file: String

  init?(_ what: String) { file = what }

  static func found(_ roots: DeviceRoots) -> [FoundSource] {
    let file = "\(roots.run)/tmp102"
    guard FileManager.default.fileExists(atPath: file) else { return [] }
    return [FoundSource(what: file, description: "TMP102, temperature", files: [file])]
  }

  func inputs(_ roots: DeviceRoots) -> [String] { [file] }

  func open(_ settings: SourceSettings, _ context: SourceContext) throws(SluiceError) -> [any ReadingSource] {
    [try Thermometer(file)]
  }
}
