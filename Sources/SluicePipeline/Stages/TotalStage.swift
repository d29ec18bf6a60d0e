package import SluiceRecording

/// A stage whose values are totals, from which the next run of the recording continues.
package protocol TotalStage: ProcessingStage {
  /// The total of an earlier run in words, such as `35.5 l (71 pulses)`; nil if it is not one of this stage.
  func text(of total: TraceMetadata.Total) -> String?
  /// Why the stage cannot go on from a total; nil if it can.
  func reason(againstGoingOnFrom total: TraceMetadata.Total) -> String?
  /// What is said of a total after a run that was cut off: `it is at least that`.
  static var cutOffText: String { get }
  /// The setting of the total before a new recording, such as `start=1234.5`; nil if it begins at 0.
  var startText: String? { get }
  /// The total of a run that was cut off, from the last row of its stream; nil if the row does not have it.
  /// - Parameters:
  ///   - start: The total with which that run began, if it is known.
  ///   - scaled: The names of the channels that later stages have scaled.
  ///   - isRounded: Whether the rows do not have all digits.
  func total(
    ofRow row: TraceMetadata.Total, from start: TraceMetadata.Total?, scaled: Set<String>, isRounded: Bool
  ) -> TraceMetadata.Total?
  /// The same stage, which continues from the totals of an earlier run.
  func goingOn(from totals: [TraceMetadata.Total]) -> Self
}

extension TotalStage {
  /// Splits `0.5:l,start=1234.5` into the setting and the total before a new recording.
  /// - Parameter parse: Returns nil if a text is no total.
  /// - Returns: The setting, and the total if there is one; nil if `parse` returns nil.
  static func split<Start>(
    _ argument: String, _ parse: (Substring) -> Start?
  ) -> (setting: Substring, start: Start?)? {
    let key = ",start="
    guard let comma = argument.lastIndex(of: ","), argument[comma...].hasPrefix(key) else {
      return (argument[...], nil)
    }
    return parse(argument[comma...].dropFirst(key.count)).map { (argument[..<comma], $0) }
  }
}

extension RecordingStage {
  /// Itself, if its values are totals.
  var totalStage: (any TotalStage)? {
    // Nearly every recording has a buffer, and the cast searches all conformances of the program.
    self is BufferStage ? nil : self as? any TotalStage
  }
}
