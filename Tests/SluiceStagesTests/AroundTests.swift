import SluiceReadings
import SluiceTesting
import TestFiles
import XCTest

@testable import SluiceStages

final class AroundTests: XCTestCase {
  private let streams = [
    StreamDescription(name: "door", channels: [.init(name: "level", format: "level")]),
    StreamDescription(name: "imu", channels: [.init(name: "x")]),
  ]

  private func reading(_ time: Int64, _ stream: UInt16, _ value: Int64) -> Reading {
    Reading(time: time, stream: StreamID(stream), values: Values(value))
  }

  private func passed(_ readings: [Reading], by processor: some ReadingProcessor) -> [Reading] {
    var (processor, outputs) = (processor, [Reading]())
    for reading in readings {
      processor.receive(reading, into: &outputs)
      while processor.hasMore { processor.resume(into: &outputs) }
    }
    processor.finish(into: &outputs)
    while processor.hasMore { processor.resume(into: &outputs) }
    return outputs
  }

  func testBeforeAndAfter() throws {
    let readings = (Int64(0)..<40).map { time in time == 20 ? reading(time, 0, 1) : reading(time, 1, time) }
    let around = try Around(Expression("door == 1"), before: 3, after: 5, inputs: InputStreams(streams))
    let outputs = passed(readings, by: around)
    XCTAssertEqual(outputs.map(\.time), Array(17...25))
    XCTAssertEqual(outputs.map { $0.flags.contains(.gapBefore) }, [true] + Array(repeating: false, count: 8))
  }

  /// A store of its own, whose blocks cannot be read now and then.
  private final class Store: ReadingStore, @unchecked Sendable {
    // One test has it, on one thread.
    var blocks: [[Reading]] = []
    var most = Int.max
    var isBroken: () -> Bool = { false }
    private(set) var lost = 0

    func append(_ readings: [Reading]) -> Bool {
      guard blocks.count < most else { return false }
      blocks.append(readings)
      return true
    }

    func takeFirst(_ count: Int) -> [Reading]? {
      let block = blocks.removeFirst()
      XCTAssertEqual(block.count, count)
      if isBroken() { lost += 1 }
      return isBroken() ? nil : block
    }

    func close() { blocks = [] }
    func removeFirst(_ count: Int) { XCTAssertEqual(blocks.removeFirst().count, count) }
  }

  /// Random events: the same outputs as those of an oracle that knows all events in advance.
  func testRandomEvents() throws {
    for seed in UInt64(1)...400 { try checkRandomEvents(seed, block: nil) }
  }

  /// The same with little memory and a store.
  func testRandomEventsWithAStore() throws {
    for seed in UInt64(1)...400 { try checkRandomEvents(seed, block: Int(1 + seed % 5)) }
  }

  private func checkRandomEvents(_ seed: UInt64, block: Int?) throws {
    do {
      var random = SeededGenerator(seed: seed)
      var time: Int64 = 0
      let readings = (0..<Int.random(in: 1...300, using: &random)).map { _ in
        time += Int64.random(in: 0...5, using: &random)
        let isDoor = Int.random(in: 0..<10, using: &random) == 0
        return reading(time, isDoor ? 0 : 1, isDoor ? Int64.random(in: 0...1, using: &random) : time)
      }
      let (before, after) = (Int64.random(in: 0...40, using: &random), Int64.random(in: 0...40, using: &random))
      let marks = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        Int64.random(in: -50...(time + 50), using: &random)
      }
      let events = readings.filter { $0.stream.index == 0 && $0.values[0].significand == 1 }.map(\.time) + marks
      var inputs = InputStreams(streams)
      inputs.marks = MarkTimes(marks)
      let store = Store()
      if let block {
        inputs.waiting = HeldReadings.Limits(most: 2 * block + Int(seed % 3), block: block)
        inputs.makeStore = { store }
      }
      let around = try Around(Expression("door == 1"), before: before, after: after, inputs: inputs)
      // The windows of all events; those that overlap are one.
      var windows: [ClosedRange<Int64>] = []
      for event in events.sorted() {
        if let last = windows.last, event - before <= last.upperBound {
          windows[windows.count - 1] = last.lowerBound...(event + after)
        } else {
          windows.append((event - before)...(event + after))
        }
      }
      var expected: [Reading] = []
      var (isCut, number, last) = ([false, false], Int64(0), -1)
      for var reading in readings {
        guard let window = windows.firstIndex(where: { $0.contains(reading.time) }) else {
          isCut[Int(reading.stream.index)] = true
          continue
        }
        if window != last { number += 1 }
        last = window
        if isCut[Int(reading.stream.index)] { reading.flags.insert(.gapBefore) }
        isCut[Int(reading.stream.index)] = false
        reading.values.append(ExactDecimal(significand: number))
        expected.append(reading)
      }
      XCTAssertEqual(passed(readings, by: around), expected, "seed \(seed)")
    }
  }

  /// A mark, too, passes what waits some hundred at a time.
  func testAMarkPassesLittleAtATime() throws {
    var inputs = InputStreams(streams)
    let store = Store()
    let marks = MarkTimes()
    (inputs.waiting, inputs.makeStore, inputs.marks) = (.init(most: 64, block: 32), { store }, marks)
    for isAtEnd in [false, true] {
      var around = try Around(Expression("door == 1"), before: 100_000, after: 0, inputs: inputs)
      var outputs: [Reading] = []
      for time in 0..<Int64(10_000) { around.receive(reading(time, 1, time), into: &outputs) }
      XCTAssertEqual(outputs, [])
      marks.add(10_000)
      var passed = 0
      if isAtEnd { around.finish(into: &outputs) } else { around.receive(reading(10_001, 1, 0), into: &outputs) }
      while true {
        XCTAssertLessThanOrEqual(outputs.count, 1_025)
        passed += outputs.count
        outputs = []
        guard around.hasMore else { break }
        around.resume(into: &outputs)
      }
      XCTAssertEqual(passed, 10_000)
      XCTAssertEqual(around.windows, 1)
    }
  }

  /// If the store is full, or cannot be read, the windows lack readings, and that is counted. All else passes.
  func testAStoreThatFails() throws {
    var (lacking, whole) = (0, 0)
    for seed in UInt64(1)...400 {
      var random = SeededGenerator(seed: seed)
      let store = Store()
      store.most = Int.random(in: 0...6, using: &random)
      let isBroken = seed % 3 == 0
      store.isBroken = { isBroken }
      var inputs = InputStreams(streams)
      (inputs.waiting, inputs.makeStore) = (.init(most: 8, block: 4), { store })
      let before = Int64.random(in: 1...60, using: &random)
      var around = try Around(Expression("door == 1"), before: before, after: 0, inputs: inputs)
      let event = Int64.random(in: 1...100, using: &random)
      var outputs: [Reading] = []
      for time in 0..<event { around.receive(reading(time, 1, time), into: &outputs) }
      XCTAssertEqual(outputs, [])
      around.receive(reading(event, 0, 1), into: &outputs)
      while around.hasMore { around.resume(into: &outputs) }
      let times = outputs.map(\.time)
      XCTAssertEqual(times, times.sorted())
      XCTAssertEqual(times.last, event)
      let wanted = max(0, event - before)...event
      XCTAssertTrue(times.allSatisfy(wanted.contains), "seed \(seed)")
      // A block that was too old is not read.
      XCTAssertEqual(around.shortened, times.count < wanted.count ? 1 : 0, "seed \(seed)")
      XCTAssertEqual(outputs[0].flags.contains(.gapBefore), times.first != 0 && outputs.count > 1, "seed \(seed)")
      if times.count < wanted.count { lacking += 1 } else { whole += 1 }
    }
    XCTAssertGreaterThan(lacking, 40)
    XCTAssertGreaterThan(whole, 40)
  }

  /// If too many readings would wait, the window begins later, and is counted.
  func testAWindowThatIsTooLong() throws {
    var around = try Around(Expression("door == 1"), before: .max, after: 0, inputs: InputStreams(streams))
    var outputs: [Reading] = []
    let count = Int64(Around.mostHeld) + 1_000
    for time in 0..<count { around.receive(reading(time, 1, 0), into: &outputs) }
    XCTAssertEqual(outputs, [])
    around.receive(reading(count, 0, 1), into: &outputs)
    while around.hasMore { around.resume(into: &outputs) }
    XCTAssertEqual(outputs.count, Around.mostHeld + 1)
    XCTAssertEqual(outputs.first?.time, 1_000)
    XCTAssertEqual(outputs.first?.flags, .gapBefore)
    XCTAssertEqual([Int(around.windows), around.shortened], [1, 1])
  }

  /// A reading of no stream, which shows a time, must not overtake a reading that waits.
  func testTicksWait() throws {
    let around = try Around(Expression("door == 1"), before: 10, after: 0, inputs: InputStreams(streams))
    let mark = Reading(time: 9, stream: .none, values: Values())
    let outputs = passed([reading(5, 1, 0), mark, reading(10, 0, 1)], by: around)
    XCTAssertEqual(outputs.map(\.time), [5, 5, 10])
    XCTAssertEqual(outputs[0].stream, .none)
  }

  func testWhile() throws {
    let readings = [
      reading(1, 1, 0), reading(2, 0, 1), reading(3, 1, 0), reading(4, 0, 0), reading(5, 1, 0), reading(6, 0, 1),
      reading(7, 1, 0),
    ]
    let outputs = passed(readings, by: try While(Expression("door == 1"), inputs: InputStreams(streams)))
    XCTAssertEqual(outputs.map(\.time), [2, 3, 6, 7])
    XCTAssertEqual(outputs.map { $0.flags.contains(.gapBefore) }, [false, true, true, true])
    XCTAssertEqual(outputs.map(\.values), [[1, 1], [0, 1], [1, 2], [0, 2]])
  }

  /// No window contains a restart, as in the recording itself, whose second run began anew.
  func testARestart() throws {
    var inputs = InputStreams(streams)
    inputs.restarts = [InputStreams.Restart(ended: 6, began: 10, streams: [0, 1])]
    let readings = [
      reading(4, 1, 0), reading(5, 0, 1), reading(6, 1, 0), reading(10, 1, 0), reading(11, 1, 0), reading(12, 0, 1),
      reading(13, 1, 0),
    ]
    let around = passed(readings, by: try Around(Expression("door == 1"), before: 5, after: 5, inputs: inputs))
    XCTAssertEqual(around.map(\.time), [4, 5, 6, 10, 11, 12, 13])
    XCTAssertEqual(around.map { $0.values[1].significand }, [1, 1, 1, 2, 2, 2, 2])
    let running = passed(readings, by: try While(Expression("door == 1"), inputs: inputs))
    XCTAssertEqual(running.map(\.time), [5, 6, 12, 13])
    XCTAssertEqual(running.map { $0.values[1].significand }, [1, 1, 2, 2])
  }

  /// The flag of a restart is on the first reading that passes.
  func testARestartThatIsLeftOut() throws {
    var first = reading(1, 1, 0)
    first.flags = [.gapBefore, .restart]
    let outputs = passed(
      [first, reading(2, 1, 0), reading(9, 0, 1), reading(9, 1, 0)],
      by: try Around(Expression("door == 1"), before: 1, after: 1, inputs: InputStreams(streams)))
    XCTAssertEqual(outputs.map(\.flags), [[], [.gapBefore, .restart]])
  }

  /// The clock was set back: what was expected of the time before has no effect.
  func testTheClockIsSetBack() throws {
    let day: Int64 = 86_400_000_000_000
    let readings = [reading(day, 0, 1), reading(day + 1, 1, 0), reading(5, 1, 0), reading(20, 1, 0), reading(21, 0, 1)]
    let outputs = passed(
      readings, by: try Around(Expression("door == 1"), before: 3, after: 3, inputs: InputStreams(streams)))
    XCTAssertEqual(outputs.map(\.time), [day, day + 1, 20, 21])
  }

  /// Two streams have the channel: it is true while it is true for one of them.
  func testWhileForSeveralStreams() throws {
    let lines = ["a", "b"].map { StreamDescription(name: $0, channels: [.init(name: "level", format: "level")]) }
    let readings = [reading(1, 0, 1), reading(2, 1, 1), reading(3, 1, 0), reading(4, 0, 0), reading(5, 1, 0)]
    let outputs = passed(readings, by: try While(Expression("level == 1"), inputs: InputStreams(lines)))
    XCTAssertEqual(outputs.map(\.time), [1, 2, 3])
  }

  /// Values with memory of their own count, too.
  func testWideReadings() throws {
    let wide = StreamDescription(name: "wide", channels: (0..<60).map { .init(name: "c\($0)") })
    var around = try Around(Expression("c0 == 1"), before: .max, after: 0, inputs: InputStreams([wide]))
    var outputs: [Reading] = []
    let values = Values((0..<60).map { ExactDecimal(significand: $0 == 0 ? 0 : 5) })
    for time in 0..<Int64(Around.mostHeld) {
      around.receive(Reading(time: time, stream: StreamID(0), values: values), into: &outputs)
    }
    var event = Reading(time: Int64(Around.mostHeld), stream: StreamID(0), values: values)
    event.values[0] = .one
    around.receive(event, into: &outputs)
    while around.hasMore { around.resume(into: &outputs) }
    XCTAssertEqual(around.shortened, 1)
    XCTAssertLessThan(outputs.count, Around.mostHeld / 5)
    XCTAssertGreaterThan(outputs.count, 1_000)
  }

  /// A mark that another thread adds late: the readings behind its window still wait, and are in no window.
  func testALateMark() throws {
    var inputs = InputStreams(streams)
    let marks = MarkTimes()
    inputs.marks = marks
    var around = try Around(Expression("door == 1"), before: 10, after: 2, inputs: inputs)
    var outputs: [Reading] = []
    for time in Int64(0)..<20 { around.receive(reading(time, 1, time), into: &outputs) }
    marks.add(15)
    around.receive(reading(20, 1, 20), into: &outputs)
    XCTAssertEqual(outputs.map(\.time), Array(9...17))
    around.receive(reading(21, 0, 1), into: &outputs)
    while around.hasMore { around.resume(into: &outputs) }
    XCTAssertEqual(outputs.map(\.time), Array(9...21))
    XCTAssertEqual(outputs.last?.values, [1, 1])
  }

  func testTheWindowIsAChannel() throws {
    let full = StreamDescription(name: "full", channels: (0..<64).map { .init(name: "c\($0)") })
    XCTAssertThrowsError(try While(Expression("c0 == 1"), inputs: InputStreams([full]))) {
      XCTAssertEqual(
        "\($0)",
        "cannot number the windows of full: it has 64 channels, and a reading has no more; select fewer of them")
    }
    let around = try Around(Expression("door == 1"), before: 1, after: 1, inputs: InputStreams(streams))
    XCTAssertEqual(around.streams.map { $0.channels.map(\.name) }, [["level", "window"], ["x", "window"]])
    XCTAssertThrowsError(try While(Expression("door.level == 1"), inputs: InputStreams(around.streams))) {
      XCTAssertEqual(
        "\($0)",
        "cannot number the windows of door: it has a channel window already; use one of --around and --while, or rename "
          + "the channel")
    }
  }

  func testAConditionWithoutAChannel() {
    XCTAssertThrowsError(try Around(Expression("window == 1"), before: 1, after: 1, inputs: InputStreams(streams)))
    XCTAssertThrowsError(try While(Expression("window == 1"), inputs: InputStreams(streams)))
  }
}
