import Sluice
import SluiceExtras
import SluiceTesting

/// Everything that ends a chain, for the suite that holds all of them to the same rules.
struct SinkRow {
  /// What it asks for with its subscription.
  let asks: Subscribers.Demand
  let name: String
  /// Whether it tells of the end.
  var tellsTheEnd = true
  /// - Returns: What cancels it.
  let attach:
    (AnyPublisher<Token, Never>, _ value: @escaping (Token) -> Void, _ end: @escaping () -> Void) ->
      any Cancellable

  static var all: [SinkRow] {
    [
      SinkRow(asks: .unlimited, name: "sink") { publisher, value, end in
        publisher.sink(receiveCompletion: { _ in end() }, receiveValue: value)
      },
      SinkRow(asks: .unlimited, name: "Subscribers.Sink") { publisher, value, end in
        let sink = Subscribers.Sink<Token, Never>(receiveCompletion: { _ in end() }, receiveValue: value)
        publisher.subscribe(sink)
        return sink
      },
      SinkRow(asks: .unlimited, name: "assign", tellsTheEnd: false) { publisher, value, _ in
        publisher.assign(to: \.token, on: Target(value))
      },
      SinkRow(asks: .max(1), name: "pausableSink") { publisher, value, end in
        publisher.pausableSink(receiveCompletion: { _ in end() }) {
          value($0)
          return true
        }
      },
      SinkRow(asks: .unlimited, name: "subscribe(subject)") { publisher, value, end in
        let subject = PassthroughSubject<Token, Never>()
        let listening = subject.sink(receiveCompletion: { _ in end() }, receiveValue: value)
        let feeding = publisher.subscribe(subject)
        return AnyCancellable {
          feeding.cancel()
          withExtendedLifetime((subject, listening)) {}
        }
      },
      SinkRow(asks: .unlimited, name: "partition") { publisher, value, end in
        publisher.partition(into: 1) { _ in 0 }[0].sink(receiveCompletion: { _ in end() }, receiveValue: value)
      },
      SinkRow(asks: .unlimited, name: "partition, the other part cancelled") { publisher, value, end in
        let parts = publisher.partition(into: 2) { _ in 1 }
        parts[0].sink { _ in }.cancel()
        return parts[1].sink(receiveCompletion: { _ in end() }, receiveValue: value)
      },
    ]
  }

  private final class Target {
    let write: (Token) -> Void
    var token = Token() { didSet { write(token) } }
    init(_ write: @escaping (Token) -> Void) { self.write = write }
  }
}
