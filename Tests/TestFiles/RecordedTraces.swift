import Foundation
import XCTest

/// Recordings of real sensors, beside the checkout, or in the folder that `SLUICE_TRACES` names.
public enum RecordedTraces {
  /// The path of a recording; the test is skipped if it does not exist.
  public static func path(_ name: String) throws -> String {
    let folder =
      ProcessInfo.processInfo.environment["SLUICE_TRACES"]
      ?? Checkout.folder.deletingLastPathComponent().appendingPathComponent("shared/traces").path
    let path = "\(folder)/\(name)"
    try XCTSkipUnless(FileManager.default.fileExists(atPath: path), "no \(name) beside the checkout")
    return path
  }
}
