import Foundation
import Sluice
import SluiceReadings
import SluiceSystem
import SluiceTesting
import XCTest

@testable import SluiceDevices

/// Lines are numbers.
private struct Numbers: LineGrammar {
  let streams = [StreamDescription(name: "n", channels: [.init(name: "value")])]

  mutating func parse(_ line: UnsafeBufferPointer<UInt8>, into reading: inout Reading) -> LineOutcome {
    guard let value = ExactDecimal(utf8: line) else { return .fault(LineFault("it is no number")) }
    (reading.stream, reading.values) = (StreamID(0), Values([value]))
    return .reading
  }
}

final class LineSourceTests: XCTestCase {
  private let told = Locked([String]())

  private func open(
    _ wire: any LineWire, whenRemoved: (@Sendable (SluiceError?) -> Void)? = nil, isInterrupted: () -> Bool = { false }
  ) throws -> LineSource {
    try LineSource(
      wire, learn: { _ in Numbers() }, whenRemoved: whenRemoved,
      tell: { [told] sentence in told.withLock { $0.append(sentence) } }, isInterrupted: isInterrupted)
  }

  /// What a subscriber got.
  private final class Got: Sendable {
    let readings = Locked([Reading]())
    let completion = Locked(Subscribers.Completion<SluiceError>?.none)
    let ended = XCTestExpectation(description: "ended")
    let count: XCTestExpectation

    init(_ count: Int = 1) {
      self.count = XCTestExpectation(description: "\(count) readings")
      self.count.expectedFulfillmentCount = count
      self.count.assertForOverFulfill = false
    }

    func subscribe(_ source: LineSource) -> AnyCancellable {
      source.readings(from: StreamID(3), clock: EpochClock(offset: 0)).sink { [self] completion in
        self.completion.withLock { $0 = completion }
        ended.fulfill()
      } receiveValue: { [self] reading in
        readings.withLock { $0.append(reading) }
        count.fulfill()
      }
    }

    var values: [Int64] { readings.withLock { $0.map { $0.values[0].significand } } }
    var failure: SluiceError? {
      if case .failure(let error)? = completion.withLock({ $0 }) { error } else { nil }
    }
  }

  private func file(_ text: String) throws -> String {
    let path = NSTemporaryDirectory() + "lines-\(UUID().uuidString)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    addTeardownBlock { try? FileManager.default.removeItem(atPath: path) }
    return path
  }

  // MARK: Files

  func testAFileEndsTheSource() throws {
    let source = try open(FileWire(try file("1\n2\nx\n3\n4")))
    let got = Got()
    let cancellable = got.subscribe(source)
    wait(for: [got.ended], timeout: 60)
    source.waitUntilClosed()
    XCTAssertEqual(got.values, [1, 2, 3, 4])
    XCTAssertEqual(got.readings.withLock { $0.map(\.flags) }, [[], [], .gapBefore, []])
    XCTAssertEqual(got.readings.withLock { Set($0.map(\.stream)) }, [StreamID(3)])
    XCTAssertNil(got.failure)
    XCTAssertEqual(source.lossReport.losses.map(\.phrase), ["1 line does not fit"])
    XCTAssertEqual(told.withLock { $0.count }, 1)
    withExtendedLifetime(cancellable) {}
  }

  func testManyLinesWithALittleDemand() throws {
    let source = try open(FileWire(try file((0..<50_000).map { "\($0)\n" }.joined())))
    let got = Got()
    let cancellable = source.readings(from: StreamID(0), clock: EpochClock(offset: 0)).buffer(
      size: 10, prefetch: .byRequest, whenFull: .dropOldest
    ).flatMap(maxPublishers: .max(1)) { Just($0).setFailureType(to: SluiceError.self) }.sink { _ in
      got.ended.fulfill()
    } receiveValue: { reading in
      got.readings.withLock { $0.append(reading) }
    }
    wait(for: [got.ended], timeout: 60)
    XCTAssertEqual(got.values, Array(0..<50_000))
    withExtendedLifetime(cancellable) {}
  }

  func testAFileThatIsNotThere() {
    XCTAssertThrowsError(try open(FileWire("/nowhere"))) { error in
      XCTAssertEqual(
        "\(error)",
        "cannot open /nowhere: no such file or directory; give a file, a FIFO or - that this user may read")
    }
  }

  func testAnEmptyFileHasNoForm() throws {
    XCTAssertThrowsError(
      try LineSource(FileWire(try file("")), learn: { line -> (any LineGrammar)? in nil })
    ) { error in
      XCTAssertTrue("\(error)".contains("it ended before its first line"), "\(error)")
    }
  }

  func testAStopEndsTheWaitForTheFirstLine() throws {
    let path = NSTemporaryDirectory() + "fifo-\(UUID().uuidString)"
    XCTAssertEqual(mkfifo(path, 0o600), 0)
    addTeardownBlock { unlink(path) }
    var asked = 0
    XCTAssertThrowsError(
      try open(
        FileWire(path),
        isInterrupted: {
          asked += 1
          return asked > 3
        })
    ) { error in XCTAssertEqual((error as? SluiceError)?.code, .interrupted) }
  }

  // MARK: Times of a board

  /// Lines are times in milliseconds.
  private struct Milliseconds: LineGrammar {
    let streams = [StreamDescription(name: "n", channels: [.init(name: "value")])]

    mutating func parse(_ line: UnsafeBufferPointer<UInt8>, into reading: inout Reading) -> LineOutcome {
      guard let value = ExactDecimal(utf8: line) else { return .fault(LineFault("it is no number")) }
      (reading.time, reading.stream, reading.values) = (value.significand * 1_000_000, StreamID(0), Values([value]))
      return .reading
    }
  }

  /// A counter from the board's start gives the distances, and begins anew when the board does. A date stays.
  func testTimesFromTheStartOfABoard() throws {
    let text = "5000\n5020\n5030\n0\n7\n1700000000123\n"
    let before = EpochClock().now
    let source = try LineSource(FileWire(try file(text)), learn: { _ in Milliseconds() })
    let got = Got()
    let cancellable = source.readings(from: StreamID(0), clock: EpochClock()).sink { _ in
      got.ended.fulfill()
    } receiveValue: { reading in
      got.readings.withLock { $0.append(reading) }
    }
    wait(for: [got.ended], timeout: 60)
    let times = got.readings.withLock { $0.map(\.time) }
    let ms: Int64 = 1_000_000
    XCTAssertEqual(zip(times.dropFirst(), times).prefix(2).map { $0 - $1 }, [20 * ms, 10 * ms])
    XCTAssertEqual(times[3], times[2], "the lines were received with one read, and times do not go back")
    XCTAssertEqual(times[4] - times[3], 7 * ms)
    XCTAssertEqual(times[5], 1_700_000_000_123 * ms)
    XCTAssertTrue((before - 1_000 * ms...EpochClock().now + 1_000 * ms).contains(times[0]), "\(times)")
    withExtendedLifetime(cancellable) {}
  }

  // MARK: Serial ports

  private struct Terminal {
    let master: Int32
    let path: String
  }

  private func terminal() throws -> Terminal {
    let master = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY)
    XCTAssertGreaterThanOrEqual(master, 0)
    // posix_openpt(3) and unlockpt(3), which Glibc's module hides: TIOCSPTLCK, TIOCGPTN.
    var (isLocked, number) = (Int32(0), Int32(0))
    XCTAssertEqual(ioctl(master, 0x4004_5431, &isLocked), 0)
    XCTAssertEqual(ioctl(master, 0x8004_5430, &number), 0)
    return Terminal(master: master, path: "/dev/pts/\(number)")
  }

  private func send(_ text: String, _ terminal: Terminal) {
    var text = text
    let sent = text.withUTF8 { write(terminal.master, $0.baseAddress, $0.count) }
    XCTAssertEqual(sent, text.utf8.count)
  }

  func testASerialPortIsRawAndItsFirstLineIsLeftOut() throws {
    let terminal = try terminal()
    let wire = SerialWire(terminal.path, .init(rate: 115_200))
    let source = try open(wire)
    var settings = termios()
    XCTAssertEqual(tcgetattr(terminal.master, &settings), 0)
    XCTAssertEqual(settings.c_lflag & tcflag_t(ICANON | ECHO), 0)
    XCTAssertEqual(cfgetispeed(&settings), speed_t(B115200))
    // A flow control character would be lost if the port was not raw.
    send("4\n5\u{13}\u{11}\r\n6\r\n7\n", terminal)
    let got = Got(2)
    let cancellable = got.subscribe(source)
    wait(for: [got.count], timeout: 60)
    source.finish()
    wait(for: [got.ended], timeout: 60)
    XCTAssertEqual(got.values, [6, 7])
    XCTAssertEqual(source.lossReport.losses.map(\.phrase), ["1 line does not fit"])
    XCTAssertEqual(source.lossReport.coverage, .none)
    XCTAssertEqual(source.lossReport.reason, "with a driver that counts no errors")
    source.waitUntilClosed()
    XCTAssertEqual(tcgetattr(terminal.master, &settings), 0)
    XCTAssertNotEqual(settings.c_lflag & tcflag_t(ICANON), 0, "the settings are restored")
    close(terminal.master)
    withExtendedLifetime(cancellable) {}
  }

  /// What the driver of a port says instead of a pseudo terminal's.
  private final class Driver: Sendable {
    /// The counters of TIOCGICOUNT by their places; nil if the driver has none, for which the code says why.
    let counts: Locked<[Int: Int32]?>
    let code: Locked<Int32>

    init(_ counts: [Int: Int32]?, code: Int32 = ENOTTY) { (self.counts, self.code) = (Locked(counts), Locked(code)) }

    var calls: SerialCalls {
      var calls = SerialCalls()
      calls.request = { [self] descriptor, request, argument in
        guard request == UInt(TIOCGICOUNT) else { return ioctl(descriptor, request, argument) }
        guard let counts = counts.withLock({ $0 }) else {
          errno = code.withLock { $0 }
          return -1
        }
        // struct serial_icounter_struct
        let places = argument.assumingMemoryBound(to: Int32.self)
        for (place, count) in counts { places[place] = count }
        return 0
      }
      return calls
    }
  }

  /// A source of a port with this driver, and what the losses are when it has read a line after a change of the counters.
  private func losses(_ before: [Int: Int32]?, _ after: [Int: Int32]?, code: Int32 = ENOTTY) throws -> LossReport {
    let (terminal, driver) = (try terminal(), Driver(before, code: code))
    let source = try open(SerialWire(terminal.path, .init(rate: 9_600), driver.calls))
    XCTAssertEqual(source.lossReport.losses, [], "what was before the recording")
    driver.counts.withLock { $0 = after }
    let got = Got()
    let cancellable = got.subscribe(source)
    send("1\n2\n", terminal)
    wait(for: [got.count], timeout: 60)
    let meanwhile = source.lossReport
    source.finish()
    source.waitUntilClosed()
    driver.counts.withLock { $0 = [6: 100, 7: 100, 8: 100, 10: 100] }
    XCTAssertEqual(source.lossReport.losses, meanwhile.losses, "what comes after it")
    close(terminal.master)
    withExtendedLifetime(cancellable) {}
    return meanwhile
  }

  func testTheCountersOfADriverAreLossesOfTheirOwn() throws {
    let report = try losses([6: 5, 7: 5, 8: 5, 10: 5], [0: 9, 4: 99, 6: 6, 7: 7, 8: 8, 9: 9, 10: 9])
    XCTAssertEqual(
      report.losses.map { "\($0.count) \($0.reason)" },
      [
        "1 bytes with framing errors", "3 bytes with parity errors", "2 overruns of the port",
        "4 overruns of the kernel's buffer",
      ])
    XCTAssertEqual(Set(report.losses.map(\.isUncounted)), [true], "nobody knows how many readings they are")
    XCTAssertEqual(report.coverage, .some)
    XCTAssertEqual(try losses([6: 5], [6: 5]).losses, [])
  }

  func testTheCountersOfADriverWrap() throws {
    let report = try losses([6: Int32.max, 7: -1, 8: Int32.min], [6: Int32.min, 7: 1, 8: Int32.min + 1])
    XCTAssertEqual(report.losses.map(\.count), [1, 1, 2])
  }

  func testADriverWithoutCounters() throws {
    for code in [ENOTTY, EINVAL] {
      let report = try losses(nil, nil, code: code)
      XCTAssertEqual(report.losses, [])
      XCTAssertEqual(report.coverage, .none)
      XCTAssertEqual(report.reason, "with a driver that counts no errors")
    }
  }

  func testASettingThatTheDriverRefuses() throws {
    let terminal = try terminal()
    var calls = SerialCalls()
    calls.set = { _, _, _ in
      errno = EINVAL
      return -1
    }
    XCTAssertThrowsError(try open(SerialWire(terminal.path, .init(rate: 9_600), calls))) { error in
      XCTAssertEqual(
        "\(error)",
        "cannot set up the serial port \(terminal.path): invalid argument; give a rate and a frame that its driver has")
    }
    close(terminal.master)
  }

  /// Each wake-up costs processor time. A line that comes alone has its own time, so it does not wait.
  func testLinesOfAPortGatherIfSeveralComeAtOnce() throws {
    let terminal = try terminal()
    let wire = SerialWire(terminal.path, .init(rate: 115_200))
    let source = try open(wire)
    let reader = LineReader(source, Numbers(), LineBuffer(), StreamID(0), EpochClock())
    func gathering(after text: String) throws -> Int32 {
      send(text, terminal)
      var there: Int32 = 0
      let deadline = Date(timeIntervalSinceNow: 60)
      while there < text.utf8.count, Date() < deadline {
        var waiting = pollfd(fd: wire.descriptors[0], events: Int16(POLLIN), revents: 0)
        _ = poll(&waiting, 1, 100)
        XCTAssertEqual(ioctl(wire.descriptors[0], UInt(FIONREAD), &there), 0)
      }
      var batch: [Reading] = []
      try reader.read(ready: [true], limit: 100, into: &batch)
      return reader.gathering
    }
    XCTAssertEqual(reader.gathering, 0)
    XCTAssertEqual(try gathering(after: "0\n1\n2\n"), 10)
    XCTAssertEqual(try gathering(after: "3\n"), 0)
    XCTAssertEqual(try gathering(after: "4\n5\n"), 10)
    close(terminal.master)
  }

  func testAPortThatIsUsedIsRefused() throws {
    let terminal = try terminal()
    let first = try open(SerialWire(terminal.path, .init(rate: 9_600)))
    XCTAssertThrowsError(try open(SerialWire(terminal.path, .init(rate: 9_600)))) { error in
      XCTAssertEqual((error as? SluiceError)?.code, .busy, "\(error)")
    }
    close(terminal.master)
    withExtendedLifetime(first) {}
  }

  func testAPortThatIsPulledOutFails() throws {
    let terminal = try terminal()
    let source = try open(SerialWire(terminal.path, .init(rate: 9_600)))
    send("1\n2\n", terminal)
    let got = Got()
    let cancellable = got.subscribe(source)
    wait(for: [got.count], timeout: 60)
    close(terminal.master)
    wait(for: [got.ended], timeout: 60)
    XCTAssertEqual(got.failure?.code, .disconnected)
    withExtendedLifetime(cancellable) {}
  }

  func testAPortThatIsNone() throws {
    XCTAssertThrowsError(try open(SerialWire(try file(""), .init(rate: 9_600)))) { error in
      XCTAssertTrue("\(error)".contains("give the file of a serial port"), "\(error)")
    }
  }

  // MARK: Programs

  func testAProgramRunsInAGroupOfItsOwnWithoutOurDescriptors() throws {
    // Prints its group, whether it is its own process, and how many descriptors it has.
    let source = try open(
      ProgramWire(["sh", "-c", "set -- $(cat /proc/$$/stat); echo $(($5-$$)); ls /proc/self/fd | wc -l"]) { _ in })
    let got = Got()
    let cancellable = got.subscribe(source)
    wait(for: [got.ended], timeout: 60)
    // Standard input, output and error, and the folder that ls reads.
    XCTAssertEqual(got.values, [0, 4])
    XCTAssertNil(got.failure)
    withExtendedLifetime(cancellable) {}
  }

  func testTheEndOfAProgramIsTold() throws {
    let source = try open(ProgramWire(["sh", "-c", "echo 1; echo no sensor >&2; exit 3"]) { _ in })
    let got = Got()
    let cancellable = got.subscribe(source)
    wait(for: [got.ended], timeout: 60)
    XCTAssertEqual(got.values, [1])
    XCTAssertEqual(got.failure?.cause, "it ended with status 3, and said: no sensor")
    withExtendedLifetime(cancellable) {}
  }

  /// It is ended, and nobody else has done that.
  func testAProgramThatClosesItsOutputAndGoesOn() throws {
    for end in ["exec sleep 600", "trap 'exit 0' TERM; while :; do sleep 0.01; done"] {
      let source = try open(ProgramWire(["sh", "-c", "echo 1; echo why >&2; exec >&-; \(end)"]) { _ in })
      let got = Got()
      let cancellable = got.subscribe(source)
      wait(for: [got.ended], timeout: 60)
      XCTAssertEqual(got.values, [1])
      let cause = got.failure?.cause ?? ""
      XCTAssertTrue(cause.hasPrefix("it closed its output and went on, so it was ended, and said: why"), cause)
      withExtendedLifetime(cancellable) {}
    }
  }

  func testAProgramIsAskedToEndAndItsLastLinesAreRead() throws {
    let source = try open(
      ProgramWire(["sh", "-c", "trap 'echo 9; exit 0' TERM; echo 1; while :; do sleep 0.01; done"]) { _ in })
    let got = Got()
    let cancellable = got.subscribe(source)
    wait(for: [got.count], timeout: 60)
    source.finish()
    wait(for: [got.ended], timeout: 60)
    XCTAssertEqual(got.values, [1, 9])
    XCTAssertNil(got.failure)
    withExtendedLifetime(cancellable) {}
  }

  func testAProgramThatIgnoresTermIsKilled() throws {
    let said = XCTestExpectation(description: "told")
    let source = try open(
      ProgramWire(["sh", "-c", "trap '' TERM; echo 1; while :; do sleep 0.01; done"]) {
        if $0.contains("was killed") { said.fulfill() }
      })
    let got = Got()
    let cancellable = got.subscribe(source)
    wait(for: [got.count], timeout: 60)
    source.finish()
    wait(for: [got.ended, said], timeout: 60)
    XCTAssertEqual(got.values, [1])
    withExtendedLifetime(cancellable) {}
  }

  func testAProgramIsStartedAgain() throws {
    let removed = XCTestExpectation(description: "away and back")
    removed.expectedFulfillmentCount = 4
    removed.assertForOverFulfill = false
    let source = try open(
      ProgramWire(["sh", "-c", "echo 5; exit 1"]) { _ in }, whenRemoved: { _ in removed.fulfill() })
    let got = Got(3)
    let cancellable = got.subscribe(source)
    wait(for: [got.count, removed], timeout: 60)
    source.finish()
    wait(for: [got.ended], timeout: 60)
    XCTAssertEqual(Set(got.values), [5])
    XCTAssertEqual(got.readings.withLock { $0[1].flags }, .gapBefore)
    XCTAssertEqual(source.lossReport.losses.first { $0.reason == "times removed" }?.isUncounted, true)
    withExtendedLifetime(cancellable) {}
  }

  /// A flood of lines that are no readings, on standard output and on standard error, does not keep a stop from happening.
  func testAFloodEnds() throws {
    let source = try open(
      ProgramWire(["sh", "-c", "trap '' TERM; echo 1; yes >&2 & yes"]) { _ in })
    let got = Got()
    let cancellable = got.subscribe(source)
    wait(for: [got.count], timeout: 60)
    source.finish()
    wait(for: [got.ended], timeout: 60)
    source.waitUntilClosed()
    XCTAssertEqual(got.values, [1])
    withExtendedLifetime(cancellable) {}
  }

  func testAProgramThatIsNotThere() {
    XCTAssertThrowsError(try open(ProgramWire(["no-such-program"]) { _ in })) { error in
      XCTAssertTrue("\(error)".hasPrefix("cannot start the program no-such-program: no such file"), "\(error)")
    }
  }

  // MARK: Servers

  func testAServer() throws {
    let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutableBytes(of: &address) { bytes in
      let address = bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
      XCTAssertEqual(bind(listening, address, size), 0)
      XCTAssertEqual(listen(listening, 1), 0)
      XCTAssertEqual(getsockname(listening, address, &size), 0)
    }
    let port = "\(UInt16(bigEndian: address.sin_port))"
    let source = try open(TCPWire("127.0.0.1", port: port))
    let connection = accept(listening, nil, nil)
    XCTAssertEqual(write(connection, "1\n2\n", 4), 4)
    let got = Got(2)
    let cancellable = got.subscribe(source)
    wait(for: [got.count], timeout: 60)
    close(connection)
    close(listening)
    wait(for: [got.ended], timeout: 60)
    XCTAssertEqual(got.values, [1, 2])
    XCTAssertEqual(got.failure?.code, .disconnected)
    XCTAssertThrowsError(try open(TCPWire("127.0.0.1", port: port))) { error in
      XCTAssertTrue("\(error)".hasPrefix("cannot connect to 127.0.0.1:\(port): connection refused"), "\(error)")
    }
    withExtendedLifetime(cancellable) {}
  }

  /// A server that does not answer: its queue is full, so that the kernel leaves a connection unanswered.
  func testAStopEndsTheWaitForAServer() throws {
    let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listening) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let waiting = (0..<4).map { _ in
      socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    }
    defer { for descriptor in waiting { close(descriptor) } }
    withUnsafeMutableBytes(of: &address) { bytes in
      let address = bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
      XCTAssertEqual(bind(listening, address, size), 0)
      XCTAssertEqual(listen(listening, 0), 0)
      XCTAssertEqual(getsockname(listening, address, &size), 0)
      for descriptor in waiting { _ = connect(descriptor, address, size) }
    }
    var asked = 0
    XCTAssertThrowsError(
      try open(
        TCPWire("127.0.0.1", port: "\(UInt16(bigEndian: address.sin_port))"),
        isInterrupted: {
          asked += 1
          return asked > 3
        })
    ) { error in XCTAssertEqual((error as? SluiceError)?.code, .interrupted, "\(error)") }
    XCTAssertEqual(asked, 4)
  }

  // MARK: Datagrams

  /// A socket that sends to a port of this machine.
  private func sender(_ port: Int) -> Int32 {
    let sending = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    withUnsafeBytes(of: &address) { bytes in
      let address = bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
      XCTAssertEqual(connect(sending, address, socklen_t(bytes.count)), 0)
    }
    return sending
  }

  /// A source at a port that nobody else has.
  private func datagrams() throws -> (source: LineSource, port: Int) {
    for port in 20_000..<60_000 {
      do { return (try open(UDPWire("127.0.0.1", port: "\(port)")), port) } catch {
        guard (error as? SluiceError)?.errno == EADDRINUSE else { throw error }
      }
    }
    throw XCTSkip("no port is free")
  }

  func testDatagrams() throws {
    let (source, port) = try datagrams()
    let got = Got(4)
    let cancellable = got.subscribe(source)
    let sending = sender(port)
    let before = EpochClock(offset: 0).now
    // With and without the end of the last line.
    for text in ["1\n", "2", "3\n4\n", "x"] {
      XCTAssertEqual(Glibc.send(sending, text, text.utf8.count, 0), text.utf8.count)
    }
    wait(for: [got.count], timeout: 60)
    source.finish()
    wait(for: [got.ended], timeout: 60)
    XCTAssertEqual(got.values, [1, 2, 3, 4])
    for reading in got.readings.withLock({ $0 }) {
      // By the monotonic clock, although the kernel's receipt is of the wall clock.
      XCTAssertLessThan(abs(reading.time - before), 60_000_000_000)
      XCTAssertEqual(reading.flags, [])
    }
    XCTAssertEqual(source.lossReport.coverage, .some)
    close(sending)
    withExtendedLifetime(cancellable) {}
  }

  /// What the socket's buffer has no room for is counted exactly, also if nothing comes after it.
  func testDroppedDatagramsAreCounted() throws {
    let (source, port) = try datagrams()
    let sending = sender(port)
    let count = 40_000
    for number in 0..<count {
      let text = "\(number)"
      XCTAssertEqual(Glibc.send(sending, text, text.utf8.count, 0), text.utf8.count)
    }
    let dropped = source.lossReport.losses.first?.count ?? 0
    XCTAssertGreaterThan(dropped, 0, "the buffer had room for all")
    let kept = count - dropped
    let got = Got(kept)
    let cancellable = got.subscribe(source)
    wait(for: [got.count], timeout: 60)
    // What comes after the drops, and two lines in one datagram.
    XCTAssertEqual(Glibc.send(sending, "7\n8\n", 4, 0), 4)
    source.finish()
    wait(for: [got.ended], timeout: 60)
    XCTAssertEqual(got.values, (0..<kept).map(Int64.init) + [7, 8], "the kernel drops the newest")
    XCTAssertEqual(source.lossReport.losses.map(\.count), [dropped])
    let flags = got.readings.withLock { $0.map(\.flags) }
    XCTAssertEqual(flags.indices.filter { flags[$0].contains(.gapBefore) }, [kept])
    close(sending)
    withExtendedLifetime(cancellable) {}
  }
}
