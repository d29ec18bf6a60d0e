package import Sluice
package import SluiceReadings
package import SluiceStages

/// One operator between the sources and the file, with what it is set to.
///
/// A new stage is a file with a type of this protocol, its line in ``Stages``, and its option among the operators of the
/// command. It decodes itself by a ``PlanObject``, and encodes only what is not its default.
package protocol PipelineStage: Hashable, Sendable, Codable {
  /// As the metadata, the summary and a plan call it.
  static var name: String { get }
  /// Whether it leaves readings out, as it was set to.
  static var leavesOut: Bool { get }
  /// Whether it makes readings of others.
  static var makes: Bool { get }
  /// How many readings of each stream it keeps at most while they cannot be written.
  var capacity: Int { get }
  /// Whether something that it holds is to be written once the clock has passed its time.
  var endsByTime: Bool { get }

  /// Whether what it gives depends on when the recording ended.
  var usesEnd: Bool { get }

  /// What the user is to know of it before it acts; nil for nothing.
  func notice(for streams: [StreamDescription]) -> String?
  /// The same, with what depends on the streams; to be called once they are known, before it acts.
  func sized(for streams: [StreamDescription]) -> Self

  /// The stage for these streams, and the streams of its readings.
  /// - Throws: What is wrong with a setting, for these streams.
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
  package var capacity: Int { 0 }
  package var endsByTime: Bool { false }
  package var usesEnd: Bool { false }
  package func notice(for streams: [StreamDescription]) -> String? { nil }
  package func sized(for streams: [StreamDescription]) -> Self { self }
}

/// What a stage may ask of the recording that it is part of, and what it has to tell it.
package struct StageContext {
  /// The place of the stage among all, from 0.
  package let number: Int
  /// By stream.
  package let ledgers: [StreamLedger]
  /// When the recording has ended, for a stage that ``PipelineStage/usesEnd``; nil if that is not known.
  package let ended: () -> Int64?
  /// Whether the sources wait until they are asked.
  package let sourcesWait: Bool
  /// How many readings the sink asks for before it has written others.
  package let ahead: Int
  /// Told of each reading that the stage leaves out as it was set to.
  package let leaveOut: (Reading) -> Void
  /// Told of each reading for which there was no room, and the size of the buffer if the recording is to end with the
  /// first.
  package let drop: (_ reading: Reading, _ failing: Int?) -> Void
  /// Told of the first reading after dropped ones, which it flags.
  package let flagGap: (inout Reading) -> Void
}
