package import Sluice
package import SluiceReadings
import SluiceRecording
package import SluiceStages

/// A stage that knows its input streams.
public struct PreparedStage {
  /// The streams of its outputs.
  package let streams: InputStreams
  /// Adds its operators to the publisher of readings. A reading of no stream only shows the time, and must pass.
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
  static func all(_ stages: [any RecordingStage], for inputs: InputStreams) throws(SluiceError) -> [PreparedStage] {
    var prepared: [PreparedStage] = []
    for stage in stages {
      var inputs = inputs
      if let streams = prepared.last?.streams { (inputs.known, inputs.more) = (streams.known, streams.more) }
      prepared.append(try stage.prepared(for: inputs))
    }
    return prepared
  }
}
