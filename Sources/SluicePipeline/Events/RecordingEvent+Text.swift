import SluiceReadings
import SluiceRecording

extension RecordingEvent.Kind {
  /// How much attention an event needs.
  package enum Level: Equatable, Sendable {
    case detail, notice, warning, error
  }

  package var level: Level {
    switch self {
    case .failed: .error
    case .detail: .detail
    case .notice, .readerLeft, .paused, .resumed, .marked, .planChanged, .suspended, .clockChanged, .partBegan,
      .spoolResumed, .spoolKept, .partEnded,
      .partRemoved:
      .notice
    default: .warning
    }
  }

  /// The event as a sentence for the user; nil if the account or the metadata says it.
  package var text: String? {
    switch self {
    case .paused, .resumed, .marked, .suspended, .clockChanged, .partBegan, .partEnded, .partRemoved: nil
    case .planChanged(let changed): "the plan was read again; " + changed.joined(separator: "; ")
    case .clockExceeded(let excess):
      "the wall clock may be wrong by \(spanText(Double(excess.greatest))), more than --max-clock-error allows; "
        + "such times are flagged, and the metadata says when it was"
    case .failed(let error), .partKept(let error): "\(error)"
    case .sourceRemoved(let name, let device):
      "\(device.contains(name) ? device : "\(device) (\(name))") was removed; waiting for it"
    case .sourceAway(let name, let error): "still waiting for \(name): \(error)"
    case .sourceBack(let name): "\(name) is back"
    case .readFailed(let error): "\(error); trying again"
    case .settingsRestored(let device, let failure):
      "restored \(device), which an interrupted recording had left configured\(failure.map { ", but \($0)" } ?? "")"
    case .outputAway(_, let error, 0, _): "\(error); it is tried again, and readings wait for it"
    case .outputAway(_, let error, let time, let dropped):
      "\(error), for \(fixed(Double(time) / 1e9, 0)) s now; it is tried again"
        + (dropped > 0 ? "; \(Self.text(dropped: dropped)) so far" : "")
    case .outputBack(let path, let time, let dropped):
      "\(path) is written again after \(fixed(Double(time) / 1e9, 1)) s; "
        + (dropped > 0 ? Self.text(dropped: dropped) : "it has lost nothing")
    case .readerLeft(_, let error): "\(error.object) ends here: \(error.cause); the other outputs go on"
    case .tailCut(let path, _, let sentence): "\(path): cut off \(sentence)"
    case .damageKept(let path, let bytes, let offset, let cause):
      "\(path): \(grouped(Int(bytes))) bytes from byte \(grouped(Int(offset))) on are damaged and stay there: \(cause). "
        + "sluice repair \(quotedForShell(path)) takes them out"
    case .cutBack(let path, let bytes):
      "\(path): cut off the last \(grouped(Int(bytes))) bytes, because their readings are written again from the spill"
    case .spillFull(_, let error):
      "\(error); it is tried again. Until then readings wait in memory; if that is full, the oldest are dropped"
    case .spillGoesOn(let path): "the spill of \(path) takes readings again"
    case .spoolResumed(let path, let folder, let readings):
      "\(path): \(Self.counted(readings)) of an earlier run \(readings == 1 ? "is" : "are") in \(folder), and sent first"
    case .spoolKept(let path, let folder, let readings):
      "\(path): \(Self.counted(readings)) \(readings == 1 ? "waits" : "wait") in \(folder); the next run sends them, or: "
        + "sluice resend --spool \(quotedForShell(folder))"
    case .spoolDrops(_, let error): "\(error). Until then readings are dropped, and counted"
    case .spoolFault(_, let error): "\(error)"
    case .readingsRefused(_, let error, let readings, let file):
      "\(error); \(Self.counted(readings)) so far"
        + (file.map { ", which \(readings == 1 ? "is" : "are") in \($0)" } ?? "")
    case .serverWarned(_, let error): "\(error)"
    case .windowShortened(let held):
      "a window of --around begins later than BEFORE: more readings would have to wait than the \(grouped(held)) in memory "
        + "and those that its disk took; give a shorter BEFORE, or select fewer streams"
    case .emptyPartRemoved(let path): "\(path) has no row, and is removed when the next part begins"
    case .begunAnew(let path):
      "\(path) has no row, because it was cut off within its header: the file is started again"
    case .clockBehindRows(let path, let now, let last):
      "the clock says \(utcTime(now)), and the last row of \(path) is of \(utcTime(last)): the run gets a part of its own"
    case .newestPartContinued(let path, let part): "\(path) goes on in its newest part, \(part)"
    case .partialFileRemoved(let path): "\(path) is removed, because it had only a part of the trace"
    case .partialFileKept(let path):
      "\(path) has the readings before the fault; to write it again, give --force, or remove it"
    case .total(let sentence), .notice(let sentence), .detail(let sentence): sentence
    }
  }

  /// The event as a sentence, also where ``text`` is nil.
  package var sentence: String {
    if let text { return text }
    return switch self {
    case .paused: "paused"
    case .resumed: "resumed"
    case .marked(let mark): "marked: \(mark)"
    case .suspended: "the machine was suspended and runs again"
    case .clockChanged: "the wall clock was set, or has become synchronised"
    case .partBegan(let path): "\(path) begins"
    case .partEnded(let path): "\(path) is whole"
    case .partRemoved(let path): "\(path) is removed"
    default: name
    }
  }

  private static func counted(_ readings: Int) -> String { "\(grouped(readings)) reading\(readings == 1 ? "" : "s")" }

  private static func text(dropped: Int) -> String {
    dropped == 1 ? "1 reading was dropped" : "\(grouped(dropped)) readings were dropped"
  }
}
