import SluiceReadings
import SluiceRecording

/// The difference between two states of a run, for the metadata of a part. The sum over all parts is the whole run.
extension RecordingMetadata.Outcome {
  /// - Parameters:
  ///   - earlier: The counts of all earlier parts (``counted(in:after:output:)``); nil for the first part.
  ///   - written: The readings of the part, by stream.
  ///   - output: The output of the part.
  ///   - isLast: Whether the run has ended with this part.
  func since(
    _ earlier: RecordingMetadata.Outcome?, written: [Int], output: Int, isLast: Bool
  ) -> RecordingMetadata.Outcome {
    var part = self
    part.accounts[output] = accounts[output].enumerated().map { index, now in
      now.since(
        earlier?.account(of: index, in: output), written: index < written.count ? written[index] : 0, isLast: isLast)
    }
    guard let earlier else { return part }
    part.flagged[output] = flagged[output].enumerated().map { index, now in
      let before = earlier.flagged.indices.contains(output) ? earlier.flagged[output] : []
      return before.indices.contains(index) ? now.since(before[index]) : now
    }
    part.leaveOut(earlier)
    return part
  }

  /// The readings that were written since then, by stream.
  func written(since earlier: RecordingMetadata.Outcome?, output: Int) -> [Int] {
    accounts[output].enumerated().map { $1.written - (earlier?.account(of: $0, in: output)?.written ?? 0) }
  }

  /// The same without the lists of the times of flagged readings, which may be long.
  var withoutTimes: RecordingMetadata.Outcome {
    var short = self
    for output in short.flagged.indices {
      for stream in short.flagged[output].indices {
        for flag in StreamFlags.all { short.flagged[output][stream][keyPath: flag].times = [] }
      }
    }
    return short
  }

  /// What is of no single output, since then.
  func since(_ earlier: RecordingMetadata.Outcome) -> RecordingMetadata.Outcome {
    var later = self
    later.leaveOut(earlier)
    return later
  }

  private mutating func leaveOut(_ earlier: RecordingMetadata.Outcome) {
    losses = losses.compactMap { now in
      // The stream list may have grown since then.
      guard
        let before = earlier.losses.first(where: { $0.reason == now.reason && now.streams.starts(with: $0.streams) })
      else {
        return now
      }
      var loss = now
      loss.count -= before.count
      // Of the losses since then, only the time of the last one is known.
      loss.first = before.last ?? now.first
      // The phrase has the count of the whole run.
      loss.phrase = nil
      return loss.count > 0 ? loss : nil
    }
    pauses = pauses.filter { pause in !earlier.pauses.contains(pause) }
    // Marks are only added.
    marks = Array(marks.dropFirst(earlier.marks.count))
    errors = Array(errors.dropFirst(earlier.errors.count))
  }
}

extension RecordingMetadata.Outcome {
  /// The counts of all parts so far.
  /// - Parameters:
  ///   - part: The outcome of the part that has ended.
  ///   - earlier: The counts of the parts before it; nil for the first part.
  func counted(
    in part: RecordingMetadata.Outcome, after earlier: RecordingMetadata.Outcome?, output: Int
  ) -> RecordingMetadata.Outcome {
    var counted = self
    for index in counted.accounts[output].indices {
      let before = earlier?.account(of: index, in: output)
      for count in [\StreamAccount.received, \.made, \.resumed, \.suppressed, \.written] {
        counted.accounts[output][index][keyPath: count] =
          (before?[keyPath: count] ?? 0) + part.accounts[output][index][keyPath: count]
      }
    }
    return counted
  }

  fileprivate func account(of stream: Int, in output: Int) -> StreamAccount? {
    accounts.indices.contains(output) && accounts[output].indices.contains(stream) ? accounts[output][stream] : nil
  }
}

extension StreamAccount {
  /// The account of a part: the readings that became its rows, and those that were dropped or left out during it.
  ///
  /// A reading on its way to a row belongs to the part with that row. So a part counts a reading as received, resumed
  /// or made only if it also counts its fate. Later parts count the other readings. Readings that the spill has at the
  /// end of the run count in the last part.
  fileprivate func since(_ earlier: StreamAccount?, written: Int, isLast: Bool) -> StreamAccount {
    var part = self
    // The last part may have rows that count as held, because the next run writes them again.
    part.written = isLast ? max(0, min(written, self.written - (earlier?.written ?? 0))) : written
    part.unaccounted = 0
    for count in [\StreamAccount.dropped, \.used, \.discarded, \.unwritten, \.late] {
      part[keyPath: count] -= earlier?[keyPath: count] ?? 0
    }
    // A stage may pass a reading that it has kept since an earlier part. That part counted the reading as left out.
    part.suppressed = max(0, suppressed - (earlier?.suppressed ?? 0))
    if !isLast { part.held = 0 }
    var fates = part.written + part.dropped + part.suppressed + part.used + part.discarded + part.unwritten + part.held
    // The readings that an earlier run has left come first into the output.
    part.resumed = min(fates, max(0, resumed - (earlier?.resumed ?? 0)))
    fates -= part.resumed
    let received = min(fates, max(0, self.received - (earlier?.received ?? 0)))
    part.made = min(fates - received, max(0, made - (earlier?.made ?? 0)))
    part.received = fates - part.made
    if part.dropped == 0 {
      (part.firstDropped, part.lastDropped) = (nil, nil)
    } else {
      // Of the drops since then, only the time of the last one is known.
      part.firstDropped = earlier?.lastDropped ?? firstDropped
    }
    return part
  }
}

extension StreamFlags {
  /// What was flagged since then.
  func since(_ earlier: StreamFlags) -> StreamFlags {
    var part = self
    for flag in Self.all {
      part[keyPath: flag].count -= earlier[keyPath: flag].count
      // They are sorted by time, and what comes from a spill is older than what was there before it.
      for time in earlier[keyPath: flag].times {
        if let place = part[keyPath: flag].times.firstIndex(of: time) { part[keyPath: flag].times.remove(at: place) }
      }
    }
    return part
  }
}
