import Sluice
import SluiceLive
import SluicePipeline
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// What viewers ask of a recording, each part at most as often as it costs little.
///
/// It takes the readings once for all viewers, and keeps them in memory of a fixed size.
final class RecordingWatch: @unchecked Sendable {
  // `parts`, `looked` and `stated` have their locks; the rest does not change after `init`.

  /// The parts that are offered for download, at most.
  static let mostParts = 1_000

  /// A file that can be downloaded.
  struct File {
    let number: Int
    let path: String
    /// The identity of the file when this object was made. Viewers do not get another file that is at this path later.
    let identity: FileIdentity?
    var name: String { fileName(of: path) }

    init(number: Int, path: String) {
      (self.number, self.path) = (number, path)
      identity = FileIdentity(path: path)
    }
  }

  private struct State {
    var time: UInt64
    var isControlled: Bool
    var text: String
  }

  private struct Looked {
    var time = UInt64.max
    var account: Account?
    var standing: RecordingStanding?
  }

  let recording: Recording
  let live: LiveReadings
  private let parts = Locked<(next: Int, files: [File])>((0, []))
  private let looked = Locked(Looked())
  private let stated = Locked(State?.none)
  private let taking: ReadingTaker
  private var listening: (any Cancellable)?

  init(_ recording: Recording) {
    self.recording = recording
    live = LiveReadings { [weak recording] in recording?.streams ?? [] }
    let paths = recording.filePaths.filter { $0 != "-" }
    parts.withLock { $0 = (paths.count, paths.enumerated().map { File(number: $0.offset, path: $0.element) }) }
    taking = ReadingTaker(live)
    // While somebody looks, they are taken more often.
    recording.readings.holding(65_536) { [live] in live.miss($0) }.gathered(for: .milliseconds(500)).subscribe(taking)
    listening = recording.events.sink { [weak self] in self?.take($0) }
  }

  deinit { end() }

  func end() {
    taking.cancel()
    listening?.cancel()
  }

  private func take(_ event: RecordingEvent) {
    switch event.kind {
    case .partBegan(let path):
      parts.withLock { parts in
        parts.files.append(File(number: parts.next, path: path))
        parts.next += 1
        if parts.files.count > Self.mostParts { parts.files.removeFirst() }
      }
    case .partRemoved(let path): parts.withLock { $0.files.removeAll { $0.path == path } }
    default: break
    }
    live.touch()
  }

  /// Takes the readings so far.
  func refresh() { taking.refresh() }

  var files: [File] { parts.withLock { $0.files } }

  /// The account, at most some milliseconds old.
  var account: Account { look().account ?? recording.account }
  var standing: RecordingStanding { look().standing ?? recording.standing }
  /// The account with what runs, as `sluice ctl NAME status --json` prints it too.
  var status: JSON { standing.document(account, marks: recording.marks, process: getpid()) }

  /// What a page shows besides its charts, as JSON; viewers that ask at nearly the same time get the same.
  func state(describes: Bool, isControlled: Bool) -> String {
    let now = monotonicMilliseconds()
    if !describes, let recent = stated.withLock({ $0 }), recent.isControlled == isControlled, now &- recent.time < 200 {
      return recent.text
    }
    let text = ViewerState(self, isControlled: isControlled).json(describes: describes).text
    if !describes { stated.withLock { $0 = State(time: now, isControlled: isControlled, text: text) } }
    return text
  }

  private func look() -> Looked {
    let now = monotonicMilliseconds()
    let recent = looked.withLock { $0 }
    if recent.time != .max, now &- recent.time < 200 { return recent }
    let anew = Looked(time: now, account: recording.account, standing: recording.standing)
    looked.withLock { $0 = anew }
    return anew
  }
}

/// Takes the readings of a recording without asking for each.
private final class ReadingTaker: Subscriber, Cancellable, @unchecked Sendable {
  // `subscription` has its lock.

  typealias Input = Reading
  typealias Failure = Never

  private let live: LiveReadings
  private let subscription = Locked((any ReadingSubscription)?.none)

  init(_ live: LiveReadings) { self.live = live }

  func receive(subscription: any Subscription) {
    let gathering = subscription as? any ReadingSubscription
    self.subscription.withLock { $0 = gathering }
    subscription.request(.unlimited)
  }

  func receive(_ input: Reading) -> Subscribers.Demand {
    live.take([input])
    return .none
  }

  var _takesRuns: Bool { true }

  func _receive(run: ArraySlice<Reading>) -> Operators.Taken {
    live.take(run)
    return Operators.Taken(count: run.count, demand: .none, isOver: false)
  }

  func receive(completion: Subscribers.Completion<Never>) { live.touch() }

  func refresh() { subscription.withLock { $0 }?.deliverNow() }

  func cancel() {
    let former = subscription.withLock { subscription in
      defer { subscription = nil }
      return subscription
    }
    former?.cancel()
  }
}
