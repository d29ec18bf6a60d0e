import Dispatch
import SluiceDispatch
import SluiceExtras
import SluiceTesting
import XCTest

@testable import Sluice

/// `record()`, and what waits for a value or the end. What should come comes from elsewhere; what should not come is
/// waited for as short as possible.
final class RecorderTests: XCTestCase {
  private let subject = PassthroughSubject<Int, Boom>()
  private let long = Duration.seconds(60)
  private var start = ContinuousClock.now

  override func setUp() { start = .now }

  /// A wait that is not woken finds at its limit what has come long since.
  override func tearDown() { XCTAssertLessThan(ContinuousClock.now - start, long, "a wait was not woken") }

  func testNextTakesWhatHasComeInOrder() throws {
    let recorder = (1...6).publisher.record()
    XCTAssertEqual(try recorder.next(), 1)
    XCTAssertEqual(try recorder.next(3), [2, 3, 4])
    XCTAssertEqual(try recorder.next(0), [])
    XCTAssertEqual(try recorder.next(within: .zero), 5)
    XCTAssertEqual(try recorder.elements(), [1, 2, 3, 4, 5, 6])
    XCTAssertEqual(try recorder.next(), 6)
    try recorder.finished()
    XCTAssertEqual(try recorder.completion(), .finished)
  }

  func testItAsksForWhatItIsToldToAskFor() throws {
    let upstream = TestPublisher<Int, Never>()
    let recorder = upstream.record(initial: .max(1))
    recorder.request(.max(2))
    XCTAssertEqual(upstream.requests, [.max(1), .max(2)])
    XCTAssertEqual((1...3).publisher.record().values, [1, 2, 3], "everything, unless it is told")
  }

  // MARK: From elsewhere

  func testOnTheMainThreadWhatComesFromAQueue() throws {
    let recorder = subject.record()
    DispatchQueue.global().async { [subject] in for value in 1...3 { subject.send(value) } }
    XCTAssertEqual(try recorder.next(2, within: long), [1, 2])
    DispatchQueue.global().async { [subject] in subject.send(completion: .failure(Boom())) }
    XCTAssertEqual(try recorder.completion(within: long), .failure(Boom()))
  }

  func testOnTheMainThreadWhatComesOnTheMainQueue() throws {
    let recorder = (1...3).publisher.receive(on: DispatchQueue.main).record()
    XCTAssertEqual(recorder.values, [])
    XCTAssertEqual(try recorder.elements(within: long), [1, 2, 3])
  }

  func testOnAnotherThread() {
    let recorder = subject.record()
    let results = Locked<[String]>([])
    onThreads(2) { [long, subject] number in
      if number == 0 {
        for value in 1...100 { subject.send(value) }
        subject.send(completion: .finished)
      } else {
        let result = Result { try recorder.next(100, within: long) }
        results.withLock { $0.append("\(result.map(\.count))") }
        let end = Result { try recorder.finished(within: long) }
        results.withLock { $0.append("\(end)") }
      }
    }
    XCTAssertEqual(results.withLock { $0 }, ["success(100)", "success()"])
  }

  func testInAnAsynchronousTest() async throws {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.record()
    DispatchQueue.global().async { for value in 1...3 { subject.send(value) } }
    let first = try await recorder.next(within: long)
    let others = try await recorder.next(2, within: long)
    XCTAssertEqual([first] + others, [1, 2, 3])
    DispatchQueue.global().async { subject.send(completion: .finished) }
    try await recorder.finished(within: long)
    let (elements, completion) = (try await recorder.elements(), try await recorder.completion())
    XCTAssertEqual(elements, [1, 2, 3])
    XCTAssertEqual(completion, .finished)
  }

  @MainActor func testOnTheMainActorWhatComesOnTheMainQueue() async throws {
    let recorder = (1...3).publisher.receive(on: DispatchQueue.main).record()
    let values = try await recorder.next(3, within: long)
    XCTAssertEqual(values, [1, 2, 3])
  }

  // MARK: What does not come

  func testASentenceSaysWhatCameInTime() {
    let soon = Duration.milliseconds(1)
    let recorder = subject.record()
    XCTAssertEqual(
      message { try recorder.next(within: soon) }, "awaited value 1 within 0.001 seconds; no value came until then")
    XCTAssertEqual(
      message { try recorder.finished(within: .zero) },
      "awaited that the stream finishes within 0.0 seconds; no value came until then")
    subject.send(7)
    XCTAssertEqual(
      message { try recorder.next(2, within: soon) },
      "awaited values 1 to 2 within 0.001 seconds; 1 value (7) came until then")
    XCTAssertEqual(try recorder.next(), 7, "those that came are kept")
    subject.send(8)
    XCTAssertEqual(
      message { try recorder.next(2, within: soon) },
      "awaited values 2 to 3 within 0.001 seconds; 2 values (7, 8) came until then")
    XCTAssertEqual(
      message { try recorder.completion(within: soon) },
      "awaited the end within 0.001 seconds; 2 values (7, 8) came until then")
    for value in 9...20 { subject.send(value) }
    XCTAssertEqual(
      message { try recorder.elements(within: soon) },
      "awaited that the stream finishes within 0.001 seconds; "
        + "14 values (the last are 11, 12, 13, 14, 15, 16, 17, 18, 19, 20) came until then")
    recorder.cancel()
    XCTAssertEqual(
      message { try recorder.next(15, within: .zero) },
      "awaited values 2 to 16 within 0.0 seconds; it was cancelled, after 14 values "
        + "(the last are 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)")
  }

  func testASentenceSaysThatMoreHadToBeAskedFor() {
    let recorder = (1...3).publisher.record(initial: .max(1))
    XCTAssertEqual(
      message { try recorder.elements(within: .zero) },
      "awaited that the stream finishes within 0.0 seconds; 1 value (1) came until then, and no more were asked for")
    XCTAssertEqual(
      message { try TestSubscriber<Int, Never>().next(within: .zero) },
      "awaited value 1 within 0.0 seconds; it has no subscription")
  }

  /// At once: the limit does not matter.
  func testASentenceSaysHowTheStreamEnded() {
    let finished = (1...2).publisher.record()
    XCTAssertEqual(
      message { try finished.next(3, within: long) },
      "awaited values 1 to 3; the stream finished before, after 2 values (1, 2)")
    let empty = Empty<Int, Never>().record()
    XCTAssertEqual(
      message { try empty.next(within: long) }, "awaited value 1; the stream finished before, without a value")
    let failed = Just(1).setFailureType(to: Boom.self).append(Fail(error: Boom())).record()
    XCTAssertEqual(
      message { try failed.finished(within: long) },
      "awaited that the stream finishes; it failed with Boom(), after 1 value (1)")
    XCTAssertEqual(
      message { try failed.next(2, within: long) },
      "awaited values 1 to 2; the stream failed with Boom(), after 1 value (1)")
  }

  func testTheSameSentenceInAnAsynchronousTest() async {
    let recorder = PassthroughSubject<Int, Never>().record()
    do {
      _ = try await recorder.next(within: .milliseconds(1))
      XCTFail("nothing came")
    } catch {
      XCTAssertEqual("\(error)", "awaited value 1 within 0.001 seconds; no value came until then")
    }
  }

  private func message<R>(_ body: () throws -> R) -> String {
    do { return "no error: \(try body())" } catch { return "\(error)" }
  }
}
