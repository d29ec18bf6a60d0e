import SluiceRecording
import SluiceTesting
import XCTest

@testable import Sluice
@testable import SluiceTool

final class BlockBufferTests: XCTestCase {
  private func block(_ numbers: Range<Int>) -> ArraySlice<Reading> {
    numbers.map { Reading(time: Int64($0), stream: StreamID(0), values: Values(Int64($0))) }[...]
  }

  private func numbers(_ readings: some Sequence<Reading>) -> [Int] { readings.map { Int($0.time) } }

  /// All that the core does now: its blocks, and whether it ends.
  private func take(_ core: inout BlockBufferCore) -> (blocks: [[Int]], ended: Bool) {
    var (blocks, out) = ([[Int]](), Outbox<BlockBufferCore>())
    while let action = core.next(&out) {
      guard action == .deliver, let output = out.output else { return (blocks, action == .complete) }
      blocks.append(numbers(output))
    }
    return (blocks, false)
  }

  func testWhatIsWantedGoesOnAsItCame() {
    var core = BlockBufferCore(size: 2, dropsOldest: true)
    XCTAssertEqual(core.prefetch(0), .unlimited)
    XCTAssertNil(core.pass(block(0..<3)), "nobody wants it")
    core.request(.max(1))
    XCTAssertEqual(core.pass(block(0..<3)).map(numbers), [0, 1, 2], "one block is one value, however large")
    XCTAssertNil(core.pass(block(3..<4)))
  }

  func testNothingOvertakesWhatIsKept() {
    var core = BlockBufferCore(size: 10, dropsOldest: true)
    XCTAssertEqual(core.receive(block(0..<3)), 0)
    core.request(.max(2))
    XCTAssertNil(core.pass(block(3..<4)))
    XCTAssertEqual(core.receive(block(3..<5)), 0)
    XCTAssertEqual(take(&core).blocks, [[0, 1, 2, 3, 4]])
    XCTAssertEqual(core.pass(block(5..<6)).map(numbers), [5])
  }

  func testAFinishWaitsForWhatIsKept() {
    var core = BlockBufferCore(size: 2_000, dropsOldest: false)
    XCTAssertEqual(core.receive(block(0..<1_025)), 0)
    core.isFinished = true
    XCTAssertEqual(core.receive(block(0..<7)), 7, "after the end")
    XCTAssertFalse(take(&core).ended)
    core.request(.max(1))
    XCTAssertEqual(take(&core).blocks.map(\.count), [BlockBufferCore.block])
    core.request(.max(3))
    let (blocks, ended) = take(&core)
    XCTAssertEqual(blocks.map(\.count), [BlockBufferCore.block, 1])
    XCTAssertEqual(blocks.last, [1_024])
    XCTAssertTrue(ended)
  }

  /// Whatever the blocks' sizes, what is kept and dropped is what a buffer of single values keeps and drops.
  func testKeepsAndDropsAsABufferOfSingleReadings() {
    var generator = SystemRandomNumberGenerator()
    for round in 0..<400 {
      let size = Int.random(in: 1...40, using: &generator)
      let dropsOldest = round % 2 == 0
      var core = BlockBufferCore(size: size, dropsOldest: dropsOldest)
      var single = BufferCore<Int, Never>(
        size: size, prefetch: .byRequest, whenFull: dropsOldest ? .dropOldest : .dropNewest)
      var next = 0
      for _ in 0..<20 {
        let count = Int.random(in: 1...60, using: &generator)
        let dropped = (next..<next + count).filter { single.receive($0) != nil }.count
        XCTAssertEqual(core.receive(block(next..<next + count)), dropped)
        XCTAssertEqual(numbers(core.kept), Array(single.queue))
        XCTAssertLessThanOrEqual(core.kept.count, size)
        next += count
        guard Bool.random(using: &generator) else { continue }
        core.request(.max(1))
        let taken = take(&core).blocks.flatMap { $0 }
        XCTAssertEqual(taken, taken.compactMap { _ in single.queue.popFirst() })
      }
    }
  }

  func testInAStreamNothingIsLostOrReordered() {
    let upstream = TestPublisher<ArraySlice<Reading>, Never>()
    let subscriber = TestSubscriber<ArraySlice<Reading>, Never>(initial: .max(1))
    var dropped = 0
    upstream.buffer(readings: 4, dropsOldest: true) { dropped += $0 }.subscribe(subscriber)
    XCTAssertEqual(upstream.requests, [.unlimited])
    for first in stride(from: 0, to: 12, by: 3) { upstream.send(block(first..<first + 3)) }
    upstream.send(completion: .finished)
    XCTAssertNil(subscriber.completion)
    subscriber.request(.max(1))
    XCTAssertEqual(subscriber.values.map(numbers), [[0, 1, 2], [8, 9, 10, 11]])
    XCTAssertEqual(dropped, 5)
    XCTAssertTrue(subscriber.isFinished)
    XCTAssertEqual(subscriber.violations, [])
  }
}
