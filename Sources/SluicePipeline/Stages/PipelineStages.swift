/// The stages of a pipeline: those of single sources, and those that the readings of all sources pass.
package struct PipelineStages: ExpressibleByArrayLiteral {
  /// The stages of the sources that one source of a plan has opened.
  package struct OfSources {
    /// The numbers of the sources, which follow each other.
    package var sources: Range<Int>
    package var stages: [any PipelineStage]

    package init(_ sources: Range<Int>, _ stages: [any PipelineStage]) {
      (self.sources, self.stages) = (sources, stages)
    }
  }

  /// In the order of the sources; those without stages may be left out.
  package var ofSources: [OfSources] = []
  package var shared: [any PipelineStage]

  package init(_ shared: [any PipelineStage], ofSources: [OfSources] = []) {
    (self.shared, self.ofSources) = (shared, ofSources.filter { !$0.stages.isEmpty })
  }

  package init(arrayLiteral stages: any PipelineStage...) { self.init(stages) }

  /// All stages, in an order in which readings may pass them.
  package var all: [any PipelineStage] { ofSources.flatMap(\.stages) + shared }

  /// The number of the first shared stage, in the ledgers: behind the stages of each source.
  var firstShared: Int { ofSources.map(\.stages.count).max() ?? 0 }

  /// The greatest number of readings per stream that the shared stages keep.
  var capacity: Int {
    shared.reduce(0) { sum, stage in
      let (sum, isOverflow) = sum.addingReportingOverflow(stage.capacity)
      return isOverflow ? .max : sum
    }
  }

  /// The same stages, each changed.
  func map(_ change: (any PipelineStage) -> any PipelineStage) -> PipelineStages {
    PipelineStages(shared.map(change), ofSources: ofSources.map { OfSources($0.sources, $0.stages.map(change)) })
  }
}
