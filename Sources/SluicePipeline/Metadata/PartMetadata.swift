import Sluice
import SluiceReadings
import SluiceRecording

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// The metadata files of parts: each is written when its part begins, and again when it has ended.
final class PartMetadata: PartObserver, @unchecked Sendable {
  // `state` has its lock; the rest does not change after `init`.

  private struct State {
    /// Looks at the run.
    var outcome: (@Sendable () -> RecordingMetadata.Outcome)?
    /// By the path of their recording, what had happened when its last part ended.
    var looks: [String: RecordingMetadata.Outcome] = [:]
    /// Those that have begun and not ended, by the path of their recording.
    var open: [String: Part] = [:]
    /// Documents that could not be written, by their paths: for example because the disk was full.
    var pending: [String: String] = [:]
    var changes = ClockChanges()
    /// By output, what `--keep` has removed.
    var removed: [Int: OutputAccount.Removed] = [:]
  }

  private let metadata: RecordingMetadata
  private let outputs: [RecordingOutput]
  private let disk: Disk
  private let clocks: any MachineClocks
  private let say: @Sendable (String) -> Void
  private let state = Locked(State())

  init(
    _ metadata: RecordingMetadata, _ outputs: [RecordingOutput], _ disk: Disk, _ clocks: any MachineClocks,
    say: @escaping @Sendable (String) -> Void
  ) {
    self.metadata = metadata
    self.outputs = outputs
    self.disk = disk
    self.clocks = clocks
    self.say = say
  }

  /// Once there is a run to look at.
  func look(_ outcome: @escaping @Sendable () -> RecordingMetadata.Outcome) { state.withLock { $0.outcome = outcome } }

  var clock: (now: Int64, isSynchronised: Bool) { (clocks.realtime, clocks.isSynchronised ?? false) }

  func began(_ part: Part) {
    let changes = state.withLock { state in
      state.open[part.series.path] = part
      return state.changes
    }
    write(part, nil, changes)
  }

  func ended(_ part: Part) {
    let (look, before, changes) = state.withLock { state in
      state.open[part.series.path] = nil
      return (state.outcome, state.looks[part.series.path], state.changes)
    }
    guard let outcome = look?() else { return }
    state.withLock { $0.looks[part.series.path] = outcome }
    write(part, outcome.since(before, written: part.written, output: part.series.output), changes)
  }

  func removed(_ name: PartName, of series: PartSeries, bytes: Int64, readings: Int?) {
    state.withLock { state in
      state.removed[series.output, default: OutputAccount.Removed()].count(bytes, readings)
      // It is gone, and what waits to be written beside it would be left alone.
      state.pending[series.path(of: name) + MetadataFile.suffix] = nil
    }
  }

  func failed(_ error: SluiceError) { say("\(error)") }

  /// By output, what `--keep` has removed.
  var removed: [Int: OutputAccount.Removed] { state.withLock { $0.removed } }

  /// During the run: says what has become of the clock.
  /// - Returns: Whether the metadata of all open parts says it.
  func update(_ changes: ClockChanges) -> Bool {
    let open = state.withLock { state in
      state.changes = changes
      return Array(state.open.values)
    }
    for part in open { write(part, nil, changes) }
    return state.withLock { $0.pending.isEmpty }
  }

  /// - Returns: The error of what could not be written.
  func end() -> SluiceError? { writePending() }

  // MARK: Documents

  private func write(_ part: Part, _ outcome: RecordingMetadata.Outcome?, _ changes: ClockChanges) {
    var metadata = metadata
    metadata.clockChanges = changes
    if let streams = outcome?.streams, streams.count > metadata.streams.count { metadata.streams = streams }
    while metadata.isWhole.count < metadata.streams.count { metadata.isWhole.append(false) }
    let output = outputs[part.series.output]
    let described = OutputFiles.Described(
      file: OutputFile(path: part.path, format: output.format, streams: part.series.streams),
      output: part.series.output, existing: .refuse, raw: output.raw, isAppended: false, part: part.name.number)
    let document = metadata.document(of: described, outcome).lines() + "\n"
    state.withLock { $0.pending[part.path + MetadataFile.suffix] = document }
    _ = writePending()
  }

  private func writePending() -> SluiceError? {
    var failure: SluiceError?
    for (path, document) in state.withLock({ $0.pending }).sorted(by: { $0.key < $1.key }) {
      do throws(SystemErrno) {
        try disk.files.replace(path, with: Array(document.utf8), syncs: disk.syncs)
        state.withLock { if $0.pending[path] == document { $0.pending[path] = nil } }
      } catch {
        failure =
          failure
          ?? SluiceError("write", path, errno: error.code, remedy: error.code == ENOSPC ? "free some space" : nil)
      }
    }
    return failure
  }
}
