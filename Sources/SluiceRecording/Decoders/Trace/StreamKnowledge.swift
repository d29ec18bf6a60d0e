package import SluiceReadings

/// The origin of the streams of a trace whose readings name them.
package enum StreamKnowledge {
  /// The metadata has all streams.
  case described([StreamDescription])
  /// The trace is read twice: first for its streams. Some of them are known.
  case readTwice(known: [StreamDescription])
  /// The trace can be read only once, so streams are found during the read.
  case learned

  init(_ metadata: TraceMetadata?, isPipe: Bool) {
    let described = metadata?.streams
    if let metadata, let described, metadata.earlierRuns == 0, !metadata.hasUndescribedRows {
      self = .described(described)
    } else if isPipe {
      self = .learned
    } else {
      // Rows of an earlier recording may have streams that the metadata does not have.
      self = .readTwice(known: described ?? [])
    }
  }
}
