public import SluiceReadings
package import SluiceRecording
public import SluiceStages

/// A stage between the sources and the outputs, with its settings.
///
/// Outside of this package, write a ``ProcessingStage``: what a stage of operators needs is not public.
public protocol RecordingStage: Hashable, Sendable {
  /// The name in the metadata, the summary and a plan.
  static var name: String { get }
  /// How it is written as one text; nil if only a plan has it.
  static var word: StageWord? { get }
  /// Its settings in a plan.
  static var settings: Settings<Self> { get }
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
  /// Whether its outputs depend on the time at which the recording ended.
  var usesEnd: Bool { get }

  /// Why settings that are right alone are not right together: the key, or nil for the whole stage, and the words after
  /// the place, with a space first. Nil if they are.
  var conflict: (key: String?, sentence: String)? { get }
  /// A message to the user before the stage starts; nil for none.
  func notice(for streams: [StreamDescription]) -> String?
  /// The stage with the settings that depend on the streams. It is called when the streams are known, before it is
  /// prepared for a recording.
  func sized(for streams: [StreamDescription]) -> Self

  /// The stage for these streams.
  /// - Throws: If a setting does not fit these streams.
  func prepared(for inputs: InputStreams) throws(SluiceError) -> PreparedStage
}

extension RecordingStage {
  public static var word: StageWord? { nil }
  public static var leavesOut: Bool { false }
  public static var makes: Bool { false }
  public var capacity: Int { 0 }
  public var endsByTime: Bool { false }
  public var window: Int64 { 0 }
  public var usesEnd: Bool { false }
  public var conflict: (key: String?, sentence: String)? { nil }
  public func notice(for streams: [StreamDescription]) -> String? { nil }
  public func sized(for streams: [StreamDescription]) -> Self { self }
}

/// The information that a stage gets from its recording, and the closures for its reports.
package struct StageContext {
  /// The index of the stage, from 0.
  package let number: Int
  /// The ledger of each stream.
  package let ledgers: [StreamLedger]
  /// Called with the last total of a stream that the stage has made.
  package var keepTotal: (TraceMetadata.Total) -> Void = { _ in }
  /// The time at which the recording ended, for a stage with ``RecordingStage/usesEnd``; nil if it is not known.
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
  /// Called once, when the first window lacks readings, because memory has no room for all that wait.
  package var tellShortened: () -> Void = {}
}
