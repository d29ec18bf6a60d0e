import Sluice
import SluiceExtras
import SluiceTesting

/// Every operator, once or in each of its ways, for the suites that run the contract over all of them.
///
/// A row names the publisher's type: ``OperatorTableTests`` compares the names with the sources.
struct OperatorRow {
  enum Trait {
    /// Keeps values that downstream has not asked for; a finish waits for them.
    case queues
    /// Makes something else of a failure, or keeps it until there is demand.
    case keepsFailure
    /// Asks upstream for everything and answers at the end.
    case folds
    /// May end before upstream does.
    case endsItself
    /// Leaves out values that were asked for.
    case drops
    /// A failure ends the program.
    case mustNotFail
    /// Subscribes to upstream only when somebody asks for something.
    case waitsForDemand
  }

  /// What an operator is made with.
  struct Context {
    let upstream: AnyPublisher<Token, Boom>
    /// As many tokens as upstream has, for operators with a second input.
    let tokens: AnyPublisher<Token, Boom>
    let scheduler: VirtualTimeScheduler
  }

  let name: String
  /// What comes out for the tokens 0 to 7.
  let output: String
  let traits: Set<Trait>
  let make: (Context) -> AnyPublisher<Any, any Error>

  static func tokens(_ count: Int) -> AnyPublisher<Token, Boom> {
    plainSequence(0..<count).map { Token($0) }.setFailureType(to: Boom.self).eraseToAnyPublisher()
  }
}

/// Each value twice.
private struct Twice: ElementProcessor {
  func receive(_ input: Token, into outputs: inout [Token]) { outputs += [input, input] }
}

/// A sequence publisher whose operators are the real ones, not those that `Publishers.Sequence` has of its own.
func plainSequence<S: Sequence>(_ sequence: S) -> AnyPublisher<S.Element, Never> {
  sequence.publisher.eraseToAnyPublisher()
}

extension OperatorRow {
  static var all: [OperatorRow] {
    var rows: [OperatorRow] = []
    func row<P: Publisher>(
      _ name: String, _ output: String, _ traits: Set<Trait> = [], _ make: @escaping (Context) -> P
    ) {
      rows.append(
        OperatorRow(name: name, output: output, traits: traits) {
          make($0).map { $0 as Any }.mapError { $0 as any Error }.eraseToAnyPublisher()
        })
    }
    let same = "0 1 2 3 4 5 6 7"

    // Changing values.
    row("Map", "1 2 3 4 5 6 7 8") { $0.upstream.map { Token($0.number + 1) } }
    row("TryMap", "1 2 3 4 5 6 7 8") { $0.upstream.tryMap { Token($0.number + 1) } }
    row("MapKeyPath", same) { $0.upstream.map(\.number) }
    row("MapKeyPath2", "(0, 0) (1, 1) (2, 2) (3, 3) (4, 4) (5, 5) (6, 6) (7, 7)") {
      $0.upstream.map(\.number, \.number)
    }
    row("MapKeyPath3", "(0, 0, 0) (1, 1, 1) (2, 2, 2) (3, 3, 3) (4, 4, 4) (5, 5, 5) (6, 6, 6) (7, 7, 7)") {
      $0.upstream.map(\.number, \.number, \.number)
    }
    row("MapError", same) { $0.upstream.mapError { $0 } }
    row("SetFailureType", same, [.mustNotFail]) { $0.upstream.assertNoFailure().setFailureType(to: Boom.self) }
    row("AssertNoFailure", same, [.mustNotFail]) { $0.upstream.assertNoFailure() }
    row("Scan", "0 1 3 6 10 15 21 28") { $0.upstream.scan(Token()) { Token($0.number + $1.number) } }
    row("TryScan", "0 1 3 6 10 15 21 28") { $0.upstream.tryScan(Token()) { Token($0.number + $1.number) } }
    row("Encode", same) { $0.upstream.map(\.number).encode(encoder: Spelling()) }
    row("Decode", same) { $0.upstream.map { "\($0.number)" }.decode(type: Int.self, decoder: Spelling()) }
    row("Nwise", "[0, 1] [1, 2] [2, 3] [3, 4] [4, 5] [5, 6] [6, 7]") { $0.upstream.pair() }
    row("HandleEvents", same) { $0.upstream.handleEvents(receiveOutput: { _ in }) }
    row("Print", same) { $0.upstream.print("", to: Silence()) }
    row("Breakpoint", same) { $0.upstream.breakpoint(receiveOutput: { _ in false }) }
    row("MeasureInterval", "0 1 1 1 1 1 1 1") {
      $0.upstream.measureInterval(using: $0.scheduler).map { $0.nanoseconds / 1_000_000 }
    }

    // Choosing values.
    row("Filter", "0 2 4 6") { $0.upstream.filter { $0.number % 2 == 0 } }
    row("TryFilter", "0 2 4 6") { $0.upstream.tryFilter { $0.number % 2 == 0 } }
    row("CompactMap", "0 2 4 6") { $0.upstream.compactMap { $0.number % 2 == 0 ? $0 : nil } }
    row("TryCompactMap", "0 2 4 6") { $0.upstream.tryCompactMap { $0.number % 2 == 0 ? $0 : nil } }
    row("RemoveDuplicates", "0 2 4 6") { $0.upstream.removeDuplicates { $0.number / 2 == $1.number / 2 } }
    row("TryRemoveDuplicates", "0 2 4 6") { $0.upstream.tryRemoveDuplicates { $0.number / 2 == $1.number / 2 } }
    row("Drop", "2 3 4 5 6 7") { $0.upstream.dropFirst(2) }
    row("DropWhile", "3 4 5 6 7") { $0.upstream.drop { $0.number < 3 } }
    row("TryDropWhile", "3 4 5 6 7") { $0.upstream.tryDrop { $0.number < 3 } }
    row("DropUntilOutput", same, [.drops]) { $0.upstream.drop(untilOutputFrom: $0.tokens) }
    row("PrefixWhile", "0 1 2", [.endsItself]) { $0.upstream.prefix { $0.number < 3 } }
    row("TryPrefixWhile", "0 1 2", [.endsItself]) { $0.upstream.tryPrefix { $0.number < 3 } }
    row("PrefixUntilOutput", same) { $0.upstream.prefix(untilOutputFrom: PassthroughSubject<Int, Never>()) }
    row("Output", "0 1 2", [.endsItself]) { $0.upstream.prefix(3) }
    row("IgnoreOutput", "", [.folds]) { $0.upstream.ignoreOutput() }
    row("ReplaceEmpty", same, [.queues]) { $0.upstream.replaceEmpty(with: Token(9)) }
    row("ReplaceError", same, [.keepsFailure]) { $0.upstream.replaceError(with: Token(9)) }

    // One value of all.
    row("Reduce", "28", [.folds]) { $0.upstream.reduce(0) { $0 + $1.number } }
    row("TryReduce", "28", [.folds]) { $0.upstream.tryReduce(0) { $0 + $1.number } }
    row("Count", "8", [.folds]) { $0.upstream.count() }
    row("Comparison", "7", [.folds]) { $0.upstream.max { $0.number < $1.number } }
    row("TryComparison", "0", [.folds]) { $0.upstream.tryMin { $0.number < $1.number } }
    row("Collect", "[0, 1, 2, 3, 4, 5, 6, 7]", [.folds]) { $0.upstream.collect() }
    row("Contains", "true", [.folds, .endsItself]) { $0.upstream.map(\.number).contains(3) }
    row("ContainsWhere", "true", [.folds, .endsItself]) { $0.upstream.contains { $0.number == 3 } }
    row("TryContainsWhere", "true", [.folds, .endsItself]) { $0.upstream.tryContains { $0.number == 3 } }
    row("AllSatisfy", "false", [.folds, .endsItself]) { $0.upstream.allSatisfy { $0.number < 3 } }
    row("TryAllSatisfy", "false", [.folds, .endsItself]) { $0.upstream.tryAllSatisfy { $0.number < 3 } }
    row("First", "0", [.folds, .endsItself]) { $0.upstream.first() }
    row("FirstWhere", "3", [.folds, .endsItself]) { $0.upstream.first { $0.number == 3 } }
    row("TryFirstWhere", "3", [.folds, .endsItself]) { $0.upstream.tryFirst { $0.number == 3 } }
    row("Last", "7", [.folds]) { $0.upstream.last() }
    row("LastWhere", "6", [.folds]) { $0.upstream.last { $0.number % 2 == 0 } }
    row("TryLastWhere", "6", [.folds]) { $0.upstream.tryLast { $0.number % 2 == 0 } }

    // Gathering, keeping, limiting.
    row("CollectByCount", "[0, 1, 2] [3, 4, 5] [6, 7]") { $0.upstream.collect(3) }
    row("CollectByTime", "[0, 1, 2] [3, 4, 5] [6, 7]") {
      $0.upstream.collect(.byTimeOrCount($0.scheduler, .seconds(1), 3))
    }
    row("Buffer", same, [.queues]) { $0.upstream.buffer(size: 64, prefetch: .keepFull, whenFull: .dropNewest) }
    row("Buffer", same, [.queues]) { $0.upstream.buffer(size: .max, prefetch: .byRequest, whenFull: .dropOldest) }
    row("Throttle", "0 1 3 5 7", [.drops]) {
      $0.upstream.throttle(for: .milliseconds(2), scheduler: $0.scheduler, latest: true)
    }
    row("Debounce", same, [.drops]) { $0.upstream.debounce(for: .microseconds(1), scheduler: $0.scheduler) }
    row("Delay", same) { $0.upstream.delay(for: .microseconds(1), scheduler: $0.scheduler) }
    row("Timeout", same) { $0.upstream.timeout(.seconds(3_600), scheduler: $0.scheduler) }
    row("ReceiveOn", same) { $0.upstream.receive(on: $0.scheduler) }
    row("SubscribeOn", same) { $0.upstream.subscribe(on: $0.scheduler) }

    // By a time and a key of the elements.
    row("KeyedThrottle", "0 1 3 5 7", [.queues]) {
      $0.upstream.throttle(for: 2, latest: true, time: { $0.number }, key: { _ in 0 })
    }
    row("KeyedThrottle", "0 1 2 3 4 5", [.queues]) {
      $0.upstream.throttle(for: 4, latest: false, time: { $0.number }, key: { $0.number % 2 })
    }
    row("KeyedCollect", "[0, 2] [1, 3] [4, 6] [5, 7]", [.queues]) {
      $0.upstream.collect(for: 4, time: { $0.number }, key: { $0.number % 2 })
    }
    row("KeyedCollect", "[0, 2, 4] [1, 3, 5] [6] [7]", [.queues]) {
      $0.upstream.collect(for: nil, count: 3, time: { $0.number }, key: { $0.number % 2 })
    }
    row("Process", "0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7", [.queues]) { $0.upstream.process(by: Twice()) }
    row("Joined", "0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7", [.queues]) { $0.upstream.map { [$0, $0] }.joined() }
    row("Joined", "0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7", [.queues]) {
      $0.upstream.map { [$0, $0] }.joined(ahead: 3)
    }
    row("KeyedBuffer", same, [.queues]) {
      $0.upstream.buffer(size: 64, key: { $0.number % 2 }, prefetch: .keepFull, whenFull: .dropNewest)
    }
    row("KeyedBuffer", same, [.queues]) {
      $0.upstream.buffer(size: .max, key: { $0.number % 2 }, prefetch: .byRequest, whenFull: .dropOldest)
    }
    row("KeyedBuffer", same) {
      $0.upstream.buffer(size: 0, key: { $0.number % 2 }, prefetch: .keepFull, whenFull: .dropNewest)
    }
    row("KeyedBuffer", same, [.drops]) {
      $0.upstream.buffer(size: 1, key: { $0.number % 2 }, prefetch: .byRequest, whenFull: .dropOldest)
    }

    // Several inputs.
    let none = Empty(outputType: Token.self, failureType: Boom.self)
    row("Merge", same, [.queues]) { $0.upstream.merge(with: none) }
    row("Merge3", same, [.queues]) { $0.upstream.merge(with: none, none) }
    row("Merge4", same, [.queues]) { $0.upstream.merge(with: none, none, none) }
    row("Merge5", same, [.queues]) { $0.upstream.merge(with: none, none, none, none) }
    row("Merge6", same, [.queues]) { $0.upstream.merge(with: none, none, none, none, none) }
    row("Merge7", same, [.queues]) { $0.upstream.merge(with: none, none, none, none, none, none) }
    row("Merge8", same, [.queues]) { $0.upstream.merge(with: none, none, none, none, none, none, none) }
    row("MergeMany", same, [.queues]) { [$0.upstream, none.eraseToAnyPublisher()].mergeAll() }
    row("Zip", "(0, 0) (1, 1) (2, 2) (3, 3) (4, 4) (5, 5) (6, 6) (7, 7)") { $0.upstream.zip($0.tokens) }
    row("Zip3", "0 3 6 9 12 15 18 21") {
      $0.upstream.zip($0.tokens, $0.tokens) { $0.number + $1.number + $2.number }
    }
    row("Zip4", "0 4 8 12 16 20 24 28") {
      $0.upstream.zip($0.tokens, $0.tokens, $0.tokens) { $0.number + $1.number + $2.number + $3.number }
    }
    row("ZipAll", "[0, 0] [1, 1] [2, 2] [3, 3] [4, 4] [5, 5] [6, 6] [7, 7]") { [$0.upstream, $0.tokens].zipAll() }
    let one = Just(Token(1)).setFailureType(to: Boom.self)
    row("CombineLatest", "1 2 3 4 5 6 7 8") { $0.upstream.combineLatest(one) { $0.number + $1.number } }
    row("CombineLatest3", "2 3 4 5 6 7 8 9") {
      $0.upstream.combineLatest(one, one) { $0.number + $1.number + $2.number }
    }
    row("CombineLatest4", "3 4 5 6 7 8 9 10") {
      $0.upstream.combineLatest(one, one, one) { $0.number + $1.number + $2.number + $3.number }
    }
    row("CombineLatestAll", "[0, 1] [1, 1] [2, 1] [3, 1] [4, 1] [5, 1] [6, 1] [7, 1]") {
      [$0.upstream, one.eraseToAnyPublisher()].combineLatestAll()
    }
    row("CombineLatest", "7 8 9 10 11 12 13 14") { $0.upstream.combineLatest($0.tokens) { $0.number + $1.number } }
    row("CombineLatestAll", "[0, 7] [1, 7] [2, 7] [3, 7] [4, 7] [5, 7] [6, 7] [7, 7]") {
      [$0.upstream, $0.tokens].combineLatestAll()
    }
    row("WithLatestFrom", "(0, 7) (1, 7) (2, 7) (3, 7) (4, 7) (5, 7) (6, 7) (7, 7)") {
      $0.upstream.withLatestFrom($0.tokens) { ($0, $1) }
    }
    row("WithLatestFrom", "(0, 1) (1, 1) (2, 1) (3, 1) (4, 1) (5, 1) (6, 1) (7, 1)") {
      $0.upstream.withLatestFrom(one) { ($0, $1) }
    }
    row(
      "WithLatestFrom",
      "(0, (1, 7)) (1, (1, 7)) (2, (1, 7)) (3, (1, 7)) (4, (1, 7)) (5, (1, 7)) (6, (1, 7)) (7, (1, 7))"
    ) {
      $0.upstream.withLatestFrom(one, $0.tokens) { ($0, $1) }
    }
    row("WithLatestFrom", "1 1 1 1 1 1 1 1") { $0.upstream.withLatestFrom(one, $0.tokens, one).map(\.0) }
    row("FlatMap", same, [.queues]) { $0.upstream.flatMap { Just($0).setFailureType(to: Boom.self) } }
    row("FlatMap", "0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7", [.queues]) {
      $0.upstream.flatMap(maxPublishers: .max(1)) { token in
        plainSequence([token, token]).setFailureType(to: Boom.self)
      }
    }
    row("SwitchToLatest", same, [.drops]) {
      $0.upstream.map { Just($0).setFailureType(to: Boom.self) }.switchToLatest()
    }
    row("Concatenate", same + " 9") { $0.upstream.append(Token(9)) }
    row("Concatenate", "9 " + same, [.keepsFailure]) { $0.upstream.prepend(Token(9)) }
    row("Catch", same, [.keepsFailure]) { $0.upstream.catch { _ in Just(Token(9)) } }
    row("TryCatch", same, [.keepsFailure]) { $0.upstream.tryCatch { _ in Just(Token(9)) } }
    row("Retry", same, [.keepsFailure]) { $0.upstream.retry(1) }

    // Shared.
    row("Multicast", same, [.drops]) { $0.upstream.multicast { PassthroughSubject() }.autoconnect() }
    row("Autoconnect", same, [.drops]) { $0.upstream.multicast(subject: PassthroughSubject()).autoconnect() }
    row("MakeConnectable", same, [.mustNotFail, .drops]) {
      $0.upstream.assertNoFailure().makeConnectable().autoconnect()
    }
    row("Share", same, [.drops]) { $0.upstream.share() }
    row("ShareReplay", same, [.queues]) { $0.upstream.shareReplay(capacity: 1_000) }

    // Parts.
    row("Part", same, [.waitsForDemand]) { $0.upstream.partition(into: 1) { _ in 0 }[0] }
    row("Part", "1 3 5 7", [.waitsForDemand]) {
      let parts = $0.upstream.partition(into: 2) { $0.number % 2 }
      // A part that is cancelled holds nothing up.
      parts[0].sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
      return parts[1]
    }

    // Hidden.
    row("AnyPublisher", same) { $0.upstream.eraseToAnyPublisher() }
    row("Deferred", same) { context in Deferred { context.upstream } }
    return rows
  }
}

private struct Silence: TextOutputStream {
  mutating func write(_ string: String) {}
}

/// Encodes an integer as it is written.
private struct Spelling: TopLevelEncoder, TopLevelDecoder {
  func encode<T: Encodable>(_ value: T) throws -> String { "\(value)" }

  func decode<T: Decodable>(_ type: T.Type, from input: String) throws -> T {
    guard let value = Int(input) as? T else { throw Boom() }
    return value
  }
}
