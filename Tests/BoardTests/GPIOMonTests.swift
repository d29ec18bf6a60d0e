import Foundation
import Sluice
import SluiceDevices
import SluiceRecording
import SluiceTesting
import XCTest

/// The same stimulus for libgpiod's gpiomon and for Sluice: no line can be watched by both, so each has lines of its own
/// on the same chip, which are driven together.
final class GPIOMonTests: BoardTestCase {
  private let isOld = GPIOChips.libraryVersion?.hasPrefix("1.") == true

  /// gpiomon on lines of the chip of 64.
  private struct Monitor {
    // Not Foundation's Process: it needs sockets, which the board's kernel does not have.
    private let process: pid_t
    private let file = FileManager.default.temporaryDirectory.appendingPathComponent("gpiomon-\(UUID().uuidString)")

    /// - Parameter settings: As gpiomon of this version has them.
    init(_ chip: SimulatedChip, lines: Range<Int>, isOld: Bool, settings: [String]) throws {
      // Version 1 says 0 for a falling edge, version 2 says 2.
      let format = isOld ? ["--line-buffered", "--format=%o %e", chip.name] : ["--format=%o %e", "--chip", chip.name]
      let words: [String] = ["gpiomon"] + settings + format + lines.map { String($0) }
      var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
      arguments.append(nil)
      defer { for argument in arguments { free(argument) } }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_addopen(&actions, 1, file.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      var child = pid_t()
      XCTAssertEqual(posix_spawn(&child, "/usr/bin/gpiomon", &actions, nil, &arguments, environ), 0)
      process = child
      waitUntil("gpiomon's request") {
        let info = GPIOChips.list().first { $0.label == "sim64" }
        return info?.lines[lines.upperBound - 1].consumer?.contains("gpiomon") == true
      }
    }

    /// A line and whether it rose, in the order in which gpiomon told.
    func edges() -> [(line: Int, isRising: Bool)] {
      let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      return text.split(separator: "\n").compactMap { row in
        let numbers = row.split(separator: " ").compactMap { Int($0) }
        return numbers.count == 2 ? (numbers[0], numbers[1] == 1) : nil
      }
    }

    func end() {
      kill(process, SIGTERM)
      waitpid(process, nil, 0)
      try? FileManager.default.removeItem(at: file)
    }
  }

  /// Every combination of edges, active-low and bias gives gpiomon's edges, in its order, on each line.
  func testSettingsMeanWhatTheyMeanToGPIOMon() throws {
    let chip = try SimulatedChip("sim64")
    var compared = 0
    for edges in GPIOOptions.Edges.allCases {
      for isActiveLow in [false, true] {
        for bias in [GPIOOptions.Bias.asIs, .pullUp, .disabled] {
          var options = GPIOOptions()
          (options.edges, options.isActiveLow, options.bias) = (edges, isActiveLow, bias)
          compared += try compare(chip, options)
        }
      }
    }
    if !isOld {
      var options = GPIOOptions()
      options.debounce = 2_000
      compared += try compare(chip, options)
      options = GPIOOptions()
      options.clock = .realtime
      options.fifo = 32
      compared += try compare(chip, options)
    }
    XCTAssertGreaterThan(compared, 18 * 20)
  }

  private func compare(_ chip: SimulatedChip, _ options: GPIOOptions) throws -> Int {
    var settings: [String] = []
    if options.isActiveLow { settings.append("--active-low") }
    if options.bias != .asIs {
      settings.append("--bias=\(isOld && options.bias == .disabled ? "disable" : options.bias.rawValue)")
    }
    if options.edges != .both {
      settings.append(isOld ? "--\(options.edges.rawValue)-edge" : "--edges=\(options.edges.rawValue)")
    }
    if let debounce = options.debounce { settings.append("--debounce-period=\(debounce)us") }
    if options.clock != .monotonic { settings.append("--event-clock=\(options.clock.rawValue)") }
    for _ in 1...5 {
      // gpio-sim takes a request's bias for the pull that drives the line, which is up before the first toggle then.
      let first = options.bias == .pullUp ? 1 : 0
      try chip.drive(lines: 8, toggles: 1, every: 20_000, from: first + 1)
      let monitor = try Monitor(chip, lines: 0..<4, isOld: isOld, settings: settings)
      let edges = try Publishers.GPIOEdges(chip: "sim64", lines: (4..<8).map(String.init), options: options)
      let subscriber = TestSubscriber<Reading, SluiceError>()
      edges.subscribe(subscriber)
      try chip.drive(lines: 8, toggles: 10, every: 8_000, from: first)
      let expected = options.edges == .both ? 40 : 20
      // A host that is busy elsewhere swallows edges: then once more.
      let deadline = Date(timeIntervalSinceNow: 3)
      while monitor.edges().count < expected || subscriber.values.count < expected, Date() < deadline {
        RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01))
      }
      let theirs = monitor.edges()
      monitor.end()
      edges.finish()
      edges.teardown.wait()
      let ours = subscriber.values
      if theirs.count != expected || ours.count != expected { continue }
      for line in 0..<4 {
        XCTAssertEqual(
          ours.filter { Int($0.stream.index) == line }.map { $0.values[0].significand == 1 },
          theirs.filter { $0.line == line }.map(\.isRising), "line \(line), \(options)")
      }
      return ours.count
    }
    XCTFail("no run of five was complete: \(options)")
    return 0
  }

  /// 64 lines, 2,500 edges a second in all for 10 seconds where the host keeps up, first for gpiomon, then for Sluice: what each gets, and the CPU
  /// that it takes. Nothing may be lost in the kernel; what the simulator itself swallows shows with both.
  func testSixtyFourLinesBesideGPIOMon() throws {
    let chip = try SimulatedChip("sim64")
    func drive() throws -> Double {
      let start = Date()
      try chip.drive(lines: 64, toggles: 390, every: 20_000)
      return Date().timeIntervalSince(start)
    }
    try chip.drive(lines: 64, toggles: 1, every: 50_000, from: 1)
    let monitor = try Monitor(chip, lines: 0..<64, isOld: isOld, settings: [])
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
    let recorded = try drive()
    waitUntil("the edges") { count.value > 64 * 300 }
    let ourCPU = ownCPU - start
    edges.finish()
    edges.teardown.wait()
    subscription.cancel()
    print(
      """
      64 lines, \(64 * 390) edges driven, \(Int(64 * 390 / recorded))/s:
      gpiomon: \(theirs.count) edges, \(String(format: "%.1f", theirCPU / monitored * 100)) % of a core
      sluice:  \(count.value) edges, \(String(format: "%.1f", ourCPU / recorded * 100)) % of a core, \
      losses \(edges.losses.all.map { "\($0.count) \($0.sign)" })
      """)
    XCTAssertEqual(edges.losses[.skipped].count, 0)
    // What is missing shows. There may be signs without anything missing: the interrupt thread of the older interface
    // reads the level when it runs, which may be after the next edge.
    let (missing, signs) = (64 * 390 - count.value, edges.losses.all.reduce(0) { $0 + $1.count })
    XCTAssertGreaterThanOrEqual(missing, 0)
    if missing > 0 { XCTAssertGreaterThan(signs, 0) }
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
