import Foundation
import SluiceArchive
import SluiceReadings
import SluiceRecording
import TestFiles
import XCTest

/// Recordings of real sensors, in the folder that `SLUICE_TRACES` names or beside the checkout. `make test-recorded` runs
/// these tests, and says so where there are none.
enum RecordedTraces {
  static func path(_ name: String) -> String {
    let folder =
      ProcessInfo.processInfo.environment["SLUICE_TRACES"]
      ?? Checkout.folder.deletingLastPathComponent().appendingPathComponent("shared/traces").path
    return "\(folder)/\(name)"
  }

  /// For `swift test`, which runs all tests.
  static func skipIfMissing() throws {
    let folder = path("")
    try XCTSkipUnless(FileManager.default.fileExists(atPath: folder), "there are no recordings in \(folder)")
  }

  static func read(_ name: String) throws -> (streams: [StreamDescription], readings: [Reading]) {
    let trace = try TraceReader(path: path(name), kinds: [SigrokTraceKind.self])
    var readings: [Reading] = []
    while let reading = try trace.next() { readings.append(reading) }
    return (trace.streams, readings)
  }
}
