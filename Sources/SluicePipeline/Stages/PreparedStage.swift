package import Sluice
package import SluiceReadings
package import SluiceStages

/// A stage that knows the streams whose readings it receives.
package struct PreparedStage {
  /// Those of its readings.
  package let streams: InputStreams
  package let act: (AnyPublisher<Reading, Never>, StageContext) -> AnyPublisher<Reading, Never>

  package init(
    streams: InputStreams,
    act: @escaping (AnyPublisher<Reading, Never>, StageContext) -> AnyPublisher<Reading, Never>
  ) {
    self.streams = streams
    self.act = act
  }

  /// Each stage, for the streams of the one before.
  /// - Parameter inputs: The streams that the first one receives.
  static func all(_ stages: [any PipelineStage], for inputs: InputStreams) throws(SluiceError) -> [PreparedStage] {
    var prepared: [PreparedStage] = []
    for stage in stages { prepared.append(try stage.prepared(for: prepared.last?.streams ?? inputs)) }
    return prepared
  }
}

extension InputStreams {
  /// Those of all sources; only a single source may have streams that come later.
  package init(_ sources: [Source]) {
    self.init(sources.flatMap(\.streams), more: sources.lazy.compactMap(\.moreStreams).first)
  }
}
