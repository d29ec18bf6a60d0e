import Dispatch
import PublisherRules
import Sluice
import SluiceExtras
import SluiceTesting

/// The publishers of Sluice and SluiceExtras that are no operators.
extension SourceRow {
  static var all: [SourceRow] {
    var rows: [SourceRow] = []
    func row(
      _ name: String, _ output: String, _ traits: Set<Trait> = [], _ place: Place = .here, many: Int = 20_000,
      _ make: @escaping (Int) -> Source
    ) {
      rows.append(SourceRow(name, output, traits, place, many: many, make: make))
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
    row("ObservableObjectPublisher", "0 0 0", [.ignoresDemand]) { count in
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

    // From other threads.
    func timer(
      _ count: Int, _ times: Subscribers.Demand, _ make: (Publishers.DispatchTimer) -> AnyPublisher<Void, Never>
    ) -> Source {
      let queue = DispatchQueue(label: "timer")
      let timer = Publishers.timer(queue: queue, interval: .microseconds(500), times: times)
      return Source(
        make(timer).scan(-1) { number, _ in number + 1 }.map { Token($0) }, keeping: [queue],
        // On the same queue, which is serial.
        settle: {
          try? Publishers.timer(queue: queue, interval: .microseconds(500), times: .max(2)).record().finished(
            within: .seconds(60))
        })
    }
    row("DispatchTimer", "0 1 2 finished", [], .elsewhere, many: 200) { count in
      timer(count, .max(count)) { $0.map { _ in }.eraseToAnyPublisher() }
    }
    row("DispatchTimer", "finished", [], .elsewhere) { timer($0, .none) { $0.map { _ in }.eraseToAnyPublisher() } }
    row("Ticks", "0 1 2", [.endless], .elsewhere, many: 200) { count in
      timer(count, .unlimited) { $0.ticks.map { _ in }.eraseToAnyPublisher() }
    }
    func sequence<Elements: AsyncSequence & Sendable>(_ elements: Elements) -> Source where Elements.Element: Sendable {
      Source(Publishers.AsyncElements(elements), settle: someTurnsOfTasks)
    }
    row("AsyncElements", "0 1 2 finished", [], .elsewhere) { sequence(AsyncTokens(count: $0, end: .finish)) }
    row("AsyncElements", "0 1 2 failed", [], .elsewhere) { sequence(AsyncTokens(count: $0, end: .fail)) }
    row("AsyncElements", "0 1 2", [], .elsewhere) { sequence(AsyncTokens(count: $0, end: .never)) }
    row("AsyncPublisher", "0 1 2 finished", [], .elsewhere) { sequence(tokens($0).publisher.values) }
    row("AsyncThrowingPublisher", "0 1 2 failed", [], .elsewhere) {
      sequence(Record(output: tokens($0), completion: .failure(Boom())).values)
    }
    return rows
  }

  /// What was resumed before has run, or nearly so.
  private static func someTurnsOfTasks() {
    for _ in 0..<20 {
      let done = DispatchSemaphore(value: 0)
      Task { done.signal() }
      guard done.wait(timeout: .now() + 60) == .success else { return }
    }
  }

  private struct AsyncTokens: AsyncSequence, Sendable {
    typealias Element = Token
    enum End { case finish, fail, never }
    struct Iterator: AsyncIteratorProtocol {
      let tokens: AsyncTokens
      var number = 0

      mutating func next() async throws -> Token? {
        await Task.yield()
        guard number == tokens.count else {
          defer { number += 1 }
          return Token(number)
        }
        switch tokens.end {
        case .finish: return nil
        case .fail: throw Boom()
        case .never:
          // Until it is cancelled.
          try await Task.sleep(for: .seconds(3_600))
          return nil
        }
      }
    }
    let count: Int
    let end: End
    func makeAsyncIterator() -> Iterator { Iterator(tokens: self) }
  }

  private final class Observed: ObservableObject {
    @Published var token = Token(0)
  }
}
