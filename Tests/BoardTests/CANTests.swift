import Foundation
import Sluice
import SluiceDevices
import SluiceReadings
import SluiceRecording
import SluiceTesting
import XCTest

/// Frames of a virtual interface of the kernel.
final class CANTests: BoardTestCase {
  private let interface = "vcan7"
  private var sender: Int32 = -1

  override func setUpWithError() throws {
    try super.setUpWithError()
    ip("link", "add", "dev", interface, "type", "vcan")
    ip("link", "set", interface, "mtu", "72")
    ip("link", "set", interface, "up")
    sender = try socket()
  }

  override func tearDown() {
    guard sender >= 0 else { return }
    close(sender)
    ip("link", "delete", interface)
  }

  private func ip(_ arguments: String...) {
    let path = ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip"].first { FileManager.default.isExecutableFile(atPath: $0) }
    XCTAssertEqual(ChildProcess(path ?? "ip", arguments).wait(), 0, "\(arguments)")
  }

  private func socket() throws -> Int32 {
    let opened = Glibc.socket(29, Int32(SOCK_RAW.rawValue), 1)
    XCTAssertGreaterThanOrEqual(opened, 0)
    var one: Int32 = 1
    XCTAssertEqual(setsockopt(opened, 101, 5, &one, 4), 0, "CAN FD")
    // struct sockaddr_can
    var address = [UInt8](repeating: 0, count: 24)
    address.withUnsafeMutableBytes {
      $0.storeBytes(of: 29, as: UInt16.self)
      $0.storeBytes(of: if_nametoindex(interface), toByteOffset: 4, as: UInt32.self)
    }
    let bound = address.withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { bind(opened, $0.baseAddress, 24) }
    }
    XCTAssertEqual(bound, 0)
    return opened
  }

  /// Sends a frame. The kernel gives it to all sockets before the call returns.
  private func send(_ id: UInt32, _ bytes: [UInt8], isFD: Bool = false) {
    var frame = withUnsafeBytes(of: id) { Array($0) } + [UInt8(bytes.count), 0, 0, 0] + bytes
    frame += [UInt8](repeating: 0, count: (isFD ? 72 : 16) - frame.count)
    XCTAssertEqual(write(sender, frame, frame.count), frame.count, String(cString: strerror(errno)))
  }

  private func bytes(_ number: Int) -> [UInt8] { withUnsafeBytes(of: UInt64(number).littleEndian) { Array($0) } }

  private func number(_ reading: Reading) -> Int {
    reading.values.suffix(8).reversed().reduce(0) { $0 << 8 | Int($1.significand) }
  }

  func testEveryFrameArrives() throws {
    let frames = try Publishers.CANFrames(interface: interface)
    XCTAssertEqual(frames.streams.map(\.name), [interface, "\(interface):fd", "\(interface):error"])
    let subscriber = TestSubscriber<Reading, SluiceError>()
    frames.subscribe(subscriber)
    let count = 20_000
    for number in 0..<count {
      send(UInt32(number & 0x7ff), bytes(number))
      // The buffer of the socket has room for more.
      if number % 1_000 == 999 {
        waitUntil("most frames", every: 0.001) { subscriber.values.count > number - 5_000 }
      }
    }
    waitUntil("all frames") { subscriber.values.count + frames.lossReport.losses.reduce(0) { $0 + $1.count } == count }
    frames.finish()
    frames.teardown.wait()
    XCTAssertEqual(frames.lossReport.losses, [])
    XCTAssertEqual(subscriber.values.map(number), Array(0..<count))
    let times = subscriber.values.map(\.time)
    let backwards = times.indices.dropFirst().filter { times[$0] < times[$0 - 1] }
    XCTAssertEqual(backwards.map { "frame \($0): \(times[$0] - times[$0 - 1]) ns after the one before" }, [])
    XCTAssertLessThan(abs(Int64(Date().timeIntervalSince1970 * 1e9) - (times.last ?? 0)), 60_000_000_000)
    XCTAssertEqual(subscriber.violations, [])
  }

  /// Without demand the buffer of the socket overflows: what was sent is what arrived and what is counted.
  func testDropsAreExact() throws {
    let frames = try Publishers.CANFrames(interface: interface)
    let subscriber = TestSubscriber<Reading, SluiceError>(initial: .none)
    frames.subscribe(subscriber)
    let count = 30_000
    for number in 0..<count { send(1, bytes(number)) }
    // No frame has come after the drops.
    let lost = try XCTUnwrap(frames.lossReport.losses.first?.count)
    XCTAssertGreaterThan(lost, 0)
    subscriber.request(.unlimited)
    waitUntil("what the kernel kept") { subscriber.values.count == count - lost }
    for number in count..<count + 10 { send(1, bytes(number)) }
    waitUntil("ten more") { subscriber.values.count == count - lost + 10 }
    frames.finish()
    frames.teardown.wait()
    XCTAssertEqual(frames.lossReport.losses.map(\.count), [lost])
    XCTAssertEqual(frames.losses[.dropped].count, lost)
    let numbers = subscriber.values.map(number)
    XCTAssertEqual(numbers, Array(0..<count - lost) + Array(count..<count + 10), "the kernel drops the newest")
    XCTAssertEqual(
      subscriber.values.indices.filter { subscriber.values[$0].flags.contains(.gapBefore) }, [count - lost])
  }

  /// The recorder is stopped until its socket has overflowed. The file has what arrived, the account what did not, and the
  /// flags say where it is missing.
  func testAStoppedRecorderCountsWhatItHasLost() throws {
    let folder = NSTemporaryDirectory() + "can-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let (output, stats) = ("\(folder)/can.jsonl", "\(folder)/stats.json")
    let process = ChildProcess(
      products.appendingPathComponent("sluice").path,
      ["record", "can:\(interface)", "-o", output, "--stats", stats, "--quiet"])
    // The socket is open before the file is made.
    waitUntil("the file") { access(output, F_OK) == 0 }
    var sent = 0
    func sendMore(_ count: Int) {
      for _ in 0..<count {
        send(1, bytes(sent))
        sent += 1
      }
    }
    func readings() throws -> [Reading] {
      let trace = try TraceReader(path: output)
      var readings: [Reading] = []
      while let reading = try trace.next() { readings.append(reading) }
      return readings
    }
    sendMore(100)
    waitUntil("the first frames") { ((try? readings()) ?? []).count == 100 }
    kill(process.id, SIGSTOP)
    waitUntil("the stop") {
      // The state stands behind the name.
      ((try? SimulatedChip.text("/proc/\(process.id)/stat")) ?? "").contains(") T ")
    }
    sendMore(30_000)
    kill(process.id, SIGCONT)
    waitUntil("what the kernel kept", every: 0.1) { ((try? readings()) ?? []).count > 5_000 }
    sendMore(100)
    XCTAssertEqual(process.wait(after: SIGINT), 0)
    let readings = try readings()
    let account = try XCTUnwrap(
      JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: stats))) as? [String: Any])
    let losses = try XCTUnwrap(account["losses"] as? [[String: Any]])
    XCTAssertEqual(losses.map { $0["reason"] as? String }, ["dropped by the kernel (the socket's buffer was full)"])
    XCTAssertEqual(losses.first?["count"] as? Int, sent - readings.count)
    XCTAssertGreaterThan(sent - readings.count, 10_000)
    let numbers = readings.map(number)
    XCTAssertEqual(numbers.prefix(100), Array(0..<100)[...])
    let jumps = numbers.indices.dropFirst().filter { numbers[$0] != numbers[$0 - 1] + 1 }
    XCTAssertEqual(readings.indices.filter { readings[$0].flags.contains(.gapBefore) }, jumps)
  }

  func testFiltersErrorFramesAndCANFD() throws {
    let folder = NSTemporaryDirectory() + "can-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var options = CANOptions()
    options.dbc = "\(folder)/car.dbc"
    try """
    BO_ 291 Engine: 8 X
     SG_ Speed : 7|16@0+ (0.25,0) [0|0] "rpm" X
    BO_ 2566852096 Fast: 64 X
     SG_ Last : 504|8@1- (1,0) [0|0] "" X
    BO_ 292 Other: 8 X
     SG_ S : 0|8@1+ (1,0) [0|0] "" X

    """.write(toFile: "\(folder)/car.dbc", atomically: false, encoding: .utf8)
    options.filters = try ["123", "18FF0000/1FFF0000"].map { try XCTUnwrap(CANOptions.Filter($0)) }
    let frames = try Publishers.CANFrames(interface: interface, options: options)
    XCTAssertEqual(
      frames.streams.map(\.name),
      ["Engine", "Fast"].map { "\(interface):\($0)" } + [interface, "\(interface):fd", "\(interface):error"])
    let subscriber = TestSubscriber<Reading, SluiceError>()
    frames.subscribe(subscriber)
    send(0x124, [1])
    send(0x8000_0123, [1])
    send(0x123, [0x10, 0x01])
    send(0x98ff_0e00, [UInt8](repeating: 0xfe, count: 64), isFD: true)
    send(0x98ff_1234, [1, 2])
    send(0x2000_0004, [0, 4, 0, 0, 0, 0, 1, 2])
    waitUntil("four frames") { subscriber.values.count == 4 }
    frames.finish()
    frames.teardown.wait()
    XCTAssertEqual(subscriber.values.map { Int($0.stream.index) }, [0, 1, 2, 4])
    XCTAssertEqual(subscriber.values[0].values, [4_097])
    XCTAssertEqual(subscriber.values[1].values, [-2])
    XCTAssertEqual(subscriber.values[3].values, [4, 0, 4, 0, 0, 0, 1, 2])
  }

  func testAnInterfaceThatGoesDown() throws {
    let frames = try Publishers.CANFrames(interface: interface)
    let subscriber = TestSubscriber<Reading, SluiceError>()
    frames.subscribe(subscriber)
    send(1, bytes(1))
    ip("link", "set", interface, "down")
    waitUntil("the end") { subscriber.completion != nil }
    XCTAssertEqual(subscriber.values.count, 1, "what came before is published")
    guard case .failure(let error) = subscriber.completion else { return XCTFail("no error") }
    XCTAssertEqual(
      error.description,
      "cannot read the CAN interface \(interface): the interface is down; set it up: ip link set \(interface) up")
    XCTAssertThrowsError(try Publishers.CANFrames(interface: interface)) {
      XCTAssertEqual(
        "\($0)",
        "cannot open the CAN interface \(interface): the interface is down; set it up: ip link set \(interface) up")
    }
  }

  func testAnInterfaceThatComesBack() throws {
    let told = Locked<[String]>([])
    let frames = try Publishers.CANFrames(interface: interface) { error in
      told.withLock { $0.append(error.map { "\($0.code)" } ?? "back") }
    }
    let subscriber = TestSubscriber<Reading, SluiceError>()
    frames.subscribe(subscriber)
    send(1, bytes(1))
    waitUntil("the first frame") { subscriber.values.count == 1 }
    ip("link", "set", interface, "down")
    waitUntil("the end of the interface") { frames.isAway }
    ip("link", "set", interface, "up")
    waitUntil("its return") { !frames.isAway }
    // The other one has the error of the interface.
    close(sender)
    sender = try socket()
    send(1, bytes(2))
    waitUntil("the second frame") { subscriber.values.count == 2 }
    // Removed, and made again.
    ip("link", "delete", interface)
    waitUntil("the second end") { frames.isAway }
    ip("link", "add", "dev", interface, "type", "vcan")
    ip("link", "set", interface, "up")
    close(sender)
    sender = try socket()
    waitUntil("the second return") { !frames.isAway }
    send(1, bytes(3))
    waitUntil("the third frame") { subscriber.values.count == 3 }
    frames.finish()
    frames.teardown.wait()
    XCTAssertEqual(told.withLock { $0 }, ["disconnected", "back", "disconnected", "back"])
    XCTAssertEqual(subscriber.values.map(\.flags), [[], .gapBefore, .gapBefore])
    XCTAssertEqual(frames.losses[.removed].count, 2)
    XCTAssertEqual(frames.losses[.dropped].count, 0)
  }

  /// The command records a message, and `sluice list` knows the interface.
  func testTheCommand() throws {
    let folder = NSTemporaryDirectory() + "can-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try "BO_ 291 Engine: 8 X\n SG_ Speed : 7|16@0+ (0.25,0) [0|0] \"rpm\" X\n".write(
      toFile: "\(folder)/car.dbc", atomically: false, encoding: .utf8)
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let command = products.appendingPathComponent("sluice").path
    let output = "\(folder)/can.csv"
    let process = ChildProcess(
      command, ["record", "can:\(interface),dbc=\(folder)/car.dbc", "-n", "3", "-o", output, "--quiet"])
    // Frames before the socket is open are not recorded.
    waitUntil("three rows", every: 0.05) {
      send(0x123, [0, 9])
      return ((try? SimulatedChip.text(output)) ?? "").split(separator: "\n").count >= 4
    }
    XCTAssertEqual(process.wait(), 0)
    let rows = try SimulatedChip.text(output).split(separator: "\n")
    XCTAssertEqual(rows.first, "time_ns,stream,channel,value")
    XCTAssertEqual(rows.last?.split(separator: ",").dropFirst(), ["\(interface):Engine", "Speed", "2.25"])
    let list = "\(folder)/list.txt"
    XCTAssertEqual(ChildProcess(command, ["list", "can"], output: list).wait(), 0)
    XCTAssertEqual(try SimulatedChip.text(list), "CAN interfaces\n  \(interface)  up, virtual")
  }
}
