import SluiceAnalysis
import SluicePipeline

/// The findings of all kinds of device.
enum DeviceCheck {
  /// The check of the kernel's configuration, modules and mounts. Several kinds have findings of it.
  static let kernel = "kernel"

  /// Findings of one check stand together. The checks stand in the order of their first finding.
  static func findings(
    _ surroundings: Surroundings, restore: Bool, kinds: [any DeviceKind] = DeviceKinds.all
  ) -> [Finding] {
    let findings = kinds.flatMap { $0.findings(surroundings, restore: restore) }
    var checks: [String] = []
    for finding in findings where !checks.contains(finding.check) { checks.append(finding.check) }
    return checks.flatMap { check in findings.filter { $0.check == check } }
  }
}
