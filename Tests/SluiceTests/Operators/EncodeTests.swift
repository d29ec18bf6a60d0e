import Sluice
import SluiceTesting
import XCTest

/// Combine's encode and decode pass on what comes before the subscription, and nothing after the end.
final class EncodeTests: XCTestCase {
  private struct Coder: TopLevelEncoder, TopLevelDecoder {
    func encode<T: Encodable>(_ value: T) throws -> String { "\(value)" }
    func decode<T: Decodable>(_ type: T.Type, from input: String) throws -> T {
      guard let value = Int(input) as? T else { throw Boom() }
      return value
    }
  }

  private struct Hasty<Value>: Publisher {
    typealias Output = Value
    typealias Failure = Never
    let value: Value
    let ends: Bool
    func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
      _ = subscriber.receive(value)
      if ends { subscriber.receive(completion: .finished) }
      _ = subscriber.receive(value)
      subscriber.receive(completion: .finished)
    }
  }

  private func log<P: Publisher>(_ publisher: P) -> [String] {
    var log: [String] = []
    publisher.subscribe(
      AnySubscriber(
        receiveSubscription: { _ in log.append("subscription") },
        receiveValue: {
          log.append("\($0)")
          return .none
        },
        receiveCompletion: {
          if case .failure = $0 { log.append("failed") } else { log.append("finished") }
        }))
    return log
  }

  func testBeforeTheSubscription() {
    XCTAssertEqual(log(Hasty(value: 1, ends: true).encode(encoder: Coder())), ["1", "finished"])
    XCTAssertEqual(
      log(Hasty(value: "1", ends: false).decode(type: Int.self, decoder: Coder())), ["1", "1", "finished"])
    XCTAssertEqual(log(Hasty(value: "x", ends: false).decode(type: Int.self, decoder: Coder())), ["failed"])
  }
}
