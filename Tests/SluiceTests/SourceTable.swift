import Sluice
import SluiceExtras

/// Every publisher that is no operator, and what becomes of one that is shared, for the suite that holds all of them to the
/// same rules.
struct SourceRow {
  enum Trait {
    /// It has an end and nothing else, which comes with an empty subscription: there is nothing to cancel.
    case onlyEnds
    /// Publishes whatever the demand.
    case ignoresDemand
  }

  struct Source {
    let publisher: AnyPublisher<Any, any Error>
    /// Makes it send what it does not send by itself.
    let drive: () -> Void

    init<P: Publisher>(_ publisher: P, drive: @escaping () -> Void = {}) {
      self.publisher = publisher.map { $0 as Any }.mapError { $0 as any Error }.eraseToAnyPublisher()
      self.drive = drive
    }
  }

  /// The file that declares it: ``SourceTableTests`` compares the names with the sources.
  let name: String
  /// What comes if everything is wanted, of three values where there may be so many.
  let output: String
  let traits: Set<Trait>
  let make: (_ count: Int) -> Source

  static var all: [SourceRow] {
    var rows: [SourceRow] = []
    func row(_ name: String, _ output: String, _ traits: Set<Trait> = [], _ make: @escaping (Int) -> Source) {
      rows.append(SourceRow(name: name, output: output, traits: traits, make: make))
    }
    func tokens(_ count: Int) -> [Token] { (0..<count).map { Token($0) } }
    func upstream(_ count: Int) -> AnyPublisher<Token, Boom> { OperatorRow.tokens(count) }
    func sending<S: Subject>(_ subject: S, _ count: Int, from first: Int = 0) -> Source
    where S.Output == Token, S.Failure == Boom {
      Source(subject) {
        for number in first..<count { subject.send(Token(number)) }
        subject.send(completion: .finished)
      }
    }

    // Cold.
    row("Just", "0 finished") { _ in Source(Just(Token(0))) }
    row("Empty", "finished", [.onlyEnds]) { _ in Source(Empty<Token, Boom>()) }
    row("Empty", "") { _ in Source(Empty<Token, Boom>(completeImmediately: false)) }
    row("Fail", "failed", [.onlyEnds]) { _ in Source(Fail<Token, Boom>(error: Boom())) }
    row("Optional", "0 finished") { _ in Source(Optional(Token(0)).publisher) }
    row("Optional", "finished", [.onlyEnds]) { _ in Source(Optional<Token>.none.publisher) }
    row("Result", "0 finished") { _ in Source(Result<Token, Boom>.success(Token(0)).publisher) }
    row("Result", "failed", [.onlyEnds]) { _ in Source(Result<Token, Boom>.failure(Boom()).publisher) }
    row("Sequence", "0 1 2 finished") { Source(tokens($0).publisher) }
    row("Sequence", "0 1 2 finished") { count in
      Source((0..<count).lazy.map { Token($0) }.publisher)
    }
    row("Record", "0 1 2 finished") { Source(Record<Token, Boom>(output: tokens($0), completion: .finished)) }
    row("Record", "0 1 2 failed") { Source(Record(output: tokens($0), completion: .failure(Boom()))) }
    row("Deferred", "0 1 2 finished") { count in Source(Deferred { upstream(count) }) }
    row("AnyPublisher", "0 1 2 finished") { Source(upstream($0)) }
    row("Future", "0 finished") { _ in Source(Future<Token, Boom> { $0(.success(Token(0))) }) }

    // Hot.
    row("Future", "0 finished") { _ in
      let promise = Locked(Future<Token, Boom>.Promise?.none)
      return Source(Future<Token, Boom> { kept in promise.withLock { $0 = kept } }) {
        promise.withLock { $0 }?(.success(Token(0)))
      }
    }
    row("Future", "failed") { _ in
      let promise = Locked(Future<Token, Boom>.Promise?.none)
      return Source(Future<Token, Boom> { kept in promise.withLock { $0 = kept } }) {
        promise.withLock { $0 }?(.failure(Boom()))
      }
    }
    row("PassthroughSubject", "0 1 2 finished") { sending(PassthroughSubject(), $0) }
    row("CurrentValueSubject", "0 1 2 finished") { sending(CurrentValueSubject(Token(0)), $0, from: 1) }
    row("ReplaySubject", "0 1 2 finished") { sending(ReplaySubject(bufferSize: 3), $0) }
    row("HoldValue", "0 1 2") { count in
      let value = HoldValue(Token(-1))
      return Source(value) { for number in 0..<count { value.value = Token(number) } }
    }
    row("Published", "0 1 2") { count in
      let object = Observed()
      return Source(object.$token) { for number in 1..<count { object.token = Token(number) } }
    }
    row("ObservableObject", "0 0 0", [.ignoresDemand]) { count in
      let publisher = ObservableObjectPublisher()
      return Source(publisher.map { Token(0) }) { for _ in 0..<count { publisher.send() } }
    }

    // Shared: begins when it is connected, or with its first subscriber.
    row("Multicast", "0 1 2 finished") { count in
      let multicast = upstream(count).multicast { PassthroughSubject() }
      let connection = Locked<(any Cancellable)?>(nil)
      return Source(multicast) {
        let new = multicast.connect()
        connection.withLock { $0 = new }
      }
    }
    row("MakeConnectable", "0 1 2 finished") { count in
      let connectable = upstream(count).assertNoFailure().makeConnectable()
      let connection = Locked<(any Cancellable)?>(nil)
      return Source(connectable) {
        let new = connectable.connect()
        connection.withLock { $0 = new }
      }
    }
    row("Autoconnect", "0 1 2 finished") { count in
      let subject = PassthroughSubject<Token, Boom>()
      return Source(subject.multicast(subject: PassthroughSubject()).autoconnect()) {
        for number in 0..<count { subject.send(Token(number)) }
        subject.send(completion: .finished)
      }
    }
    row("Share", "0 1 2 finished") { count in
      let subject = PassthroughSubject<Token, Boom>()
      return Source(subject.share()) {
        for number in 0..<count { subject.send(Token(number)) }
        subject.send(completion: .finished)
      }
    }
    row("ShareReplay", "0 1 2 finished") { Source(upstream($0).shareReplay(capacity: $0)) }
    return rows
  }

  private final class Observed: ObservableObject {
    @Published var token = Token(0)
  }
}
