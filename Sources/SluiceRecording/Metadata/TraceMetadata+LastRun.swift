import SluiceReadings

extension LastRun {
  package init(_ metadata: TraceMetadata) {
    self.init(
      isUnfinished: metadata.state == .unfinished, beganAtByte: metadata.beganAtByte,
      channels: Dictionary(
        (metadata.streams ?? []).map { stream in
          (ExactName(StreamDescription.cell(stream.name)), stream.channels.map { StreamDescription.cell($0.name) })
        }, uniquingKeysWith: { first, _ in first }))
  }
}
