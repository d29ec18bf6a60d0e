package import Sluice
package import SluiceReadings
package import SluiceStages

/// A stage that knows its input streams.
package struct PreparedStage {
  /// The streams of its outputs.
  package let streams: InputStreams
  package let act: (AnyPublisher<Reading, Never>, StageContext) -> AnyPublisher<Reading, Never>

  package init(
    streams: InputStreams,
    act: @escaping (AnyPublisher<Reading, Never>, StageContext) -> AnyPublisher<Reading, Never>
  ) {
    self.streams = streams
    self.act = act
  }

  /// Prepares each stage for the streams of the previous stage.
  /// - Parameter inputs: The streams that the first stage receives.
  static func all(_ stages: [any PipelineStage], for inputs: InputStreams) throws(SluiceError) -> [PreparedStage] {
    var prepared: [PreparedStage] = []
    for stage in stages { prepared.append(try stage.prepared(for: prepared.last?.streams ?? inputs)) }
    return prepared
  }
}

extension InputStreams {
  /// The streams of all sources. Only a single source may have streams that come later.
  package init(_ sources: [Source]) {
    self.init(sources.flatMap(\.streams), more: sources.lazy.compactMap(\.moreStreams).first)
  }
}
