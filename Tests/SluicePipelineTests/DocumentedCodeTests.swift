import Dispatch
import Foundation
import Sluice
import SluiceDevices
import SluiceDispatch
import SluiceExtras
import SluicePipeline
import SluiceReadings
import SluiceRecording
import SluiceStages
import TestFiles
import XCTest

// The Swift of docs, word for word: it compiles.

final class DocumentedCodeTests: XCTestCase {
  /// These need devices, or do not end.
  private enum Compiled {
    static func device() {
      do {
        let edges = try Publishers.GPIOEdges(chip: "gpiochip0", lines: ["3"])
        let cancellable =
          edges
          .throttle(for: .milliseconds(10), scheduler: DispatchQueue.main, latest: true)
          .buffer(size: 1_000, prefetch: .byRequest, whenFull: .dropOldest) { lost in print("lost", lost.time) }
          .sink(receiveCompletion: { print($0) }, receiveValue: { print($0.time, $0.values[0]) })
        withExtendedLifetime(cancellable) { dispatchMain() }
      } catch {
        print(error)  // cannot open GPIO chip gpiochip0: there is no such chip; this machine has no GPIO chip
      }
    }

    static func edges() throws {
      var options = GPIOOptions()
      options.bias = .pullUp
      options.edges = .both
      let edges = try Publishers.GPIOEdges(chip: "gpiochip0", lines: ["METER", "4"], options: options)
      let names = edges.streams.map(\.name)
      let recording = edges.sink(
        receiveCompletion: { print("ended:", $0) },
        receiveValue: { edge in
          print(edge.time, names[Int(edge.stream.index)], edge.values[0] == .one ? "rising" : "falling")
        })
      for loss in edges.losses.all { print(loss) }
      recording.cancel()
    }

    static func frames() throws {
      var options = CANOptions()
      options.dbc = "car.dbc"
      let frames = try Publishers.CANFrames(interface: "can0", options: options)
      let cancellable = frames.sink(
        receiveCompletion: { print($0) }, receiveValue: { print($0.stream, $0.time, $0.values) })
      cancellable.cancel()
    }

    static func levels() throws {
      let lines = GPIOLines(chip: "gpiochip0", lines: ["3", "4"])
      let levels = try Publishers.GPIOValues(lines, every: .milliseconds(100))
      let display = levels.sink(receiveCompletion: { print($0) }, receiveValue: { print($0.time, $0.values) })
      display.cancel()
    }

    static func namedLines() throws {
      for found in try GPIOLines.named(["METER", "DOOR"]) {
        let edges = try Publishers.GPIOEdges(found)
        print(edges.streams.map(\.name))
      }
    }

    static func output() throws {
      let output = try Subscribers.GPIOOutput<Never>(GPIOLines(chip: "gpiochip0", lines: ["5", "6"]))
      [[true, false], [false, true]].publisher.subscribe(output)
    }

    static func scans() throws {
      var options = IIOOptions()
      options.samplingFrequency = "100"
      options.latency = 10_000_000  // ns
      let scans = try Publishers.IIOScans(device: "bmi160", channels: ["accel_x", "accel_y"], options: options)
      print(scans.description.channels.map { "\($0.name) in \($0.unit ?? "?")" })
      let walk = scans.sink(receiveCompletion: { print($0) }, receiveValue: { print($0.time, $0.values) })
      walk.cancel()
    }

    static func events() throws {
      let events = try Publishers.IIOEvents(device: "adxl345", events: ["accel_x_thresh_rising=300"])
      let knocks = events.sink(
        receiveCompletion: { print($0) },
        receiveValue: { print($0.time, events.streams[Int($0.stream.index)].name) })
      knocks.cancel()
    }

    static func polledFile() throws {
      let file = try PolledAttributes.path(of: "thermal:cpu-thermal")
      let temperature = try Publishers.PolledAttribute(path: file, every: .seconds(1), inSI: true)
      let room = temperature.sink(receiveCompletion: { print($0) }, receiveValue: { print($0.values[0]) })
      room.cancel()
    }

    static func stages() throws {
      let trace = try TraceReader(path: "meter.csv")
      let flow = try Frequency(interval: 1_000_000_000, inputs: InputStreams(trace.streams))
      let replay = Publishers.Replay(trace).process(by: flow).sink {
        print($0)
      } receiveValue: {
        print($0.values)
      }
      replay.cancel()
    }
  }

  private static func printTrace(_ path: String) async throws {
    for try await reading in Publishers.Replay(try TraceReader(path: path)).values {
      print(reading.time, reading.values[0])
    }
  }

  private static func printEdges() async throws {
    let edges = try Publishers.GPIOEdges(chip: "gpiochip0", lines: ["3"])
    for try await edge in edges.values(buffering: 1_000, whenFull: .dropOldest) {
      print(edge.time, edge.values[0])
    }
  }

  private static func tens() -> AnyPublisher<Int, any Error> {
    let ticks = AsyncStream<Int> { continuation in
      for tick in 1...3 { continuation.yield(tick) }
      continuation.finish()
    }
    return ticks.publisher.map { $0 * 10 }.eraseToAnyPublisher()
  }

  private actor Journal {
    var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
  }

  private static func write(_ lines: some Publisher<String, Never>, to journal: Journal) -> AnyCancellable {
    lines.sink(on: journal) { journal, line in journal.add(line) }
  }

  func testAsyncSequences() async throws {
    let folder = TemporaryFolder()
    try Data("time_ns,a\n1,2\n2,3\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/t.csv"))
    try await Self.printTrace("\(folder)/t.csv")
    var tens: [Int] = []
    for try await ten in Self.tens().values { tens.append(ten) }
    XCTAssertEqual(tens, [10, 20, 30])
    // The last line is written before the subject ends, because the journal is asked for it afterwards.
    let (journal, lines) = (Journal(), PassthroughSubject<String, Never>())
    let written = Self.write(lines.buffer(size: 10, prefetch: .byRequest, whenFull: .dropOldest), to: journal)
    lines.send("a")
    while await journal.lines.isEmpty { await Task.yield() }
    let all = await journal.lines
    XCTAssertEqual(all, ["a"])
    written.cancel()
  }

  func testOtherLibraries() {
    let clock = VirtualTimeScheduler()
    let presses = PassthroughSubject<String, Never>()
    var heard: [String] = []
    let pressing = presses.debounce(for: .milliseconds(50), scheduler: clock).sink { heard.append($0) }
    presses.send("a")
    presses.send("b")
    clock.advance(by: .milliseconds(50))
    print(heard)  // ["b"]
    XCTAssertEqual(heard, ["b"])
    pressing.cancel()

    let typed = PassthroughSubject<String, Never>()
    let searches =
      typed
      .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
      .removeDuplicates()
      .sink { print("search", $0) }
    searches.cancel()
  }

  private static func tank() throws -> [String] {
    let printed = Locked<[String]>([])
    @Sendable func print(_ text: String) { printed.withLock { $0.append(text) } }
    let tank = StreamDescription(name: "tank", channels: [.init(name: "level", unit: "mm")])
    let (clock, done) = (EpochClock(), DispatchSemaphore(value: 0))
    let sink = try RecordingSink([.csv("tank.csv", layout: .wide)], streams: [tank]) { error in
      print(error.map { "\($0)" } ?? "done")
      done.signal()
    }
    Publishers.timer(queue: DispatchQueue(label: "tank"), interval: .milliseconds(10), times: .max(100))
      .scan(Int64(0)) { level, _ in level + 1 }
      .map { level in Reading(time: clock.now, stream: StreamID(0), values: [level]) }
      .buffer(size: 1_000, prefetch: .byRequest, whenFull: .dropOldest)
      .subscribe(sink)
    sink.pause()
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.5) { sink.resume() }
    done.wait()  // tank.csv has 100 rows, also those of the pause
    return printed.withLock { $0 }
  }

  func testTheTankOfTheFirstExample() throws {
    let folder = TemporaryFolder()
    let before = FileManager.default.currentDirectoryPath
    XCTAssertTrue(FileManager.default.changeCurrentDirectoryPath(folder.path))
    defer { XCTAssertTrue(FileManager.default.changeCurrentDirectoryPath(before)) }
    let ended = expectation(description: "the recording has ended")
    let printed = Locked<[String]>([])
    DispatchQueue.global().async {
      let lines = (try? Self.tank()) ?? ["it was not made"]
      printed.withLock { $0 = lines }
      ended.fulfill()
    }
    wait(for: [ended], timeout: 60)
    XCTAssertEqual(printed.withLock { $0 }, ["done"])
    let rows = try String(contentsOfFile: "\(folder)/tank.csv", encoding: .utf8).split(separator: "\n")
    XCTAssertEqual(rows.dropFirst().map { $0.split(separator: ",").last }, (1...100).map { "\($0)" })
  }

  func testThePlan() throws {
    var printed = ""
    func print(_ text: String) { printed = text }
    var plan = RecordingPlan(
      sources: [try SourceSpec("walk=iio:bmi160:accel_x,sample-rate=400,reconnect")],
      stages: [.buffer(), .throttle(for: .milliseconds(100))],
      outputs: [OutputPlan("walk.csv")])
    plan.limits.duration = .seconds(90)
    try plan.validate()
    print(plan.text)
    XCTAssertEqual(try RecordingPlan(json: Array(printed.utf8), name: "plan"), plan)
  }

  /// Every Swift block stands in this file: its imports are among those above, and the rest follows in one piece.
  func testNothingElseIsShown() throws {
    func code(_ lines: some Sequence<Substring>) -> String {
      lines.joined().filter { !$0.isWhitespace }
    }
    let source = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
    let compiled = code(source.split(separator: "\n").filter { !$0.contains("withExtendedLifetime(cancellable) {}") })
    let pages = try FileManager.default.contentsOfDirectory(
      at: Checkout.file("docs"), includingPropertiesForKeys: nil)
    var count = 0
    for page in pages where page.pathExtension == "md" {
      // These show parts of other files.
      if ["Cookbook.md", "Extending.md", "YourSensor.md"].contains(page.lastPathComponent) { continue }
      for block in try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```")
      where block.hasPrefix("swift\n") && !block.hasPrefix("swift\n.package(") {
        count += 1
        let lines = block.dropFirst(6).split(separator: "\n")
        let shown = code(lines.filter { !$0.hasPrefix("import ") })
        XCTAssertTrue(compiled.contains(shown), "\(page.lastPathComponent) shows what is not here:\n\(shown)")
      }
    }
    XCTAssertGreaterThanOrEqual(count, 11)
  }

  /// The sensor of the template is that of the example.
  func testTheTemplateHasTheSensorOfTheExample() throws {
    for name in ["Thermometer.swift", "ThermometerKind.swift"] {
      XCTAssertEqual(
        try Checkout.text("Examples/Template/Sources/thermometer/\(name)"),
        try Checkout.text("Examples/OwnKinds/\(name)"),
        name)
    }
  }

  /// The tutorial's code is the template's; its commands are those of the page.
  func testTheCommandsOfTheTutorial() throws {
    let page = try Checkout.text("docs/YourSensor.md")
    let commands = try Checkout.text("Sources/SluicePipeline/SluicePipeline.docc/thermometer.sh").split(separator: "\n")
    XCTAssertEqual(commands.count, 6)
    for command in commands { XCTAssertTrue(page.contains("    \(command)"), "\(command)") }
    let tutorial = try Checkout.text("Sources/SluicePipeline/SluicePipeline.docc/Thermometer.tutorial")
    for name in try FileManager.default.contentsOfDirectory(
      atPath: Checkout.file("Examples/Template/Sources/thermometer").path)
    {
      XCTAssertTrue(tutorial.contains("file: \"\(name)\""), name)
    }
  }

  /// The Swift of these pages stands in the example, which sees no more of this package than a program outside of it.
  func testPagesShowPartsOfTheExample() throws {
    func code(_ text: String) -> String {
      text.split(separator: "\n").filter { !$0.contains("import ") }.joined().filter { !$0.isWhitespace }
    }
    let files = try FileManager.default.contentsOfDirectory(
      at: Checkout.file("Examples/OwnKinds"), includingPropertiesForKeys: nil)
    let example = try files.filter { $0.pathExtension == "swift" }
      .map { code(try String(contentsOf: $0, encoding: .utf8)) }.joined()
    for (name, count) in [("Extending.md", 8), ("YourSensor.md", 3)] {
      let page = try String(contentsOf: Checkout.file("docs/\(name)"), encoding: .utf8)
      let shown = page.components(separatedBy: "```").filter { $0.hasPrefix("swift\n") && !$0.contains(".package(") }
      XCTAssertGreaterThanOrEqual(shown.count, count, name)
      for block in shown {
        XCTAssertTrue(
          example.contains(code(String(block.dropFirst(6)))), "\(name) shows what is not in the example:\n\(block)")
      }
    }
  }
}
