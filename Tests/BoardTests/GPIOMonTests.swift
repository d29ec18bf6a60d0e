import Foundation
import Sluice
import SluiceDevices
import SluiceReadings
import SluiceTesting
import XCTest

/// The same stimulus for libgpiod's gpiomon and for Sluice: no line can be watched by both, so each has lines of its own
/// on the same chip, which are driven together.
final class GPIOMonTests: BoardTestCase {
  private let isOld = GPIOChips.libraryVersion?.hasPrefix("1.") == true
  private static let toggles = 8

  /// Every combination of options gives gpiomon's edges, in its order, with its times.
  ///
  /// Of each four neighbouring lines Sluice has the first and the third, gpiomon the others, with the same options. The
  /// simulator reports lines that are driven together in the order of their numbers, so a time of gpiomon's must lie
  /// between the two of Sluice's: to the nanosecond where both have the line's clock, and with one difference for all
  /// edges where Sluice has made monotonic times times since the epoch. And each lies between what the clock said before
  /// the line was driven and after it was driven again.
  ///
  /// A host that is busy elsewhere swallows edges. gpiomon tells: a run in which it did not get what was driven does not
  /// count, and of the others in nearly all Sluice has to have got it as well. Every combination has to be exact once.
  func testEveryCombinationOfOptionsGivesWhatGPIOMonGets() throws {
    let chip = try SimulatedChip("sim64")
    var (all, spreads) = (0, [Int64]())
    var exact = ExactRuns("options beside gpiomon", wanted: isOld ? 24 : 192, limit: .max)
    let debounces: [UInt32?] = isOld ? [nil] : [nil, 10_000]
    for (bias, debounce) in GPIOOptions.Bias.allCases.flatMap({ bias in debounces.map { (bias, $0) } }) {
      var left = combinations(bias, debounce)
      all += left.count
      // Once more what was not exact.
      var runs = 5 * (left.count + 7) / 8
      while !left.isEmpty, runs > 0 {
        let batch = Array(left.prefix(8))
        left.removeFirst(batch.count)
        for (options, isComplete) in zip(batch, try compare(chip, batch, &spreads, &exact)) where !isComplete {
          left.append(options)
        }
        runs -= 1
      }
      XCTAssertEqual(left, [], "no run of these was as driven")
    }
    XCTAssertEqual(all, isOld ? 24 : 192)
    try exact.check(floor: 0.8)
    spreads.sort()
    print("\(all) combinations; gpiomon's times lie between two of Sluice's, \(spreads[spreads.count / 2]) ns apart")
  }

  private func combinations(_ bias: GPIOOptions.Bias, _ debounce: UInt32?) -> [GPIOOptions] {
    var all: [GPIOOptions] = []
    for edges in GPIOOptions.Edges.allCases {
      for isActiveLow in [false, true] {
        for clock in isOld ? [.monotonic] : [.monotonic, .realtime] as [GPIOOptions.Clock] {
          for fifo in isOld ? [nil] : [nil, 32] as [UInt32?] {
            var options = GPIOOptions()
            (options.bias, options.edges, options.isActiveLow) = (bias, edges, isActiveLow)
            (options.debounce, options.clock, options.fifo) = (debounce, clock, fifo)
            all.append(options)
          }
        }
      }
    }
    return all
  }

  /// Runs combinations of one bias and one debounce at the same time.
  /// - Returns: Which of them got what was driven.
  private func compare(
    _ chip: SimulatedChip, _ batch: [GPIOOptions], _ spreads: inout [Int64], _ exact: inout ExactRuns
  ) throws -> [Bool] {
    // gpio-sim takes a request's bias for the pull that drives the line, which is up before the first toggle then.
    let first = batch[0].bias == .pullUp ? 1 : 0
    try chip.drive(lines: 4 * batch.count, toggles: 1, every: 20_000, from: first + 1)
    let monitors = try batch.enumerated().map { place, options in
      try GPIOMon(chip, lines: [4 * place + 1, 4 * place + 3], options)
    }
    for monitor in monitors { monitor.waitForRequest() }
    let epoch = EpochClock()
    let recorded = try batch.enumerated().map { place, options in
      let lines = [4 * place, 4 * place + 2].map { String($0) }
      let edges = try Publishers.GPIOEdges(chip: chip.path, lines: lines, options: options)
      let subscriber = TestSubscriber<Reading, SluiceError>()
      edges.subscribe(subscriber)
      return (edges: edges, subscriber: subscriber)
    }
    // The work of the kernel's debouncer is late by 10 ms on the board.
    let period: UInt32 = batch[0].debounce == nil ? 10_000 : 40_000
    var stimulus: [Toggle] = []
    try chip.drive(lines: 4 * batch.count, toggles: Self.toggles, every: period, from: first) { writes in
      let begun = Instant()
      writes()
      stimulus.append(Toggle(isUp: (first + stimulus.count).isMultiple(of: 2), begun: begun, done: Instant()))
    }
    func isComplete(_ place: Int) -> Bool {
      let expected = 2 * expected(batch[place], stimulus).count
      return monitors[place].edges().count == expected && recorded[place].subscriber.values.count == expected
    }
    let deadline = Date(timeIntervalSinceNow: 0.5)
    while !batch.indices.allSatisfy(isComplete), Date() < deadline {
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01))
    }
    stimulus.append(Toggle(isUp: false, begun: Instant(), done: Instant()))
    for (edges, _) in recorded { edges.finish() }
    defer { for monitor in monitors { monitor.end() } }
    return batch.indices.map { place in
      recorded[place].edges.teardown.wait()
      let (readings, theirs) = (recorded[place].subscriber.values, monitors[place].edges())
      let levels = expected(batch[place], stimulus).map(\.isRising)
      let isDriven = monitors[place].levels() == [levels, levels]
      let isSame = isDriven && compare(batch[place], readings, theirs, stimulus, epoch, &spreads)
      let received = (0..<2).map { stream in
        readings.filter { $0.stream.index == stream }.map { $0.values[0].significand == 1 }
      }
      exact.add(
        sluice: isDriven ? isSame : received == [levels, levels], gpiomon: isDriven,
        "gpiomon has \(theirs.count) edges, Sluice \(readings.count) of \(2 * levels.count), \(batch[place])")
      return isSame
    }
  }

  /// What both clocks said.
  private struct Instant {
    private let monotonic = Instant.now(CLOCK_MONOTONIC)
    private let realtime = Instant.now(CLOCK_REALTIME)

    private static func now(_ clock: clockid_t) -> Int64 {
      var time = timespec()
      clock_gettime(clock, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    func by(_ clock: GPIOOptions.Clock) -> Int64 { clock == .realtime ? realtime : monotonic }
  }

  private struct Toggle {
    let isUp: Bool
    let begun, done: Instant
  }

  /// Which toggles a line has an edge of, and whether it rises; the last is none.
  private func expected(_ options: GPIOOptions, _ stimulus: [Toggle]) -> [(toggle: Int, isRising: Bool)] {
    stimulus.prefix(Self.toggles).enumerated()
      .map { ($0, $1.isUp != options.isActiveLow) }
      .filter { options.edges == .both || $0.1 == (options.edges == .rising) }
  }

  private func lines(_ edges: [GPIOMon.Edge]) -> [[GPIOMon.Edge]] {
    Set(edges.map(\.line)).sorted().map { line in edges.filter { $0.line == line } }
  }

  /// - Parameter theirs: gpiomon's, who got what was driven.
  /// - Returns: Whether Sluice got that as well, in order. Where the host kept the board from running, edges coalesce, and
  ///   the interrupt thread of the older interface reads a level after it has changed again, for gpiomon as for Sluice.
  private func compare(
    _ options: GPIOOptions, _ readings: [Reading], _ theirs: [GPIOMon.Edge], _ stimulus: [Toggle], _ epoch: EpochClock,
    _ spreads: inout [Int64]
  ) -> Bool {
    let expected = expected(options, stimulus)
    let theirLines = lines(theirs)
    let ourLines = [0, 1].map { line in readings.filter { Int($0.stream.index) == line } }
    let levels = expected.map(\.isRising)
    guard ourLines.map({ $0.map { $0.values[0].significand == 1 } }) == [levels, levels]
    else { return false }
    // The kernel's debouncer ends in a work a line, and these in any order.
    if options.debounce == nil, readings.map({ Int($0.stream.index) }) != expected.flatMap({ _ in [0, 1] }) {
      return false
    }
    XCTAssertEqual(Set(readings.map(\.flags)), [[]], "\(options)")
    let isExact = options.clock == .realtime
    let offset = isExact ? 0 : epoch.offset
    // Each has taken the offset of the clocks for itself.
    let tolerance: Int64 = isExact ? 0 : 1_000_000
    // Half of it, since the kernel counts jiffies, and the board's are late.
    let debounce = Int64(options.debounce ?? 0) * 500
    for (index, (toggle, _)) in expected.enumerated() {
      let (earliest, latest) = (stimulus[toggle].begun.by(options.clock), stimulus[toggle + 1].done.by(options.clock))
      for line in 0..<2 {
        let (their, our) = (theirLines[line][index].time, ourLines[line][index].time - offset)
        if options.debounce != nil, min(their, our + tolerance) < earliest + debounce { return false }
        XCTAssertTrue((earliest...latest).contains(their), "gpiomon: \(their) in \(earliest...latest), \(options)")
        XCTAssertTrue(
          (earliest - tolerance...latest + tolerance).contains(our), "\(our) in \(earliest...latest), \(options)")
      }
    }
    guard options.debounce == nil else { return true }
    // gpiomon's first line is between ours.
    let (first, second) = (ourLines[0], ourLines[1])
    let low = expected.indices.map { first[$0].time - theirLines[0][$0].time }.max() ?? .max
    let high = expected.indices.map { second[$0].time - theirLines[0][$0].time }.min() ?? .min
    XCTAssertLessThanOrEqual(max(low, offset - tolerance), min(high, offset + tolerance), "\(options)")
    spreads += expected.indices.map { second[$0].time - first[$0].time }
    return true
  }

  /// 64 lines, 2,500 edges a second in all for 10 seconds where the host keeps up, first for gpiomon, then for Sluice:
  /// what each gets, and the CPU that it takes. Nothing may be lost in the kernel; what the simulator itself swallows
  /// shows with both.
  func testSixtyFourLinesBesideGPIOMon() throws {
    let chip = try SimulatedChip("sim64")
    var longest = Duration.zero
    func drive() throws -> Double {
      let start = Date()
      longest = try chip.drive(lines: 64, toggles: 390, every: 25_600, isPeriod: true)
      return Date().timeIntervalSince(start)
    }
    try chip.drive(lines: 64, toggles: 1, every: 50_000, from: 1)
    let monitor = try GPIOMon(chip, lines: Array(0..<64), GPIOOptions())
    monitor.waitForRequest()
    let before = childrenCPU
    let monitored = try drive()
    waitUntil("gpiomon's edges") { monitor.edges().count > 64 * 300 }
    let theirs = monitor.edges()
    monitor.end()
    let theirCPU = childrenCPU - before

    let edges = try Publishers.GPIOEdges(chip: "sim64", lines: (0..<64).map(String.init))
    let count = Counted()
    let subscription = edges.sink(receiveCompletion: { _ in }, receiveValue: { _ in count.add() })
    let start = ownCPU
    let interrupts = try SimulatedChip.interrupts(of: "sluice")
    let recorded = try drive()
    waitUntil("the edges") { count.value > 64 * 300 }
    let ourCPU = ownCPU - start
    let reported = try SimulatedChip.interrupts(of: "sluice") - interrupts
    edges.finish()
    edges.teardown.wait()
    subscription.cancel()
    print(
      """
      64 lines, \(64 * 390) edges driven, \(Int(64 * 390 / recorded))/s:
      gpiomon: \(theirs.count) edges, \(String(format: "%.1f", theirCPU / monitored * 100)) % of a core
      sluice:  \(count.value) edges of \(reported) reported, \(String(format: "%.1f", ourCPU / recorded * 100)) % of a core, \
      losses \(edges.losses.all.map { "\($0.count) \($0.sign)" })
      """)
    XCTAssertEqual(edges.losses[.skipped].count, 0)
    // What is missing shows. There may be signs without anything missing: the interrupt thread of the older interface
    // reads the level when it runs, which may be after the next edge.
    let (missing, signs) = (64 * 390 - count.value, edges.losses.all.reduce(0) { $0 + $1.count })
    XCTAssertGreaterThanOrEqual(missing, 0)
    if missing > 0 { XCTAssertGreaterThan(signs, 0) }
    if !isOld { XCTAssertEqual(count.value + edges.losses[.unassigned].count, reported) }
    guard longest < .microseconds(2 * 25_600) else {
      throw XCTSkip("the host held the board up for \(longest): how many are missing says nothing")
    }
    XCTAssertLessThan(missing, 64 * 390 / 100)
  }

  /// Seconds of processor time of this process without the thread that drives, which is this one.
  private var ownCPU: Double {
    func seconds(_ clock: clockid_t) -> Double {
      var time = timespec()
      clock_gettime(clock, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    return seconds(CLOCK_PROCESS_CPUTIME_ID) - seconds(CLOCK_THREAD_CPUTIME_ID)
  }

  /// Seconds of processor time of the processes that have ended.
  private var childrenCPU: Double {
    var used = tms()
    times(&used)
    return Double(used.tms_cutime + used.tms_cstime) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}

private final class Counted: @unchecked Sendable {
  // The lock protects `count`.
  private let lock = NSLock()
  private var count = 0
  func add() { lock.withLock { count += 1 } }
  var value: Int { lock.withLock { count } }
}
