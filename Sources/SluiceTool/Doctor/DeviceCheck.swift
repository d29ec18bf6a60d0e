import SluiceAnalysis
import SluicePipeline

/// What the kinds of device find, each of its own.
enum DeviceCheck {
  /// What the kernel was built with, loads and mounts: several kinds have something to say of it.
  static let kernel = "kernel"

  /// Findings of one check stand together, in the order in which the kinds come to the checks.
  static func findings(
    _ surroundings: Surroundings, restore: Bool, kinds: [any DeviceKind] = DeviceKinds.all
  ) -> [Finding] {
    let findings = kinds.flatMap { $0.findings(surroundings, restore: restore) }
    var checks: [String] = []
    for finding in findings where !checks.contains(finding.check) { checks.append(finding.check) }
    return checks.flatMap { check in findings.filter { $0.check == check } }
  }
}
