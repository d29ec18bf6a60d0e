import SluicePipeline
package import SluiceReadings
import SluiceRecording
import SluiceSystem

extension RecordingCheck {
  /// Reads a recording to its end.
  /// - Returns: The fault of the first unreadable row; nil if there is none, or if no reader exists for the format.
  package static func unreadableRow(of path: String) -> SluiceError? {
    // After a repair the file may be empty, without even a header.
    guard (try? SystemFiles().status(at: path))?.size ?? 1 > 0 else { return nil }
    var plan = ReplayPlan("")
    plan.files = [path]
    do throws(SluiceError) {
      let trace = try plan.reader(plan.changes, warn: { _ in })
      var readings = [Reading](repeating: .empty, count: 512)
      while try trace.next(into: &readings) > 0 {}
      return nil
    } catch {
      return error.code == .malformed && error.object == path ? error : nil
    }
  }
}
