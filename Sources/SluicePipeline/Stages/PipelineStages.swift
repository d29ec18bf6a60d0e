import SluiceReadings

/// The stages of a pipeline: those of single sources, those that the readings of all sources pass, and those of single
/// outputs.
package struct PipelineStages: ExpressibleByArrayLiteral {
  /// The stages of the sources that one source of a plan has opened.
  package struct OfSources {
    /// The numbers of the sources, which follow each other.
    package var sources: Range<Int>
    package var stages: [any RecordingStage]

    package init(_ sources: Range<Int>, _ stages: [any RecordingStage]) {
      (self.sources, self.stages) = (sources, stages)
    }
  }

  /// In the order of the sources; those without stages may be left out.
  package var ofSources: [OfSources] = []
  package var shared: [any RecordingStage]
  /// By output; empty if no output has stages.
  package var ofOutputs: [[any RecordingStage]]

  package init(
    _ shared: [any RecordingStage], ofSources: [OfSources] = [], ofOutputs: [[any RecordingStage]] = []
  ) {
    (self.shared, self.ofSources) = (shared, ofSources.filter { !$0.stages.isEmpty })
    self.ofOutputs = ofOutputs.contains { !$0.isEmpty } ? ofOutputs : []
  }

  package init(arrayLiteral stages: any RecordingStage...) { self.init(stages) }

  /// All stages, in an order in which readings may pass them.
  package var all: [any RecordingStage] { ofSources.flatMap(\.stages) + shared + ofOutputs.flatMap { $0 } }

  /// The number of the first shared stage, in the ledgers: behind the stages of each source.
  var firstShared: Int { ofSources.map(\.stages.count).max() ?? 0 }

  /// The greatest number of readings per stream that the shared stages keep.
  var capacity: Int { Self.capacity(shared) }

  static func capacity(_ stages: [any RecordingStage]) -> Int {
    stages.reduce(0) { sum, stage in
      let (sum, isOverflow) = sum.addingReportingOverflow(stage.capacity)
      return isOverflow ? .max : sum
    }
  }

  /// The messages to the user before the stages start.
  /// - Parameter outputs: By output, its streams.
  func notices(_ streams: [StreamDescription], ofOutputs outputs: [[StreamDescription]]) -> [String] {
    (ofSources.flatMap(\.stages) + shared).compactMap { $0.notice(for: streams) }
      + zip(ofOutputs, outputs).flatMap { stages, streams in stages.compactMap { $0.notice(for: streams) } }
  }

  /// The same stages with the settings that depend on the streams.
  func sized(for streams: [StreamDescription], ofOutputs outputs: [[StreamDescription]]) -> PipelineStages {
    PipelineStages(
      shared.map { $0.sized(for: streams) }, ofSources: ofSources,
      ofOutputs: zip(ofOutputs, outputs).map { stages, streams in stages.map { $0.sized(for: streams) } })
  }

  /// The same stages, each changed.
  func map(_ change: (any RecordingStage) -> any RecordingStage) -> PipelineStages {
    PipelineStages(
      shared.map(change), ofSources: ofSources.map { OfSources($0.sources, $0.stages.map(change)) },
      ofOutputs: ofOutputs.map { $0.map(change) })
  }
}
