import Sluice
import SluiceReadings
import SluiceRecording
import SluiceStages
import SluiceSystem
import Synchronization

extension Pipeline {
  /// The highest number of readings seen waiting in the stages. The pipeline looks when the outputs request more after
  /// a time without demand.
  package var peakHeld: Int {
    lookAtHeld()
    return mostHeld.withLock { $0 }
  }

  func lookAtHeld() {
    let held = branches.map(\.held).max() ?? 0
    mostHeld.withLock { $0 = max($0, held) }
  }

  /// The used part of the buffers in percent; nil for a trace, which waits, and for a run without a buffer. If outputs
  /// have buffers of their own, that of the output with the fullest buffers.
  package var fill: Int? {
    guard input.isLive else { return nil }
    let streams = Double(max(1, input.capacity))
    return branches.compactMap { branch in
      let capacity = Double(capacity) + Double(PipelineStages.capacity(branch.prepared.stages))
      return capacity > 0 ? min(100, Int(Double(max(0, branch.held)) / (capacity * streams) * 100)) : nil
    }.max()
  }

  /// The account of the run.
  package func account(seconds: Double) -> Account {
    var account = Account(
      command: trace == nil ? .record : .replay, streams: streamAccounts(of: nil), outputs: outputAccounts,
      losses: losses, lossesShown: input.lossCoverage, unseen: input.unseen, trace: trace,
      errors: errors.map(\.description), seconds: seconds)
    let kinds = state.withLock { $0.kinds }
    for stage in kinds where stage.leavesOut && !account.leftOutBy.contains(stage.name) {
      account.leftOutBy.append(stage.name)
    }
    for stage in kinds where stage.makes && !account.madeBy.contains(stage.name) {
      account.madeBy.append(stage.name)
    }
    account.peakHeld = peakHeld
    account.wasStopped = state.withLock { $0.stopping }
    account.reorder = input.replay?.reorder?()
    account.pace = input.replay?.pace?.account
    return account
  }

  /// By output, its counts at present, with what its own buffer dropped.
  var shares: [OutputShare] {
    let branches = branches
    return shares(branches, standings(branches))
  }

  /// The counts of a sink.
  private typealias Standing = (discarded: [Int], shares: [OutputShare])

  private func standings(_ branches: [OutputBranch]) -> [Standing] { branches.map(\.sink.standing) }

  private func shares(_ branches: [OutputBranch], _ standings: [Standing]) -> [OutputShare] {
    var shares: [Int: OutputShare] = [:]
    for (branch, standing) in zip(branches, standings) {
      for (number, share) in zip(branch.outputs, standing.shares) {
        shares[number] = branch.spill?.without(branch.dropping(share)) ?? branch.dropping(share)
      }
    }
    return shares.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The account of each stream so far.
  /// - Parameter output: The number of an output; nil for all outputs.
  func streamAccounts(of output: Int?) -> [StreamAccount] {
    let branches = branches
    let standings = standings(branches)
    let shares = shares(branches, standings)
    if let output {
      guard let index = branches.firstIndex(where: { $0.outputs.contains(output) }) else { return [] }
      return streamAccounts(branches[index], standings[index].discarded, [shares[output]], isOne: true)
    }
    let accounts = zip(branches, standings).map { branch, standing in
      streamAccounts(branch, standing.discarded, branch.outputs.map { shares[$0] }, isOne: false)
    }
    guard var all = accounts.first else { return [] }
    for (other, branch) in zip(accounts, branches).dropFirst() {
      for stream in all.indices where stream < other.count {
        let fault = all[stream].unaccounted != 0 ? all[stream].unaccounted : other[stream].unaccounted
        // Each stream counts in the output with the most readings of it, of those that were there at the start.
        if other[stream].written > all[stream].written, !branch.isLater { all[stream] = other[stream] }
        all[stream].unaccounted = fault
      }
    }
    return all
  }

  private func streamAccounts(
    _ branch: OutputBranch, _ discarded: [Int], _ shares: [OutputShare], isOne: Bool
  ) -> [StreamAccount] {
    let received = sourceStreams.more?() ?? sourceStreams.known
    let spilled = branch.spill?.counts
    return branch.streams.prefix(ledgers.count).enumerated().map { index, stream in
      let ledger = ledgers[index]
      let shared = branch.counts(of: index)
      // The sink knows a new stream only from its first reading on.
      let counts = shares.map { index < $0.counts.count ? $0.counts[index] : OutputCount() }
      let own = isOne && counts[0].dropped > 0 ? shares[0].droppedTimes : nil
      return StreamAccount(
        stream: stream.name, input: index < received.count ? received[index].name : nil,
        received: shared.received, dropped: shared.dropped,
        suppressed: branch.count(index, \.suppressed), used: branch.count(index, \.used),
        made: branch.count(index, \.made),
        discarded: index < discarded.count ? discarded[index] : 0,
        late: ledger.flagged.late.count - branch.lateBefore(index),
        droppedTimes: [shared.dropped > 0 ? ledger.droppedTimes : nil, own].compactMap { $0 },
        outputs: zip(counts, shares).map { ($0, $1.failure != nil) }, resumed: spilled?.resumed[index] ?? 0,
        held: spilled?.held[index] ?? 0, isOne: isOne)
    }
  }

  /// By output, the streams that reach it, as far as they are known.
  private func outputStreams(_ layout: Layout) -> [[StreamDescription]] {
    var streams = layout.outputs.map { _ in [StreamDescription]() }
    for branch in layout.branches { for output in branch.outputs { streams[output] = branch.streams } }
    return streams
  }

  private var outputAccounts: [OutputAccount] {
    let (failures, layout) = state.withLock { ($0.failures, $0.layout) }
    let (outputs, branches, streams) = (layout.outputs, layout.branches, outputStreams(layout))
    // If only some outputs have failed, the others get readings that never reach these.
    let lacking = branches.count == 1 ? [] : outputs.indices.map { streamAccounts(of: $0).map(\.unwritten) }
    return zip(outputs, shares).enumerated().map { number, output in
      var account = OutputAccount(
        output: output.0.path, format: type(of: output.0.format).name,
        streams: zip(streams[number], output.1.counts).enumerated().map { index, stream in
          let count = stream.1
          return OutputCount(
            stream: stream.0.name, written: count.written,
            unwritten: lacking.isEmpty ? count.unwritten : lacking[number][index], dropped: count.dropped,
            synced: min(count.synced, count.written))
        },
        ended: failures[number].flatMap { $0.error.isOfReaderThatHasGone ? $0.error.cause : nil },
        error: failures[number].flatMap { $0.error.isOfReaderThatHasGone ? nil : $0.error.description },
        since: failures[number]?.time, firstDropped: output.1.droppedTimes?.lowerBound,
        lastDropped: output.1.droppedTimes?.upperBound,
        longestSync: output.1.longestSync > 0 ? output.1.longestSync : nil)
      account.sending = output.1.sending.map { SendingAccount($0) }
      if let branch = branches.first(where: { $0.outputs.contains(number) }) {
        account.droppedByBuffer = branch.own { $0.dropped.load(ordering: .relaxed) }
        account.suppressed = branch.own { $0.suppressed.load(ordering: .relaxed) }
        account.used = branch.own { $0.used.load(ordering: .relaxed) }
        account.made = branch.own { $0.made.load(ordering: .relaxed) }
        account.spill = branch.spill?.account
      }
      return account
    }
  }

  /// By output, the flagged readings of each stream, including those that a trace does not list.
  private func flagged(_ layout: Layout) -> [[StreamFlags]] {
    let unlisted = input.replay?.unlisted ?? [:]
    var all = layout.outputs.map { _ in [StreamFlags]() }
    for branch in layout.branches {
      let flagged = branch.streams.prefix(ledgers.count).enumerated().map { index, stream in
        var flagged = branch.flags(index)
        for flag in StreamFlags.all {
          flagged[keyPath: flag].count += unlisted[ExactName(stream.name)]?[keyPath: flag].count ?? 0
        }
        return flagged
      }
      for output in branch.outputs { all[output] = flagged }
    }
    return all
  }

  /// The outcome, after the end of the run.
  package var outcome: RecordingMetadata.Outcome {
    var ended = RecordingMetadata.Instant.now()
    let layout = state.withLock { state in
      ended.time = state.endTime ?? ended.time
      return state.layout
    }
    return RecordingMetadata.Outcome(
      ended: ended, streams: outputStreams(layout), accounts: layout.outputs.indices.map { streamAccounts(of: $0) },
      flagged: flagged(layout), losses: losses,
      coverage: trace?.hasAccount ?? true ? input.lossCoverage : nil, pauses: pauses, marks: marks,
      totals: totals.withLock { $0.values.sorted { $0.stream < $1.stream } }, errors: errors,
      isTraceCutShort: state.withLock { $0.isTraceCutShort }, abandoned: abandoned(layout))
  }

  /// By output, whether it was abandoned before it was finished.
  private func abandoned(_ layout: Layout) -> [Bool] {
    var abandoned = layout.outputs.map { _ in false }
    for branch in layout.branches {
      for (output, isAbandoned) in zip(branch.outputs, branch.sink.abandoned) { abandoned[output] = isAbandoned }
    }
    return abandoned
  }
}
