import Foundation
import Sluice
import SluiceReadings
import SluiceTesting
import XCTest

@testable import SluiceDevices

/// Reads bytes from a pipe, each a reading.
private final class PipeReader: DescriptorReader {
  let descriptor: Int32
  let closed: XCTestExpectation
  let limits = Locked([Int]())
  let gathering: Int32
  var held: Int

  init(_ descriptor: Int32, closed: XCTestExpectation, held: Int = 1, gathering: Int32 = 0) {
    self.descriptor = descriptor
    self.closed = closed
    self.held = held
    self.gathering = gathering
  }

  /// Fulfilled when the thread looks for more after the first read: it has taken note of the demand by then.
  let looksAgain: XCTestExpectation = {
    let expectation = XCTestExpectation(description: "looks again")
    expectation.assertForOverFulfill = false
    return expectation
  }()
  var descriptors: [Int32] {
    if limits.withLock({ $0.count }) == 1 { looksAgain.fulfill() }
    return [descriptor]
  }
  var timeout: Int32 { -1 }
  var capacity: Int { 4 }

  func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError) {
    guard ready[0] else { return }
    limits.withLock { $0.append(limit) }
    var bytes = [UInt8](repeating: 0, count: min(limit, 64))
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count > 0 else { throw SluiceError(.disconnected, "read", "a pipe", because: "it is closed") }
    for byte in bytes[..<count] {
      batch.append(Reading(time: 0, stream: StreamID(0), values: Values(Int64(byte))))
    }
  }

  func finish(limit: Int, into batch: inout [Reading]) {
    let count = min(limit, held)
    held -= count
    batch += (0..<count).map { _ in Reading(time: 0, stream: StreamID(0), values: Values(-1)) }
  }

  func close() { closed.fulfill() }
}

/// Always has one reading more.
private final class EndlessReader: DescriptorReader {
  let descriptors: [Int32]
  let timeout: Int32 = -1
  let gathering: Int32 = 0
  let capacity = Int.max

  /// - Parameter descriptor: One that is readable.
  init(_ descriptor: Int32) { descriptors = [descriptor] }

  func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError) {
    batch.append(Reading(time: 0, stream: StreamID(0), values: Values(1)))
  }

  func finish(limit: Int, into batch: inout [Reading]) {}
  func close() {}
}

/// Keeps the runs that it is given as they are.
private final class RunSubscriber: Subscriber, @unchecked Sendable {
  // The lock protects the state.
  typealias Input = Reading
  typealias Failure = SluiceError

  private struct State {
    var runs: [ArraySlice<Reading>] = []
    var completion: Subscribers.Completion<SluiceError>?
    var subscription: (any Subscription)?
    var expected: [XCTestExpectation]
  }

  private let state: Locked<State>
  private let initial: Subscribers.Demand
  private let ended: XCTestExpectation

  init(initial: Subscribers.Demand = .unlimited, runs: [XCTestExpectation] = [], ended: XCTestExpectation) {
    state = Locked(State(expected: runs))
    self.initial = initial
    self.ended = ended
  }

  var numbers: [[Int64]] { state.withLock { $0.runs }.map { $0.map { $0.values[0].significand } } }
  var completion: Subscribers.Completion<SluiceError>? { state.withLock { $0.completion } }
  func request(_ demand: Subscribers.Demand) { state.withLock { $0.subscription }?.request(demand) }
  func cancel() { state.withLock { $0.subscription }?.cancel() }

  var _takesRuns: Bool { true }
  func receive(subscription: any Subscription) {
    state.withLock { $0.subscription = subscription }
    subscription.request(initial)
  }
  func receive(_ input: Reading) -> Subscribers.Demand { _receive(run: [input]).demand }
  func _receive(run: ArraySlice<Reading>) -> Operators.Taken {
    let got = state.withLock { state in
      state.runs.append(run)
      return state.expected.isEmpty ? nil : state.expected.removeFirst()
    }
    got?.fulfill()
    return Operators.Taken(count: run.count, demand: .none, isOver: false)
  }
  func receive(completion: Subscribers.Completion<SluiceError>) {
    state.withLock { $0.completion = completion }
    ended.fulfill()
  }
}

final class DescriptorSourceTests: XCTestCase {
  private func makePipe() -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    XCTAssertEqual(pipe(&ends), 0)
    return (ends[0], ends[1])
  }

  private func attach(_ reader: PipeReader, to subscriber: some Subscriber<Reading, SluiceError>) throws -> WakePipe {
    let wake = try WakePipe()
    DescriptorSource.attach("Pipe", reader, wake: wake, teardown: DispatchGroup(), to: subscriber)
    return wake
  }

  /// A run is what was read at once, as far as it is wanted; one that is kept stays as it is.
  func testARunIsWhatWasReadAtOnce() throws {
    let ends = makePipe()
    let (closed, ended) = (expectation(description: "closed"), expectation(description: "finished"))
    let (first, second) = (expectation(description: "a run"), expectation(description: "another"))
    let reader = PipeReader(ends.reading, closed: closed)
    let subscriber = RunSubscriber(initial: .max(3), runs: [first, second], ended: ended)
    let wake = try attach(reader, to: subscriber)
    XCTAssertEqual(write(ends.writing, [1, 2, 3] as [UInt8], 3), 3)
    wait(for: [first], timeout: 60)
    XCTAssertEqual(write(ends.writing, [4, 5] as [UInt8], 2), 2)
    subscriber.request(.max(2_000))
    wait(for: [second], timeout: 60)
    XCTAssertEqual(reader.limits.withLock { $0 }, [3, DescriptorSource.batchLimit])
    wake.finish()
    wait(for: [ended, closed], timeout: 60)
    XCTAssertEqual(subscriber.numbers, [[1, 2, 3], [4, 5], [-1]])
    close(ends.reading)
    close(ends.writing)
  }

  /// Two threads would share what a device has read.
  func testASecondSubscriberGetsAnError() throws {
    let ends = makePipe()
    let (closed, ended) = (expectation(description: "closed"), expectation(description: "finished"))
    let subscriber = TestSubscriber<Reading, SluiceError>(initial: .none, ended: { _ in ended.fulfill() })
    let wake = try attach(PipeReader(ends.reading, closed: closed), to: subscriber)
    let second = TestSubscriber<Reading, SluiceError>()
    var readers = 0
    func another() -> PipeReader {
      readers += 1
      return PipeReader(ends.reading, closed: closed)
    }
    DescriptorSource.attach("Pipe", another(), wake: wake, teardown: DispatchGroup(), to: second)
    XCTAssertEqual(second.failure?.code, .busy)
    XCTAssertEqual(readers, 0)
    wake.finish()
    subscriber.request(.unlimited)
    wait(for: [ended, closed], timeout: 60)
    XCTAssertEqual(subscriber.values.count, 1)
    close(ends.reading)
    close(ends.writing)
  }

  /// What gathers in the kernel when the stream is to finish came before its end; what a device that is faster than the
  /// reader makes afterwards did not.
  func testWhatTheKernelHasAtTheEndComesToo() throws {
    let ends = makePipe()
    let (closed, ended) = (expectation(description: "closed"), expectation(description: "finished"))
    let subscriber = TestSubscriber<Reading, SluiceError>(initial: .none, ended: { _ in ended.fulfill() })
    let wake = try attach(PipeReader(ends.reading, closed: closed), to: subscriber)
    XCTAssertEqual(write(ends.writing, [1, 2, 3, 4, 5] as [UInt8], 5), 5)
    wake.finish()
    subscriber.request(.max(2))
    subscriber.request(.unlimited)
    wait(for: [ended, closed], timeout: 60)
    XCTAssertEqual(subscriber.values.map { $0.values[0].significand }, [1, 2, 3, 4, -1])
    XCTAssertEqual(subscriber.violations, [])
    close(ends.reading)
    close(ends.writing)
  }

  func testAReaderWithoutEndFinishes() throws {
    let ends = makePipe()
    XCTAssertEqual(write(ends.writing, [1] as [UInt8], 1), 1)
    let ended = expectation(description: "finished")
    let subscriber = RunSubscriber(ended: ended)
    let wake = try WakePipe()
    DescriptorSource.attach(
      "Endless", EndlessReader(ends.reading), wake: wake, teardown: DispatchGroup(), to: subscriber)
    wake.finish()
    wait(for: [ended], timeout: 60)
    for descriptor in [ends.reading, ends.writing] { close(descriptor) }
  }

  func testADeviceThatIsRemovedAtTheEndIsNoFailure() throws {
    let ends = makePipe()
    let (closed, ended) = (expectation(description: "closed"), expectation(description: "finished"))
    let subscriber = TestSubscriber<Reading, SluiceError>(initial: .none, ended: { _ in ended.fulfill() })
    let wake = try attach(PipeReader(ends.reading, closed: closed), to: subscriber)
    XCTAssertEqual(write(ends.writing, [1, 2] as [UInt8], 2), 2)
    close(ends.writing)
    wake.finish()
    subscriber.request(.unlimited)
    wait(for: [ended, closed], timeout: 60)
    XCTAssertEqual(subscriber.values.map { $0.values[0].significand }, [1, 2, -1])
    XCTAssertTrue(subscriber.isFinished)
    close(ends.reading)
  }

  func testNoRunIsLongerThanARead() throws {
    let ends = makePipe()
    let (closed, ended) = (expectation(description: "closed"), expectation(description: "finished"))
    let subscriber = RunSubscriber(ended: ended)
    let wake = try attach(PipeReader(ends.reading, closed: closed, held: 3_000), to: subscriber)
    wake.finish()
    wait(for: [ended, closed], timeout: 60)
    XCTAssertEqual(subscriber.numbers.map(\.count), [1_024, 1_024, 952])
    close(ends.reading)
    close(ends.writing)
  }

  func testAFailureComesAfterTheLastRun() throws {
    let ends = makePipe()
    let (closed, failed) = (expectation(description: "closed"), expectation(description: "failed"))
    let subscriber = RunSubscriber(ended: failed)
    _ = try attach(PipeReader(ends.reading, closed: closed), to: subscriber)
    XCTAssertEqual(write(ends.writing, [1, 2] as [UInt8], 2), 2)
    close(ends.writing)
    wait(for: [failed, closed], timeout: 60)
    XCTAssertEqual(subscriber.numbers, [[1, 2]])
    guard case .failure(let error)? = subscriber.completion else { return XCTFail("no failure") }
    XCTAssertEqual(error.code, .disconnected)
    close(ends.reading)
  }

  func testReadsNoMoreThanIsWanted() throws {
    let ends = makePipe()
    let (closed, got) = (expectation(description: "closed"), expectation(description: "five"))
    let reader = PipeReader(ends.reading, closed: closed)
    let count = Locked(0)
    let subscriber = TestSubscriber<Reading, SluiceError>(initial: .none) { _ in
      if count.withLock({
        $0 += 1; return $0
      }) == 5 {
        got.fulfill()
      }
      return .none
    }
    _ = try attach(reader, to: subscriber)
    XCTAssertEqual(write(ends.writing, [1, 2, 3, 4, 5, 6, 7] as [UInt8], 7), 7)
    subscriber.request(.max(2))
    subscriber.request(.max(3))
    wait(for: [got], timeout: 60)
    XCTAssertEqual(subscriber.values.map { $0.values[0].significand }, [1, 2, 3, 4, 5])
    XCTAssertTrue(reader.limits.withLock { $0 }.allSatisfy { $0 <= 5 })
    subscriber.cancel()
    wait(for: [closed], timeout: 60)
    var left = [UInt8](repeating: 0, count: 9)
    XCTAssertEqual(read(ends.reading, &left, 9), 2, "the rest is still in the kernel")
    XCTAssertEqual(subscriber.violations, [])
    close(ends.reading)
    close(ends.writing)
  }

  func testAFailureComesAfterWhatWasRead() throws {
    let ends = makePipe()
    let (closed, failed) = (expectation(description: "closed"), expectation(description: "failed"))
    let subscriber = TestSubscriber<Reading, SluiceError>(ended: { _ in failed.fulfill() })
    _ = try attach(PipeReader(ends.reading, closed: closed), to: subscriber)
    XCTAssertEqual(write(ends.writing, [1, 2] as [UInt8], 2), 2)
    close(ends.writing)
    wait(for: [failed, closed], timeout: 60)
    XCTAssertEqual(subscriber.values.count, 2)
    XCTAssertEqual(subscriber.failure?.code, .disconnected)
    close(ends.reading)
  }

  func testCancelWakesItAtOnce() throws {
    let ends = makePipe()
    let closed = expectation(description: "closed")
    let subscriber = TestSubscriber<Reading, SluiceError>()
    _ = try attach(PipeReader(ends.reading, closed: closed), to: subscriber)
    subscriber.cancel()
    subscriber.cancel()
    wait(for: [closed], timeout: 60)
    close(ends.reading)
    close(ends.writing)
  }

  // MARK: While readings gather

  /// Long enough to fail every deadline here, in milliseconds.
  private static let hour: Int32 = 3_600_000

  private func attachGathering(
    initial: Subscribers.Demand = .unlimited, runs: [XCTestExpectation], closed: XCTestExpectation,
    ended: XCTestExpectation
  ) throws -> (reader: PipeReader, subscriber: RunSubscriber, wake: WakePipe, ends: (reading: Int32, writing: Int32)) {
    let ends = makePipe()
    let reader = PipeReader(ends.reading, closed: closed, held: 0, gathering: Self.hour)
    let subscriber = RunSubscriber(initial: initial, runs: runs, ended: ended)
    let wake = try attach(reader, to: subscriber)
    XCTAssertEqual(write(ends.writing, [1] as [UInt8], 1), 1)
    return (reader, subscriber, wake, ends)
  }

  /// What comes one by one is read together.
  func testAFinishEndsTheGathering() throws {
    let (closed, ended) = (expectation(description: "closed"), expectation(description: "finished"))
    let first = expectation(description: "the first")
    let (reader, subscriber, wake, ends) = try attachGathering(runs: [first], closed: closed, ended: ended)
    wait(for: [first], timeout: 60)
    for number in 2...4 { XCTAssertEqual(write(ends.writing, [UInt8(number)], 1), 1) }
    wake.finish()
    wait(for: [ended, closed], timeout: 60)
    XCTAssertEqual(subscriber.numbers, [[1], [2, 3, 4]])
    XCTAssertEqual(reader.limits.withLock { $0.count }, 2)
    close(ends.reading)
    close(ends.writing)
  }

  func testACancelEndsTheGathering() throws {
    let (closed, ended) = (expectation(description: "closed"), XCTestExpectation(description: "finished"))
    let first = expectation(description: "the first")
    let (_, subscriber, _, ends) = try attachGathering(runs: [first], closed: closed, ended: ended)
    wait(for: [first], timeout: 60)
    subscriber.cancel()
    wait(for: [closed], timeout: 60)
    XCTAssertNil(subscriber.completion)
    close(ends.reading)
    close(ends.writing)
  }

  /// What has gathered while nothing was wanted is read at once when it is.
  func testADemandIsMetWithoutGathering() throws {
    let (closed, ended) = (expectation(description: "closed"), expectation(description: "finished"))
    let (first, second) = (expectation(description: "the first"), expectation(description: "the second"))
    let (reader, subscriber, wake, ends) = try attachGathering(
      initial: .max(1), runs: [first, second], closed: closed, ended: ended)
    wait(for: [first, reader.looksAgain], timeout: 60)
    XCTAssertEqual(write(ends.writing, [2, 3] as [UInt8], 2), 2)
    subscriber.request(.max(1))
    wait(for: [second], timeout: 60)
    XCTAssertEqual(subscriber.numbers, [[1], [2]])
    XCTAssertEqual(reader.limits.withLock { $0 }, [1, 1])
    subscriber.request(.max(1))
    wake.finish()
    wait(for: [ended, closed], timeout: 60)
    XCTAssertEqual(subscriber.numbers, [[1], [2], [3]])
    close(ends.reading)
    close(ends.writing)
  }

  func testFinishesAfterWhatWasHeldBack() throws {
    let ends = makePipe()
    let (closed, got) = (expectation(description: "closed"), expectation(description: "a value"))
    let (ended, values) = (expectation(description: "finished"), Locked(0))
    let subscriber = TestSubscriber<Reading, SluiceError>(
      answer: { _ in
        let count = values.withLock { count in
          count += 1
          return count
        }
        if count == 1 { got.fulfill() }
        return .none
      }, ended: { _ in ended.fulfill() })
    let wake = try attach(PipeReader(ends.reading, closed: closed), to: subscriber)
    XCTAssertEqual(write(ends.writing, [1] as [UInt8], 1), 1)
    wait(for: [got], timeout: 60)
    wake.finish()
    wait(for: [ended, closed], timeout: 60)
    XCTAssertEqual(subscriber.values.map { $0.values[0].significand }, [1, -1])
    XCTAssertNil(subscriber.failure)
    XCTAssertEqual(subscriber.violations, [])
    close(ends.reading)
    close(ends.writing)
  }

  /// More than a read takes at most, wanted one at a time, all at once, or only later.
  func testNothingThatWasHeldBackIsLost() throws {
    for (initial, answer) in [(1, 1), (5_000, 0), (0, 1), (0, 0)] {
      let ends = makePipe()
      let (closed, ended) = (expectation(description: "closed"), expectation(description: "finished"))
      let subscriber = TestSubscriber<Reading, SluiceError>(
        initial: .max(initial), answer: { _ in .max(answer) }, ended: { _ in ended.fulfill() })
      let wake = try attach(PipeReader(ends.reading, closed: closed, held: 3_000), to: subscriber)
      wake.finish()
      if initial == 0 {
        XCTAssertFalse(subscriber.isFinished)
        subscriber.request(answer == 0 ? .unlimited : .max(1))
      }
      wait(for: [ended, closed], timeout: 60)
      XCTAssertEqual(subscriber.values.count, 3_000)
      XCTAssertEqual(subscriber.violations, [])
      close(ends.reading)
      close(ends.writing)
    }
  }

  func testWithNothingHeldBackItFinishesWithoutDemand() throws {
    let ends = makePipe()
    let (closed, ended) = (expectation(description: "closed"), expectation(description: "finished"))
    let subscriber = TestSubscriber<Reading, SluiceError>(initial: .none, ended: { _ in ended.fulfill() })
    try attach(PipeReader(ends.reading, closed: closed, held: 0), to: subscriber).finish()
    wait(for: [ended, closed], timeout: 60)
    close(ends.reading)
    close(ends.writing)
  }

  func testACancelEndsTheWaitForDemand() throws {
    let ends = makePipe()
    let closed = expectation(description: "closed")
    let subscriber = TestSubscriber<Reading, SluiceError>(initial: .none)
    try attach(PipeReader(ends.reading, closed: closed), to: subscriber).finish()
    subscriber.cancel()
    wait(for: [closed], timeout: 60)
    XCTAssertEqual(subscriber.values.count, 0)
    close(ends.reading)
    close(ends.writing)
  }

  func testACancelInAValueIsItsLast() throws {
    let ends = makePipe()
    let closed = expectation(description: "closed")
    let box = Locked<TestSubscriber<Reading, SluiceError>?>(nil)
    let subscriber = TestSubscriber<Reading, SluiceError>(initial: .none) { _ in
      box.withLock { $0 }?.cancel()
      return .none
    }
    box.withLock { $0 = subscriber }
    _ = try attach(PipeReader(ends.reading, closed: closed), to: subscriber)
    XCTAssertEqual(write(ends.writing, [1, 2, 3] as [UInt8], 3), 3)
    subscriber.request(.unlimited)
    wait(for: [closed], timeout: 60)
    XCTAssertEqual(subscriber.values.count, 1)
    box.withLock { $0 = nil }
    close(ends.reading)
    close(ends.writing)
  }
}
