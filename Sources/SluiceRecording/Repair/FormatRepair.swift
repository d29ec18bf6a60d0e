package import SluiceReadings

/// The repair of files that are no rows of text. ``RecordingRepair`` finds it by the first bytes of a file.
package protocol FormatRepair: Sendable {
  /// The endings of the files that it can repair.
  static var extensions: [String] { get }
  /// Whether a file that begins with these bytes is to be repaired so. Some of them may be damaged.
  static func recognizes(_ beginning: [UInt8]) -> Bool
  /// Looks for damage, and removes it unless this is a dry run.
  /// - Parameters:
  ///   - descriptor: The open and locked file.
  ///   - isDryRun: Whether to change nothing.
  static func repair(
    _ path: String, _ descriptor: Int32, _ disk: Disk, isDryRun: Bool
  ) throws(SluiceError) -> FormatDamage
}

/// What is damaged in a file.
package struct FormatDamage: Equatable, Sendable {
  /// What was, or would be, cut off its end.
  package var tail: TornTail
  /// Sentences about damage before the end, with what is lost.
  package var faults: [String] = []
  /// Sentences about what a repair has done, or would do, without a loss.
  package var repairs: [String] = []

  package init(tail: TornTail, faults: [String] = [], repairs: [String] = []) {
    (self.tail, self.faults, self.repairs) = (tail, faults, repairs)
  }

  package var isEmpty: Bool { tail.isEmpty && faults.isEmpty && repairs.isEmpty }
}
