import SluicePipeline
import SluiceReadings
import SluiceSystem

/// The file of a service in /etc/sluice: the station file NAME.yaml, or the plan NAME.json.
struct ServicePlan {
  /// The possible endings of its name.
  static let endings = [".yaml", ".json"]

  let path: String

  /// - Parameter folder: The folder of the plans.
  /// - Throws: If the folder has no file for this name, or two, because then it would not be clear which of them runs.
  init(_ name: ServiceName, in folder: String) throws(SluiceError) {
    let found = Self.endings.map { "\(folder)/\(name)\($0)" }.filter { FileIdentity(path: $0) != nil }
    guard let path = found.first else {
      throw SluiceError(
        .notFound, "run the service", "\(name)",
        because: "there is no \(Self.endings.map { "\(name)\($0)" }.joined(separator: " or ")) in \(folder)",
        remedy: "sluice service install FILE puts it there")
    }
    guard found.count == 1 else {
      throw SluiceError(
        .usage, "run the service", "\(name)", because: "\(found.joined(separator: " and ")) both exist",
        remedy: "remove one of them")
    }
    self.path = path
  }

  /// The options of `sluice record` that run this file.
  var arguments: [String] { Self.arguments(path) }

  static func arguments(_ path: String) -> [String] {
    // The equals sign is needed, because a path may begin with a hyphen.
    [(path.hasSuffix(".yaml") ? "--station=" : "--plan=") + path]
  }
}
