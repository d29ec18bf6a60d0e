import Sluice
import SluiceExtras
import SluiceTesting

/// Every publisher with several subscribers, for the suite that compares what each of them gets with a model.
struct SubjectRow {
  /// What it keeps for a subscriber that has asked for less than there is.
  /// With what the subscription to upstream, or the demand from it, begins.
  enum Start { case atOnce, withSubscriber, withRequest }
  enum Memory { case nothing, last(Int), latestFromTheStart }

  /// A subject under the hand of a test.
  struct Hub {
    let publisher: AnyPublisher<Token, Never>
    let send: (Token) -> Void
    let finish: () -> Void
    /// The present value, of those that have one.
    var value: (() -> Token)?
    var keeps: (any Cancellable)?
  }

  let name: String
  let memory: Memory
  /// Whether a subscriber gets the end as soon as its demand is used up.
  var endsWithDemand = false
  /// What is sent before goes past.
  var starts = Start.atOnce
  let make: () -> Hub

  static var all: [SubjectRow] {
    [
      SubjectRow(name: "PassthroughSubject", memory: .nothing) { hub(PassthroughSubject()) },
      SubjectRow(name: "CurrentValueSubject", memory: .latestFromTheStart) {
        let subject = CurrentValueSubject<Token, Never>(Token(-1))
        var hub = hub(subject)
        hub.value = { subject.value }
        return hub
      },
      SubjectRow(name: "CurrentValueSubject.value", memory: .latestFromTheStart) {
        let subject = CurrentValueSubject<Token, Never>(Token(-1))
        return Hub(
          publisher: subject.eraseToAnyPublisher(), send: { subject.value = $0 },
          finish: { subject.send(completion: .finished) }, value: { subject.value })
      },
      SubjectRow(name: "ReplaySubject(0)", memory: .last(0)) { hub(ReplaySubject(bufferSize: 0)) },
      SubjectRow(name: "ReplaySubject(3)", memory: .last(3)) { hub(ReplaySubject(bufferSize: 3)) },
      SubjectRow(name: "HoldValue", memory: .nothing, endsWithDemand: true) {
        let hold = HoldValue(Token(-1))
        return Hub(
          publisher: hold.eraseToAnyPublisher(), send: { hold.value = $0 }, finish: {}, value: { hold.value })
      },
      SubjectRow(name: "Share", memory: .nothing, starts: .withRequest) {
        let subject = PassthroughSubject<Token, Never>()
        // Its upstream is sent into only once there is a subscriber, who connects it.
        return hub(subject, subject.share())
      },
      SubjectRow(name: "Multicast", memory: .nothing) {
        let subject = PassthroughSubject<Token, Never>()
        let multicast = subject.multicast(subject: PassthroughSubject())
        let connection = multicast.connect()
        var hub = hub(subject, multicast)
        hub.keeps = connection
        return hub
      },
      SubjectRow(name: "MakeConnectable", memory: .nothing) {
        let subject = PassthroughSubject<Token, Never>()
        let connectable = subject.makeConnectable()
        let connection = connectable.connect()
        var hub = hub(subject, connectable)
        hub.keeps = connection
        return hub
      },
      SubjectRow(name: "Autoconnect", memory: .nothing, starts: .withRequest) {
        let subject = PassthroughSubject<Token, Never>()
        return hub(subject, subject.multicast(subject: PassthroughSubject()).autoconnect())
      },
      SubjectRow(name: "ShareReplay(3)", memory: .last(3), starts: .withSubscriber) {
        let subject = PassthroughSubject<Token, Never>()
        return hub(subject, subject.shareReplay(capacity: 3))
      },
      SubjectRow(name: "Partition", memory: .nothing, starts: .withRequest) {
        let subject = PassthroughSubject<Token, Never>()
        return hub(subject, subject.partition(into: 1) { _ in 0 }[0].share())
      },
    ]
  }

  private static func hub<S: Subject>(_ subject: S) -> Hub where S.Output == Token, S.Failure == Never {
    hub(subject, subject)
  }

  private static func hub<S: Subject, P: Publisher>(_ subject: S, _ publisher: P) -> Hub
  where S.Output == Token, S.Failure == Never, P.Output == Token, P.Failure == Never {
    Hub(
      publisher: publisher.eraseToAnyPublisher(), send: { subject.send($0) },
      finish: { subject.send(completion: .finished) })
  }

  /// What one subscriber gets, by the rules.
  struct Model {
    let row: SubjectRow
    private(set) var received: [Int] = []
    private(set) var isFinished = false
    private var waiting: [Int]
    private var demand = 0
    private var ending = false

    /// - Parameter sent: What had been sent before it subscribed.
    init(_ row: SubjectRow, sent: [Int]) {
      self.row = row
      waiting =
        switch row.memory {
        case .nothing: []
        case .last(let count): sent.suffix(count)
        case .latestFromTheStart: [sent.last ?? -1]
        }
    }

    mutating func request(_ more: Int) {
      demand += more
      settle()
    }

    mutating func send(_ value: Int) {
      guard !ending else { return }
      waiting.append(value)
      settle()
    }

    mutating func finish() {
      ending = true
      settle()
    }

    private mutating func settle() {
      while demand > 0, !waiting.isEmpty, !isFinished {
        received.append(waiting.removeFirst())
        demand -= 1
        if row.endsWithDemand, demand == 0 { isFinished = true }
      }
      switch row.memory {
      case .nothing: waiting = []
      case .last(let count): if demand == 0 { waiting = waiting.suffix(count) }
      case .latestFromTheStart: waiting = waiting.suffix(1)
      }
      guard ending, !row.endsWithDemand else { return }
      // A replay is owed whatever the end; the latest value is not.
      if case .last = row.memory { isFinished = waiting.isEmpty } else { isFinished = true }
    }
  }
}
