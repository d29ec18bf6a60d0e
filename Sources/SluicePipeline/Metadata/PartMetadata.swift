import Sluice
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// The metadata files of parts. Each is written when its part begins, and again after the part has ended. Room for the
/// last file of a recording is kept from the beginning, because at the end the disk may be full.
final class PartMetadata: PartObserver, @unchecked Sendable {
  // `state` has its mutex, even while documents are written, so that the documents of one part keep their order: each
  // output and the clock have their own threads. The rest does not change after `init`.

  private struct State {
    var metadata: RecordingMetadata
    var outputs: [RecordingOutput]
    /// By output, what was counted before it began; only of those that came while the recording ran.
    var before: [Int: RecordingMetadata.Outcome] = [:]
    /// Returns the outcome so far; nil after the run was released.
    var outcome: (@Sendable () -> RecordingMetadata.Outcome?)?
    /// The counts of a recording at the end of its last part, by the path of the recording.
    var looks: [ExactName: RecordingMetadata.Outcome] = [:]
    /// The open parts, by the path of the recording.
    var open: [ExactName: Part] = [:]
    /// The last part that has ended, by the path of the recording, and the outcome before it.
    var last: [ExactName: (part: Part, before: RecordingMetadata.Outcome?)] = [:]
    /// Documents that could not be written, by path, for example because the disk was full.
    var pending: [ExactName: String] = [:]
    /// The room for the last document of a recording, with its bytes, by its path.
    var rooms: [ExactName: (room: KeptRoom, bytes: Int)] = [:]
    var changes = ClockChanges()
    /// By output, the parts that `--keep` removed.
    var removed: [Int: OutputAccount.Removed] = [:]

    /// The outcome up to the end of the last part of a recording.
    func earlier(_ series: PartSeries) -> RecordingMetadata.Outcome? {
      looks[ExactName(series.path)] ?? before[series.output]
    }
  }

  private let disk: Disk
  private let clocks: any MachineClocks
  private let events: RecordingEvents
  private let state: PriorityInheritanceMutex<State>

  init(
    _ metadata: RecordingMetadata, _ outputs: [RecordingOutput], _ disk: Disk, _ clocks: any MachineClocks,
    _ events: RecordingEvents
  ) {
    state = PriorityInheritanceMutex(State(metadata: metadata, outputs: outputs))
    self.disk = disk
    self.clocks = clocks
    self.events = events
  }

  /// Sets the closure that returns the outcome, once there is a run.
  func look(_ outcome: @escaping @Sendable () -> RecordingMetadata.Outcome?) {
    state.withLock { $0.outcome = outcome }
  }

  /// Takes over a plan that was changed while the recording ran, with its new outputs.
  /// - Parameters:
  ///   - metadata: The metadata with the streams of all outputs.
  ///   - outcome: The outcome so far, from which the new outputs begin.
  func take(_ metadata: RecordingMetadata, _ outputs: [RecordingOutput], since outcome: RecordingMetadata.Outcome) {
    state.withLock { state in
      for number in state.outputs.count..<max(state.outputs.count, outputs.count) { state.before[number] = outcome }
      (state.metadata, state.outputs) = (metadata, outputs)
    }
  }

  /// Takes over a plan that was changed while the recording ran.
  func take(_ plan: RecordingMetadata.WrittenPlan, _ changes: [RecordingMetadata.PlanChange]) {
    state.withLock { ($0.metadata.plan, $0.metadata.planChanges) = (plan, changes) }
  }

  var clock: (now: Int64, isSynchronised: Bool) { (clocks.realtime, clocks.isSynchronised ?? false) }

  func began(_ part: Part) {
    state.withLock { state in
      state.open[ExactName(part.series.path)] = part
      write(part, nil, &state)
      keepRoom(for: part, &state)
    }
    events.send(.partBegan(path: part.path))
  }

  func ended(_ part: Part) {
    state.withLock { state in
      let path = ExactName(part.series.path)
      state.open[path] = nil
      guard var outcome = state.outcome?() else { return }
      outcome.ended.errors = clocks.quality?.errors
      // If the run is killed now, the next run sees that it did not end here.
      for index in outcome.totals.indices { outcome.totals[index].goesOn = true }
      let before = state.earlier(part.series)
      state.last[path] = (part, before)
      let (counted, output) = (part.outcome(outcome, since: before, isLast: false), part.series.output)
      state.looks[path] = outcome.counted(in: counted, after: before, output: output)
      write(part, counted, &state)
    }
    events.send(.partEnded(path: part.path))
  }

  func removed(_ name: PartName, of series: PartSeries, bytes: Int64, readings: Int?) {
    state.withLock { state in
      state.removed[series.output, default: OutputAccount.Removed()].count(bytes, readings)
      // The part is gone, so its metadata must not be written later.
      state.pending[ExactName(series.path(of: name) + MetadataFile.suffix)] = nil
    }
    events.send(.partRemoved(path: series.path(of: name)))
  }

  func failed(_ error: SluiceError) { events.send(.partKept(error)) }

  /// By output, the parts that `--keep` removed.
  var removed: [Int: OutputAccount.Removed] { state.withLock { $0.removed } }

  /// Writes the changes of the clock and the marks during the run.
  /// - Parameter changes: The changes so far; nil if there are no new ones.
  /// - Returns: Whether the metadata of all open parts has them.
  func update(_ changes: ClockChanges? = nil) -> Bool {
    state.withLock { state in
      if let changes { state.changes = changes }
      for part in state.open.values {
        write(part, nil, &state)
        keepRoom(for: part, &state)
      }
      return state.pending.isEmpty
    }
  }

  /// Adds everything after the end of the last parts to their metadata. Call it after the end of the run.
  /// - Returns: The error of a document that could not be written.
  func end(_ outcome: RecordingMetadata.Outcome) -> SluiceError? {
    state.withLock { state in
      // The end of a part may still wait for the disk. Everything that no part before it has written is in it.
      for (path, var part) in state.open {
        let before = state.earlier(part.series)
        part.written = outcome.written(since: before, output: part.series.output)
        state.last[path] = (part, before)
      }
      // What a part reports after this is in its metadata already.
      (state.open, state.outcome) = ([:], nil)
      for (path, last) in state.last {
        let part = last.part.outcome(outcome, since: last.before, isLast: true)
        write(last.part, part, &state)
        if let room = state.rooms[path]?.room { writeLast(last.part, part, room, &state) }
      }
      for room in state.rooms.values { room.room.remove() }
      return writePending(&state)
    }
  }

  /// Writes the last document of a recording, which was not written because the disk is full, into the room for it.
  private func writeLast(_ part: Part, _ outcome: RecordingMetadata.Outcome, _ room: KeptRoom, _ state: inout State) {
    let path = part.path + MetadataFile.suffix
    guard let document = state.pending[ExactName(path)] else { return }
    let short = self.document(of: part, outcome.withoutTimes, state)
    do throws(SystemErrno) {
      try disk.files.replace(
        path, with: Array(document.utf8), room, short: { Array(short.utf8) }, syncs: disk.syncs)
      state.pending[ExactName(path)] = nil
    } catch {
      // The document stays pending, so its error is reported with the pending documents.
    }
  }

  /// Takes room, or more of it if the document has outgrown what there is.
  private func keepRoom(for part: Part, _ state: inout State) {
    let path = ExactName(part.series.path)
    guard state.pending[ExactName(part.path + MetadataFile.suffix)] == nil else { return }
    let document = document(of: part, nil, state)
    let (known, least) = (state.rooms[path]?.bytes ?? 0, MetadataFile.leastRoom(for: document))
    guard known < least else { return }
    if known == 0 { removeRooms(beside: part.series) }
    let room = state.rooms[path]?.room ?? KeptRoom(part.series.file + MetadataFile.suffix, disk.files)
    // If there is no room, the recording goes on.
    guard let bytes = try? room.take(MetadataFile.room(for: document), least: least, known: known) else { return }
    state.rooms[path] = (room, bytes)
  }

  /// Removes the room that killed runs have left beside a part, if they continued this part and began no other.
  private func removeRooms(beside series: PartSeries) {
    let names = Set((try? disk.files.names(in: folder(of: series.file))) ?? [])
    for part in (try? series.parts(disk.files)) ?? [] {
      let path = series.path(of: part) + MetadataFile.suffix
      if names.contains(fileName(of: path) + KeptRoom.ending) { KeptRoom(path, disk.files).remove() }
    }
  }

  // MARK: Documents

  private func write(_ part: Part, _ outcome: RecordingMetadata.Outcome?, _ state: inout State) {
    state.pending[ExactName(part.path + MetadataFile.suffix)] = document(of: part, outcome, state)
    _ = writePending(&state)
  }

  private func document(of part: Part, _ outcome: RecordingMetadata.Outcome?, _ state: State) -> String {
    var metadata = state.metadata
    metadata.clockChanges = state.changes
    if outcome == nil, let now = state.outcome?() {
      metadata.totals = now.totals
      metadata.marks = Array(now.marks.dropFirst(state.earlier(part.series)?.marks.count ?? 0))
    }
    var streams = part.series.streams
    let number = part.series.output
    if let outcome, streams == metadata.streams[number].indices {
      // The trace names these streams only in its rows.
      metadata = metadata.with(outcome.streams)
      streams = outcome.streams[number].indices
    }
    let output = state.outputs[number]
    let described = OutputFiles.Described(
      file: OutputFile(path: part.path, format: output.format, streams: streams),
      output: number, existing: .refuse, raw: output.raw, style: output.style, isAppended: false,
      part: part.name.number)
    return metadata.document(of: described, outcome).text
  }

  private func writePending(_ state: inout State) -> SluiceError? {
    var failure: SluiceError?
    for (name, document) in state.pending.sorted(by: { $0.key.text < $1.key.text }) {
      let path = name.text
      do throws(SystemErrno) {
        try disk.files.replace(path, with: Array(document.utf8), syncs: disk.syncs)
        state.pending[name] = nil
      } catch {
        failure =
          failure
          ?? SluiceError("write", path, errno: error.code, remedy: error.code == ENOSPC ? "free some space" : nil)
      }
    }
    return failure
  }
}

extension Part {
  /// The outcome of this part.
  /// - Parameters:
  ///   - before: The counts of the parts before it.
  ///   - isLast: Whether the run has ended with this part.
  fileprivate func outcome(
    _ outcome: RecordingMetadata.Outcome, since before: RecordingMetadata.Outcome?, isLast: Bool
  ) -> RecordingMetadata.Outcome {
    var outcome = outcome.since(before, written: written, output: series.output, isLast: isLast)
    // The run continues with the error, and reports it only later.
    if let failure, !outcome.errors.contains(failure) { outcome.errors.append(failure) }
    return outcome
  }
}
