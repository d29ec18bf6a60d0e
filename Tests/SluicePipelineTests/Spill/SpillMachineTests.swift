import Sluice
import SluiceReadings
import XCTest

@testable import SluicePipeline

final class SpillMachineTests: XCTestCase {
  private func readings(_ numbers: Range<Int>) -> ArraySlice<Reading> {
    ArraySlice(numbers.map { Reading(time: Int64($0), stream: StreamID(0), values: Values(Int64($0))) })
  }

  /// The first word of a step, and the number of readings in it.
  private func text(_ step: SpillMachine.Step) -> String {
    switch step {
    case .append(let run): "append \(run.count)"
    case .settle: "settle"
    case .read: "read"
    case .give(let run, let isLogged): "give \(run.count)\(isLogged ? " logged" : "")"
    case .finish: "finish"
    case .rest: "rest"
    }
  }

  func testReadingsPassWhileTheOutputTakesThem() {
    var machine = SpillMachine(capacity: 10, spills: true)
    XCTAssertEqual(machine.ask(), 10)
    XCTAssertEqual(machine.ask(), 0)
    machine.request(.max(4))
    _ = machine.receive(readings(0..<6))
    XCTAssertEqual(text(machine.next()), "give 4")
    machine.gave(4, isLogged: false, demand: .none)
    XCTAssertEqual(text(machine.next()), "rest")
    machine.request(.unlimited)
    XCTAssertEqual(text(machine.next()), "give 2")
    machine.gave(2, isLogged: false, demand: .none)
    machine.end()
    XCTAssertEqual(text(machine.next()), "finish")
    XCTAssertEqual(text(machine.next()), "rest")
  }

  /// The readings of the log are given first, but not before the output is settled.
  func testAFullMemoryGoesToTheLogAndComesBackInOrder() {
    var machine = SpillMachine(capacity: 4, spills: true)
    _ = machine.ask()
    _ = machine.receive(readings(0..<4))
    XCTAssertEqual(text(machine.next()), "append 4")
    XCTAssertFalse(machine.appended(4))
    XCTAssertEqual(text(machine.next()), "rest", "the output wants nothing")
    _ = machine.receive(readings(4..<6))
    machine.request(.max(3))
    XCTAssertEqual(text(machine.next()), "settle")
    XCTAssertEqual(text(machine.next()), "rest")
    machine.settled(false)
    XCTAssertEqual(text(machine.next()), "rest")
    machine.tryAgain()
    XCTAssertEqual(text(machine.next()), "settle")
    machine.settled(true)
    XCTAssertEqual(text(machine.next()), "read")
    machine.read(Array(readings(0..<4)))
    XCTAssertEqual(text(machine.next()), "give 3 logged")
    machine.gave(3, isLogged: true, demand: .max(3))
    XCTAssertEqual(text(machine.next()), "give 1 logged")
    machine.gave(1, isLogged: true, demand: .none)
    XCTAssertEqual(text(machine.next()), "settle", "a file that is cut back must not lose what follows")
    XCTAssertEqual(text(machine.next()), "rest")
    machine.settled(true)
    XCTAssertEqual(text(machine.next()), "give 2")
  }

  /// While readings are given, more of them come on another thread, and none of those that are given may be dropped.
  func testWhatIsBeingGivenIsNotDropped() {
    var machine = SpillMachine(capacity: 4, spills: false, holds: false)
    machine.request(.max(3))
    _ = machine.receive(readings(0..<4))
    XCTAssertEqual(text(machine.next()), "give 3")
    XCTAssertEqual(machine.receive(readings(4..<7)), [])
    XCTAssertEqual(machine.receive(readings(7..<9)).map(\.time), [3, 4])
    machine.gave(3, isLogged: false, demand: .unlimited)
    guard case .give(let run, _) = machine.next() else { return XCTFail("nothing is given") }
    XCTAssertEqual(run.map(\.time), [5, 6, 7, 8])
    XCTAssertEqual(run.map { $0.flags.contains(.gapBefore) }, [true, false, false, false])
  }

  /// A watermark that could not be written may be on the disk. It says that the output has none of the readings in the log, so
  /// another one must be there before the output gets readings that came to the log since then.
  func testAnEndThatCannotBeSettled() {
    var machine = SpillMachine(capacity: 4, spills: true)
    _ = machine.ask()
    _ = machine.receive(readings(0..<4))
    XCTAssertEqual(text(machine.next()), "append 4")
    _ = machine.appended(4)
    machine.request(.max(4))
    XCTAssertEqual(text(machine.next()), "settle")
    machine.settled(true)
    XCTAssertEqual(text(machine.next()), "read")
    machine.read(Array(readings(0..<4)))
    XCTAssertEqual(text(machine.next()), "give 4 logged")
    machine.gave(4, isLogged: true, demand: .none)
    XCTAssertEqual(text(machine.next()), "settle")
    machine.settled(false)
    _ = machine.ask()
    _ = machine.receive(readings(4..<8))
    XCTAssertEqual(text(machine.next()), "append 4")
    _ = machine.appended(4)
    machine.request(.unlimited)
    XCTAssertEqual(text(machine.next()), "rest")
    machine.tryAgain()
    XCTAssertEqual(text(machine.next()), "settle", "before it reads")
    machine.settled(true)
    XCTAssertEqual(text(machine.next()), "read")
    machine.read(Array(readings(4..<8)))
    XCTAssertEqual(text(machine.next()), "give 4 logged")
    machine.gave(4, isLogged: true, demand: .none)
    XCTAssertEqual(text(machine.next()), "settle")
    machine.settled(false)
    _ = machine.receive(readings(8..<9))
    machine.tryAgain()
    XCTAssertEqual(text(machine.next()), "settle", "before it gives what was never in the log")
    machine.settled(true)
    XCTAssertEqual(text(machine.next()), "give 1")
  }

  /// A kill in a long pause must not cost what a slow sensor has sent in it.
  func testInAPauseMemoryGoesToTheLogAfterAWhile() {
    var machine = SpillMachine(capacity: 4_096, spills: false)
    _ = machine.ask()
    _ = machine.receive(readings(0..<3))
    XCTAssertFalse(machine.willBeDue, "there is no pause")
    (machine.spills, machine.isPaused) = (true, true)
    machine.request(.max(256))
    XCTAssertEqual(text(machine.next()), "rest", "the output has asked, and would only keep it in memory")
    XCTAssertTrue(machine.willBeDue)
    machine.due()
    XCTAssertFalse(machine.willBeDue)
    _ = machine.receive(readings(3..<1_100))
    XCTAssertEqual(text(machine.next()), "append \(SpillMachine.run)")
    _ = machine.appended(SpillMachine.run)
    XCTAssertEqual(text(machine.next()), "append \(1_100 - SpillMachine.run)")
    _ = machine.appended(1_100 - SpillMachine.run)
    XCTAssertEqual(text(machine.next()), "rest")
    _ = machine.receive(readings(1_100..<1_101))
    XCTAssertEqual(text(machine.next()), "rest", "the next second begins")
    XCTAssertTrue(machine.willBeDue)
    (machine.spills, machine.isPaused) = (false, false)
    XCTAssertEqual(text(machine.next()), "settle")
    machine.settled(true)
    XCTAssertEqual(text(machine.next()), "read")
  }

  /// What is there at the end of a paused recording goes to the output.
  func testTheEndOfAPausedRecording() {
    var machine = SpillMachine(capacity: 10, spills: true)
    (machine.isPaused, _) = (true, machine.ask())
    machine.request(.max(256))
    _ = machine.receive(readings(0..<3))
    XCTAssertEqual(text(machine.next()), "rest")
    machine.end()
    XCTAssertEqual(text(machine.next()), "give 3")
    machine.gave(3, isLogged: false, demand: .none)
    XCTAssertEqual(text(machine.next()), "finish")
  }

  func testWithoutRoomItAsksForNothing() {
    var machine = SpillMachine(capacity: 4, spills: true)
    XCTAssertEqual(machine.ask(), 4)
    _ = machine.receive(readings(0..<4))
    XCTAssertTrue(machine.refused())
    XCTAssertFalse(machine.refused())
    XCTAssertEqual(text(machine.next()), "rest")
    XCTAssertEqual(machine.ask(), 0)
    machine.tryAgain()
    XCTAssertEqual(text(machine.next()), "append 4")
    XCTAssertTrue(machine.appended(4), "it takes readings again")
    XCTAssertEqual(machine.ask(), 4)
  }

  /// Others that get the same readings must not wait.
  func testItDropsTheOldestForTheSakeOfOthers() {
    var machine = SpillMachine(capacity: 4, spills: true, holds: false)
    XCTAssertEqual(machine.ask(), 4)
    XCTAssertEqual(machine.receive(readings(0..<4)).count, 0)
    XCTAssertEqual(text(machine.next()), "append 4")
    _ = machine.refused()
    XCTAssertEqual(machine.ask(), 4)
    XCTAssertEqual(machine.receive(readings(4..<7)).map(\.time), [0, 1, 2])
  }

  func testAPauseModeSpillsOnlyThen() {
    var machine = SpillMachine(capacity: 4, spills: false)
    _ = machine.ask()
    _ = machine.receive(readings(0..<4))
    XCTAssertEqual(text(machine.next()), "rest")
    machine.spills = true
    XCTAssertEqual(text(machine.next()), "append 4")
  }

  /// An output that takes nothing more: everything stays for the next run.
  func testWhatIsKept() {
    var machine = SpillMachine(capacity: 4, spills: false, logged: 7)
    _ = machine.ask()
    machine.request(.unlimited)
    _ = machine.receive(readings(0..<2))
    machine.keep()
    XCTAssertEqual(text(machine.next()), "append 2")
    _ = machine.appended(2)
    XCTAssertEqual(text(machine.next()), "rest")
    machine.end()
    XCTAssertEqual(text(machine.next()), "finish")
    XCTAssertEqual(machine.logged, 9)
  }

  func testProgress() {
    var progress = SpillProgress(next: 100)
    progress.gave(readings(0..<5), endingAt: nil)
    progress.gave(readings(5..<8), endingAt: 103)
    progress.gave(readings(8..<12), endingAt: nil)
    progress.gave(readings(12..<14), endingAt: 105)
    XCTAssertFalse(progress.settle(5))
    XCTAssertEqual(progress.next, 100)
    XCTAssertTrue(progress.settle(7))
    XCTAssertEqual(progress.next, 102)
    XCTAssertEqual(progress.unsafe(written: 12).map(\.isWritten), [true, false, false])
    XCTAssertTrue(progress.settle(12))
    XCTAssertEqual(progress.next, 103)
    XCTAssertTrue(progress.hasUnsafe)
    XCTAssertTrue(progress.settle(14))
    XCTAssertEqual(progress.next, 105)
    XCTAssertFalse(progress.hasUnsafe)
  }

  func testASpillHasRoomForASegment() throws {
    let sizes: [(Int, String?)] = [(64 << 10, nil), ((64 << 10) - 1, "SIZE of --wait-on-disk takes 64k or more")]
    for (size, option) in sizes {
      var plan = RecordingPlan(sources: [try SourceSpec("timer:1ms")], stages: [], outputs: [OutputPlan("w.csv")])
      plan.pauseMode = .spill
      plan.spill = SpillPlan(size: ByteSize(bytes: size))
      var fault: String?
      do throws(Fault) { try plan.checkRules() } catch { fault = error.argument }
      XCTAssertEqual(fault, option)
    }
  }
}
