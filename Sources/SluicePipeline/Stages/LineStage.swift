package import SluiceReadings
package import SluiceStages

/// A stage with a decoder of edges, for one line or for every line.
package protocol LineStage: ProcessingStage where Processor == LineProcessor<Decoder> {
  associatedtype Decoder: EdgeDecoder
  /// The name of the line; nil for every line.
  var line: String? { get }
  /// A decoder that has seen no edge.
  func decoder() throws(SluiceError) -> Decoder
}

extension LineStage {
  package static var makes: Bool { true }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> LineProcessor<Decoder> {
    try LineProcessor(decoder(), line: line, inputs: inputs)
  }
}
