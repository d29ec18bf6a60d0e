import SluiceReadings
import SluiceRecording

/// The difference between two states of a run, for the metadata of a part. The sum over all parts is the whole run.
extension RecordingMetadata.Outcome {
  /// - Parameters:
  ///   - earlier: The earlier state; nil for the beginning of the run.
  ///   - written: The readings of the part, by stream.
  ///   - output: The output of the part.
  func since(_ earlier: RecordingMetadata.Outcome?, written: [Int], output: Int) -> RecordingMetadata.Outcome {
    var part = self
    part.accounts[output] = accounts[output].enumerated().map { index, now in
      let before = earlier.flatMap { $0.accounts[output].indices.contains(index) ? $0.accounts[output][index] : nil }
      var account = now
      account.dropped -= before?.dropped ?? 0
      account.suppressed -= before?.suppressed ?? 0
      account.used -= before?.used ?? 0
      account.made -= before?.made ?? 0
      account.discarded -= before?.discarded ?? 0
      account.unwritten -= before?.unwritten ?? 0
      account.late -= before?.late ?? 0
      account.written = index < written.count ? written[index] : 0
      // Readings in the buffer belong to the part in which they are written.
      account.unaccounted = 0
      account.received =
        account.written + account.dropped + account.suppressed + account.used - account.made + account.discarded
        + account.unwritten
      return account
    }
    guard let earlier else { return part }
    part.flagged = flagged.enumerated().map { index, now in
      earlier.flagged.indices.contains(index) ? now.since(earlier.flagged[index]) : now
    }
    part.losses = losses.compactMap { now in
      // The stream list may have grown since then.
      guard
        let before = earlier.losses.first(where: { $0.label == now.label && now.streams.starts(with: $0.streams) })
      else {
        return now
      }
      var loss = now
      loss.count -= before.count
      // For losses since then, only the last time is known for sure.
      loss.first = before.last ?? now.first
      // The phrase has the count of the whole run.
      loss.phrase = nil
      return loss.count > 0 ? loss : nil
    }
    part.pauses = pauses.filter { pause in !earlier.pauses.contains(pause) }
    part.errors = Array(errors.dropFirst(earlier.errors.count))
    return part
  }
}

extension FlaggedReadings {
  fileprivate func since(_ earlier: FlaggedReadings) -> FlaggedReadings {
    var part = self
    for flag in [\FlaggedReadings.gapBefore, \.initialLevel, \.late] {
      part[keyPath: flag].count -= earlier[keyPath: flag].count
      part[keyPath: flag].first.removeFirst(min(part[keyPath: flag].first.count, earlier[keyPath: flag].first.count))
    }
    return part
  }
}
