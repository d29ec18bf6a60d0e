import Dispatch
import Foundation
import Sluice
import SluiceTesting
import TestFiles
import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

final class RecordingSinkTests: XCTestCase {
  private let level = StreamDescription(
    name: "a,b", channels: [StreamDescription.Channel(name: "x", scale: ExactDecimal(significand: 5, exponent: -1))])
  private let pair = StreamDescription(
    name: "imu", channels: [StreamDescription.Channel(name: "p \"q\""), StreamDescription.Channel(name: "r")])

  /// A sink that tells when it is done.
  private func sink(
    _ output: RecordingOutput, _ streams: [StreamDescription], pauseMode: PauseMode = .hold, ahead: Int = 1
  ) throws -> (sink: RecordingSink, done: XCTestExpectation) {
    let done = expectation(description: "done")
    let sink = try RecordingSink(
      [output], streams: streams, pauseMode: pauseMode, ahead: ahead
    ) { error in
      XCTAssertNil(error)
      done.fulfill()
    }
    return (sink, done)
  }

  func testWide() throws {
    let folder = TemporaryFolder()
    let (sink, done) = try sink(.csv(folder.file("t.csv"), layout: .wide), [level])
    [reading(1, 0, [3]), reading(-2, 0, [-4])].publisher.subscribe(sink)
    wait(for: [done], timeout: 60)
    XCTAssertEqual(folder.text("t.csv"), "time_ns,\"a,b\"\n1,1.5\n-2,-2.0\n")
    XCTAssertEqual(sink.written, [2])
  }

  func testLongQuotesNames() throws {
    let folder = TemporaryFolder()
    let (sink, done) = try sink(.csv(folder.file("t.csv"), layout: .long, raw: true), [level, pair])
    [reading(1, 0, [3]), reading(2, 1, [4, 5]), reading(3, 1, [6])].publisher.subscribe(sink)
    wait(for: [done], timeout: 60)
    XCTAssertEqual(
      folder.text("t.csv"),
      """
      time_ns,stream,channel,value
      1,"a,b",x,3
      2,imu,"p ""q""\",4
      2,imu,r,5
      3,imu,"p ""q""\",6
      3,imu,r,

      """)
  }

  func testAFileAStream() throws {
    let folder = TemporaryFolder()
    let (sink, done) = try sink(.folder(folder.path), [level, pair])
    [reading(1, 0, [2]), reading(2, 1, [4, 5])].publisher.subscribe(sink)
    wait(for: [done], timeout: 60)
    XCTAssertEqual(folder.files, ["a_b.csv", "imu.csv"])
    XCTAssertEqual(folder.text("a_b.csv"), "time_ns,\"a,b\"\n1,1.0\n")
    XCTAssertEqual(folder.text("imu.csv"), "time_ns,\"imu.p \"\"q\"\"\",imu.r\n2,4,5\n")
  }

  func testAnExistingFileIsLeftAlone() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.csv", "mine\n")
    let refused = error { _ = try RecordingSink([.csv(path, layout: .wide)], streams: [level]) { _ in } }
    XCTAssertEqual(refused?.code, .alreadyExists)
    XCTAssertEqual(folder.text("t.csv"), "mine\n")
    let other = error {
      _ = try RecordingSink([.csv(path, layout: .wide, existing: .append)], streams: [level]) { _ in }
    }
    XCTAssertEqual(other?.code, .malformed)
  }

  /// It is longer than what is read of other files' beginnings.
  func testALongHeaderIsNotTakenForATornOne() throws {
    let folder = TemporaryFolder()
    let streams = (0..<60).map { number in
      StreamDescription(
        name: "stream \(number)",
        channels: (0..<60).map { StreamDescription.Channel(name: String(repeating: "x", count: 20) + "\($0)") })
    }
    let (first, done) = try sink(.csv(folder.file("t.csv"), layout: .wide), streams)
    [reading(1, 0, [2])].publisher.subscribe(first)
    wait(for: [done], timeout: 60)
    let before = try XCTUnwrap(folder.text("t.csv"))
    XCTAssertGreaterThan(before.split(separator: "\n")[0].utf8.count, 64 << 10)
    let (second, ended) = try sink(.csv(folder.file("t.csv"), layout: .wide, existing: .append), streams)
    [reading(2, 0, [3])].publisher.subscribe(second)
    wait(for: [ended], timeout: 60)
    XCTAssertTrue(try XCTUnwrap(folder.text("t.csv")).hasPrefix(before))
    XCTAssertEqual(folder.text("t.csv")?.split(separator: "\n").count, 3)
  }

  /// Rows of two recordings are not mixed.
  func testAFileIsWrittenByOneRecording() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.csv")
    let (first, done) = try sink(.csv(path, layout: .wide), [level])
    for existing in [ExistingFile.append, .overwrite] {
      let refused = error {
        _ = try RecordingSink([.csv(path, layout: .wide, existing: existing)], streams: [level]) { _ in }
      }
      XCTAssertEqual(refused?.code, .busy)
    }
    [reading(1, 0, [2])].publisher.subscribe(first)
    wait(for: [done], timeout: 60)
    XCTAssertEqual(folder.text("t.csv"), "time_ns,\"a,b\"\n1,1.0\n")
    XCTAssertNil(
      error { _ = try RecordingSink([.csv(path, layout: .wide, existing: .append)], streams: [level]) { _ in } })
  }

  /// Nothing can be lost of what is no regular file.
  func testADeviceIsNoExistingFile() throws {
    let (sink, done) = try sink(.csv("/dev/null", layout: .wide), [level])
    [reading(1, 0, [2])].publisher.subscribe(sink)
    wait(for: [done], timeout: 60)
    XCTAssertEqual(sink.written, [1])
  }

  /// More than waits for the disk at most: the sink stops asking and goes on by itself.
  func testManyRuns() throws {
    let folder = TemporaryFolder()
    let (sink, done) = try sink(.csv(folder.file("t.csv"), layout: .wide), [pair])
    let block = (0..<1_000).map { reading($0, 0, [$0, -$0]) }
    Array(repeating: block, count: 200).publisher.flatMap { $0.publisher }.buffer(
      size: 1_000, prefetch: .keepFull, whenFull: .dropNewest
    ).subscribe(sink)
    wait(for: [done], timeout: 60)
    let rows = block.map { "\($0.time),\($0.time),\(-$0.time)\n" }.joined()
    XCTAssertTrue(folder.text("t.csv") == "time_ns,\"imu.p \"\"q\"\"\",imu.r\n" + String(repeating: rows, count: 200))
    XCTAssertEqual(sink.written, [200_000])
  }

  /// Rows that are scaled, of more values than fit into a reading itself, and of fewer than there are channels.
  func testOtherRows() throws {
    let folder = TemporaryFolder()
    let channels = (0..<10).map {
      StreamDescription.Channel(name: "c\($0)", scale: $0 == 9 ? ExactDecimal(significand: 5) : .one)
    }
    for (name, channels) in [("scaled", channels), ("plain", channels.dropLast())] {
      let (sink, done) = try sink(
        .csv(folder.file(name), layout: .wide), [StreamDescription(name: "a", channels: Array(channels))]
      )
      [reading(1, 0, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), reading(2, 0, [7])].publisher.subscribe(sink)
      wait(for: [done], timeout: 60)
    }
    XCTAssertEqual(
      folder.text("scaled")?.split(separator: "\n").dropFirst(), ["1,0,1,2,3,4,5,6,7,8,45", "2,7,,,,,,,,,"])
    XCTAssertEqual(folder.text("plain")?.split(separator: "\n").dropFirst(), ["1,0,1,2,3,4,5,6,7,8", "2,7,,,,,,,,"])
  }

  func testAppendGoesOn() throws {
    let folder = TemporaryFolder()
    for (existing, time) in [(ExistingFile.append, Int64(1)), (.append, 2), (.overwrite, 3)] {
      let (sink, done) = try sink(
        .csv(folder.file("t.csv"), layout: .wide, existing: existing), [level])
      [reading(time, 0, [2])].publisher.subscribe(sink)
      wait(for: [done], timeout: 60)
      if time == 2 { XCTAssertEqual(folder.text("t.csv"), "time_ns,\"a,b\"\n1,1.0\n2,1.0\n") }
    }
    XCTAssertEqual(folder.text("t.csv"), "time_ns,\"a,b\"\n3,1.0\n")
  }

  func testAFolderIsAllOrNothing() throws {
    let folder = TemporaryFolder()
    _ = folder.file("imu.csv", "mine\n")
    XCTAssertNotNil(error { _ = try RecordingSink([.folder(folder.path)], streams: [level, pair]) { _ in } })
    XCTAssertEqual(folder.files, ["imu.csv"])
    // Nothing is made where two streams would be one file, or two channels one column.
    let other = StreamDescription(name: "a/b", channels: level.channels)
    XCTAssertEqual(
      error { _ = try RecordingSink([.folder(folder.path)], streams: [level, other]) { _ in } }?.code, .usage)
    let twin = StreamDescription(name: "imu.r", channels: level.channels)
    XCTAssertEqual(
      error { _ = try RecordingSink([.csv(folder.file("x"), layout: .wide)], streams: [pair, twin]) { _ in } }?.code,
      .usage)
    XCTAssertEqual(folder.files, ["imu.csv"])
  }

  func testPausedItAsksForNothing() throws {
    let folder = TemporaryFolder()
    let (sink, done) = try sink(.csv(folder.file("t.csv"), layout: .wide), [level])
    let upstream = TestPublisher<Reading, Never>()
    upstream.subscribe(sink)
    XCTAssertEqual(upstream.requests, [.max(1)])
    XCTAssertEqual(upstream.send(reading(1, 0, [1])), .max(1))
    sink.pause()
    XCTAssertEqual(upstream.send(reading(2, 0, [1])), .none, "the one in flight is taken")
    sink.resume()
    sink.resume()
    XCTAssertEqual(upstream.requests, [.max(1), .max(1)])
    upstream.send(completion: .finished)
    wait(for: [done], timeout: 60)
    XCTAssertEqual(sink.written, [2])
  }

  /// What it had asked for comes all the same.
  func testWhatComesInAPauseIsKept() throws {
    let folder = TemporaryFolder()
    let (sink, done) = try sink(.csv(folder.file("t.csv"), layout: .wide), [level], ahead: 3)
    let upstream = TestPublisher<Reading, Never>()
    upstream.subscribe(sink)
    XCTAssertEqual(upstream.requests, [.max(3)])
    XCTAssertEqual(upstream.send(reading(1, 0, [1])), .max(1))
    sink.pause()
    for time in 2...4 { XCTAssertEqual(upstream.send(reading(Int64(time), 0, [1])), .none) }
    XCTAssertEqual(sink.written, [1])
    sink.resume()
    XCTAssertEqual(upstream.requests, [.max(3), .max(3)])
    XCTAssertEqual(sink.written, [4])
    upstream.send(reading(5, 0, [1]))
    sink.pause()
    upstream.send(reading(6, 0, [1]))
    upstream.send(completion: .finished)
    wait(for: [done], timeout: 60)
    XCTAssertEqual(folder.text("t.csv"), "time_ns,\"a,b\"\n" + (1...6).map { "\($0),0.5\n" }.joined())
    XCTAssertEqual(sink.written, [6])
  }

  func testPausedItCanDiscard() throws {
    let folder = TemporaryFolder()
    let (sink, done) = try sink(
      .csv(folder.file("t.csv"), layout: .wide), [level], pauseMode: .discard)
    let upstream = TestPublisher<Reading, Never>()
    upstream.subscribe(sink)
    sink.pause()
    XCTAssertEqual(upstream.send(reading(1, 0, [1])), .max(1))
    sink.resume()
    upstream.send(reading(2, 0, [1]))
    upstream.send(completion: .finished)
    wait(for: [done], timeout: 60)
    XCTAssertEqual(sink.written, [1])
    XCTAssertEqual(sink.discarded, [1])
    XCTAssertEqual(folder.text("t.csv"), "time_ns,\"a,b\"\n2,0.5\n")
  }

  func testTheRowAfterADiscardHasTheGapFlag() throws {
    let folder = TemporaryFolder()
    let (sink, done) = try sink(
      RecordingOutput(path: folder.file("t.jsonl"), format: JSONLinesFormat()), [level], pauseMode: .discard)
    let upstream = TestPublisher<Reading, Never>()
    upstream.subscribe(sink)
    sink.pause()
    upstream.send(reading(1, 0, [1]))
    sink.resume()
    for time: Int64 in 2...3 { upstream.send(reading(time, 0, [1])) }
    upstream.send(completion: .finished)
    wait(for: [done], timeout: 60)
    let rows = try XCTUnwrap(folder.text("t.jsonl")).split(separator: "\n")
    XCTAssertEqual(rows.map { $0.contains(#""flags":["gap_before"]"#) }, [true, false], "\(rows)")
  }

  func testADiskThatIsFullIsAnError() {
    let full = error {
      _ = try RecordingSink([.csv("/dev/full", layout: .wide, existing: .overwrite)], streams: [level]) { _ in }
    }
    XCTAssertEqual(full?.errno, ENOSPC)
  }

  // MARK: Errors of the file

  /// A row that several streams share: the rest may come after a pause; in a replay it may come at any time.
  func testARowIsEndedByTimeOnlyWhereNothingCanJoinIt() throws {
    let device = StreamDescription.Device(path: "/dev/gpiochip0")
    let streams = ["l", "r"].map {
      StreamDescription(name: $0, channels: [StreamDescription.Channel(name: "x")], device: device)
    }
    for (rowsEndByTime, isPaused, rows) in [
      (true, false, "1,5,\n1,,6\n"), (true, true, "1,5,6\n"), (false, false, "1,5,6\n"), (false, true, "1,5,6\n"),
    ] {
      let folder = TemporaryFolder()
      let done = expectation(description: "done")
      let sink = try RecordingSink(
        [.csv(folder.file("t.csv"), layout: .wide)], streams: streams, ahead: 2, claims: OutputClaims(),
        rowsEndByTime: rowsEndByTime
      ) { _ in done.fulfill() }
      let subject = PassthroughSubject<Reading, Never>()
      subject.subscribe(sink)
      subject.send(reading(1, 0, [5]))
      if isPaused { sink.pause() }
      for _ in 0..<3 { sink.flush() }  // as the timer does
      subject.send(reading(1, 1, [6]))
      if isPaused { sink.resume() }
      subject.send(completion: .finished)
      wait(for: [done], timeout: 60)
      XCTAssertEqual(folder.text("t.csv"), "time_ns,l,r\n\(rows)", "by time \(rowsEndByTime), paused \(isPaused)")
    }
  }

  /// Counted as written are the readings whose rows the system took, and no others.
  func testAfterAnErrorTheCountsAreThoseOfTheFile() throws {
    // A file may have so many bytes: the write that reaches it is cut short, the next fails.
    signal(SIGXFSZ, SIG_IGN)
    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    var limits = rlimit()
    getrlimit(resource, &limits)
    let before = limits
    limits.rlim_cur = 150_001
    setrlimit(resource, &limits)
    defer { _ = withUnsafePointer(to: before) { setrlimit(resource, $0) } }

    let other = StreamDescription(name: "n,m", channels: [StreamDescription.Channel(name: "x")])
    var all: [Reading] = []
    for number in Int64(0)..<20_000 {
      all.append(number % 3 == 2 ? reading(number, 1, [7]) : reading(number, 0, [number, 5]))
    }
    for (layout, streams) in [(CSVLayout.wide, [pair]), (.long, [pair, other])] {
      let readings = all.filter { Int($0.stream.index) < streams.count }
      let folder = TemporaryFolder()
      let done = expectation(description: "done")
      let path = folder.file("t.csv")
      let sink = try RecordingSink([.csv(path, layout: layout)], streams: streams) {
        XCTAssertEqual($0?.errno, EFBIG)
        done.fulfill()
      }
      readings.publisher.subscribe(sink)
      wait(for: [done], timeout: 60)

      let trace = try TraceReader(path: path)
      var inFile = streams.map { _ in 0 }
      while let reading = try trace.next() {
        // The last one may have lost the row of its last channel.
        if reading.values.last?.isMissing == false { inFile[Int(reading.stream.index)] += 1 }
      }
      XCTAssertEqual(sink.written, inFile)
      XCTAssertGreaterThan(inFile[0], 1_000)
      XCTAssertLessThan(inFile[0], readings.filter { $0.stream.index == 0 }.count)
    }
  }
}
