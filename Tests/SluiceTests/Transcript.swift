import Sluice
import XCTest

/// Subscribes to a publisher and compares its type and all it sends with a text such as `Just<Int>: 1 finished`.
///
/// The type tells a plain publisher from an operator: what is written without a type gets what the compiler prefers.
func expect<P: Publisher>(_ publisher: P, _ expected: String, line: UInt = #line) {
  var transcript = String(reflecting: P.self)
  for qualifier in ["(extension in Sluice):", "Sluice.", "Swift.", "SluiceTests.", "Publishers."] {
    transcript = transcript.replacing(qualifier, with: "")
  }
  transcript += ":"
  _ = publisher.sink(
    receiveCompletion: {
      switch $0 {
      case .finished: transcript += " finished"
      case .failure(let error): transcript += " \(error)"
      }
    }, receiveValue: { transcript += " \($0)" })
  XCTAssertEqual(transcript, expected, line: line)
}

/// Throws for every value, of whatever form the operator wants.
func fail<A, R>(_: A) throws -> R { throw Boom() }
func fail<A, B, R>(_: A, _: B) throws -> R { throw Boom() }

/// What comparing a value with itself must not call.
func neverAsked<A>(_: A, _: A) -> Bool {
  XCTFail("there is nothing to compare")
  return false
}
