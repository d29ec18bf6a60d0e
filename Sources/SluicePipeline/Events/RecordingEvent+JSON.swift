package import SluiceReadings
import SluiceRecording

extension RecordingEvent.Kind {
  /// The names of all kinds, which programs see: `output-away`.
  package static let names = [
    "paused", "resumed", "marked", "plan-changed", "suspended", "clock-changed", "clock-exceeded", "failed",
    "source-removed",
    "source-away", "source-back", "read-failed", "settings-restored", "output-away", "output-back", "reader-left",
    "tail-cut", "damage-kept", "cut-back", "spill-full", "spill-goes-on", "spool-resumed", "spool-kept", "spool-drops",
    "spool-fault", "readings-refused", "server-warned",
    "empty-part-removed", "begun-anew", "clock-behind-rows", "newest-part-continued", "part-began", "part-ended",
    "part-removed",
    "part-kept", "partial-file-removed", "partial-file-kept", "window-shortened", "total", "notice", "detail",
  ]

  /// The names of the kinds that need somebody's attention, or say that it is no longer needed.
  package static let attentionNames = [
    "clock-exceeded", "failed", "source-removed", "source-away", "source-back", "read-failed", "settings-restored",
    "output-away", "output-back", "tail-cut", "damage-kept", "cut-back", "spill-full", "spill-goes-on", "spool-drops",
    "spool-fault", "readings-refused", "server-warned",
    "begun-anew", "clock-behind-rows", "part-kept", "window-shortened",
  ]

  /// The name, and what belongs to it.
  private var described: (name: String, members: [(String, JSON)]) {
    func path(_ path: String) -> [(String, JSON)] { [("path", .string(path))] }
    func cause(_ error: SluiceError) -> [(String, JSON)] { [("error", .string("\(error)"))] }
    func away(_ nanoseconds: Int64, _ dropped: Int) -> [(String, JSON)] {
      [("nanoseconds", .number("\(nanoseconds)")), ("dropped", .number("\(dropped)"))]
    }
    switch self {
    case .paused: return ("paused", [])
    case .resumed: return ("resumed", [])
    case .marked(let text): return ("marked", [("mark", .string(text))])
    case .planChanged(let changes):
      return ("plan-changed", [("changes", .array(changes.map { .string($0) }))])
    case .suspended: return ("suspended", [])
    case .clockChanged(let change): return ("clock-changed", [("offset", .number("\(change.offset)"))])
    case .clockExceeded(let excess): return ("clock-exceeded", [("greatest", .number("\(excess.greatest)"))])
    case .failed(let error): return ("failed", cause(error))
    case .sourceRemoved(let name, let device):
      return ("source-removed", [("source", .string(name)), ("device", .string(device))])
    case .sourceAway(let name, let error): return ("source-away", [("source", .string(name))] + cause(error))
    case .sourceBack(let name): return ("source-back", [("source", .string(name))])
    case .readFailed(let error): return ("read-failed", cause(error))
    case .settingsRestored(let device, let failure):
      return ("settings-restored", [("device", .string(device))] + (failure.map { [("error", .string($0))] } ?? []))
    case .outputAway(let file, let error, let time, let dropped):
      return ("output-away", path(file) + cause(error) + away(time, dropped))
    case .outputBack(let file, let time, let dropped): return ("output-back", path(file) + away(time, dropped))
    case .readerLeft(let file, let error): return ("reader-left", path(file) + cause(error))
    case .tailCut(let file, let bytes, _): return ("tail-cut", path(file) + [("bytes", .number("\(bytes)"))])
    case .damageKept(let file, let bytes, let offset, _):
      return ("damage-kept", path(file) + [("bytes", .number("\(bytes)")), ("from", .number("\(offset)"))])
    case .cutBack(let file, let bytes): return ("cut-back", path(file) + [("bytes", .number("\(bytes)"))])
    case .spillFull(let file, let error): return ("spill-full", path(file) + cause(error))
    case .spillGoesOn(let file): return ("spill-goes-on", path(file))
    case .spoolResumed(let file, let folder, let readings):
      return ("spool-resumed", path(file) + [("spool", .string(folder)), ("readings", JSON(readings))])
    case .spoolKept(let file, let folder, let readings):
      return ("spool-kept", path(file) + [("spool", .string(folder)), ("readings", JSON(readings))])
    case .spoolDrops(let file, let error): return ("spool-drops", path(file) + cause(error))
    case .spoolFault(let file, let error): return ("spool-fault", path(file) + cause(error))
    case .readingsRefused(let output, let error, let readings, let file):
      return (
        "readings-refused",
        path(output) + cause(error) + [("readings", JSON(readings))] + (file.map { [("file", .string($0))] } ?? [])
      )
    case .serverWarned(let output, let error): return ("server-warned", path(output) + cause(error))
    case .windowShortened(let held): return ("window-shortened", [("limit", .number("\(held)"))])
    case .emptyPartRemoved(let file): return ("empty-part-removed", path(file))
    case .begunAnew(let file): return ("begun-anew", path(file))
    case .clockBehindRows(let file, let now, let last):
      return ("clock-behind-rows", path(file) + [("now", .number("\(now)")), ("last", .number("\(last)"))])
    case .newestPartContinued(let file, let part):
      return ("newest-part-continued", path(file) + [("part", .string(part))])
    case .partBegan(let file): return ("part-began", path(file))
    case .partEnded(let file): return ("part-ended", path(file))
    case .partRemoved(let file): return ("part-removed", path(file))
    case .partKept(let error): return ("part-kept", cause(error))
    case .partialFileRemoved(let file): return ("partial-file-removed", path(file))
    case .partialFileKept(let file): return ("partial-file-kept", path(file))
    case .total: return ("total", [])
    case .notice: return ("notice", [])
    case .detail: return ("detail", [])
    }
  }

  /// The name of the kind.
  package var name: String { described.name }

  fileprivate var members: [(String, JSON)] { described.members }
}

extension RecordingEvent {
  /// The event for a program: its time, its kind, its sentence if it has one, and what belongs to the kind.
  package var json: JSON {
    .object(
      [("time_ns", .number("\(time)")), ("kind", .string(kind.name))] + kind.members
        + (kind.text.map { [("text", .string($0))] } ?? []))
  }
}
