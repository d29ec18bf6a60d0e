import SluiceReadings

extension TraceMetadata {
  /// The metadata of some of the streams. Errors, pauses and runs stay, because they do not name a stream. A loss that
  /// several streams share keeps its count.
  func selecting(_ names: Set<ExactName>) -> TraceMetadata {
    var selected = self
    selected.streams = streams?.filter { names.contains(ExactName($0.name)) }
    selected.losses = losses?.compactMap { loss in
      guard !loss.streams.isEmpty else { return loss }
      var loss = loss
      loss.streams = loss.streams.filter { names.contains(ExactName($0)) }
      return loss.streams.isEmpty ? nil : loss
    }
    selected.gapBefore = gapBefore?.filter { names.contains(ExactName($0.stream)) }
    selected.initialLevel = initialLevel?.filter { names.contains(ExactName($0.stream)) }
    selected.late = late?.filter { names.contains(ExactName($0.stream)) }
    selected.uncertainTime = uncertainTime?.filter { names.contains(ExactName($0.stream)) }
    selected.possibleDuplicate = possibleDuplicate?.filter { names.contains(ExactName($0.stream)) }
    selected.uncertainLevel = uncertainLevel?.filter { names.contains(ExactName($0.stream)) }
    selected.ledger = ledger?.filter { names.contains(ExactName($0.stream)) }
    return selected
  }
}
