package import Sluice
package import SluiceReadings
package import SluiceRecording
package import SluiceStages

/// One operator between the sources and the outputs, with its settings.
///
/// A new stage is a file with a type of this protocol, a line in ``Stages``, and an option of the command. It decodes
/// itself with a ``PlanObject``, and encodes only settings that are not the default.
package protocol PipelineStage: Hashable, Sendable, Codable {
  /// The name in the metadata, the summary and a plan.
  static var name: String { get }
  /// Whether its settings can leave out readings.
  static var leavesOut: Bool { get }
  /// Whether it makes new readings.
  static var makes: Bool { get }
  /// The greatest number of readings per stream that it keeps while they cannot be written.
  var capacity: Int { get }
  /// Whether the readings that it holds must be written when the clock has passed their time.
  var endsByTime: Bool { get }

  /// The length of its time windows in nanoseconds; 0 if it has none.
  var window: Int64 { get }
  /// Whether its values are totals, from which the next run of the recording continues.
  static var makesTotals: Bool { get }

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

  /// Whether its outputs depend on the time at which the recording ended.
  var usesEnd: Bool { get }

  /// A message to the user before the stage starts; nil for none.
  func notice(for streams: [StreamDescription]) -> String?
  /// The stage with the settings that depend on the streams. It is called when the streams are known, before `act`.
  func sized(for streams: [StreamDescription]) -> Self

  /// The stage for these streams, and the streams of its outputs.
  /// - Throws: If a setting does not fit these streams.
  func prepared(for inputs: InputStreams) throws(SluiceError) -> PreparedStage
  func act(
    on readings: AnyPublisher<Reading, Never>, in context: StageContext
  ) -> AnyPublisher<Reading, Never>
}

extension PipelineStage {
  package func prepared(for inputs: InputStreams) throws(SluiceError) -> PreparedStage {
    PreparedStage(streams: inputs, act: act)
  }

  package static var leavesOut: Bool { false }
  package static var makes: Bool { false }
  package var window: Int64 { 0 }
  package static var makesTotals: Bool { false }
  package func text(of total: TraceMetadata.Total) -> String? { nil }
  package func reason(againstGoingOnFrom total: TraceMetadata.Total) -> String? { nil }
  package var startText: String? { nil }
  package static var cutOffText: String { "it is at least that" }
  package func total(
    ofRow row: TraceMetadata.Total, from start: TraceMetadata.Total?, scaled: Set<String>, isRounded: Bool
  ) -> TraceMetadata.Total? { nil }
  package func goingOn(from totals: [TraceMetadata.Total]) -> Self { self }
  package var capacity: Int { 0 }
  package var endsByTime: Bool { false }
  package var usesEnd: Bool { false }
  package func notice(for streams: [StreamDescription]) -> String? { nil }
  package func sized(for streams: [StreamDescription]) -> Self { self }
}

/// The information that a stage gets from its recording, and the closures for its reports.
package struct StageContext {
  /// The index of the stage, from 0.
  package let number: Int
  /// The ledger of each stream.
  package let ledgers: [StreamLedger]
  /// Called with the last total of a stream that the stage has made.
  package var keepTotal: (TraceMetadata.Total) -> Void = { _ in }
  /// The time at which the recording ended, for a stage with ``PipelineStage/usesEnd``; nil if it is not known.
  package let ended: () -> Int64?
  /// Whether the sources wait for demand.
  package let sourcesWait: Bool
  /// The number of readings that the sink requests before it has written the previous readings.
  package let ahead: Int
  /// Called with each reading that the stage leaves out because of its settings.
  package let leaveOut: (Reading) -> Void
  /// Called with each reading that the full buffer drops. `failing` is the size of the buffer if the recording must end
  /// with the first drop.
  package let drop: (_ reading: Reading, _ failing: Int?) -> Void
  /// Called with the first reading after a drop, to flag it.
  package let flagGap: (inout Reading) -> Void
}
