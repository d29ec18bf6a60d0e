import Foundation
import Sluice
import SluiceReadings
import SluiceSystem
import TestFiles
import XCTest

@testable import SluiceControl

/// A desk that says what it was asked for.
private final class TestDesk: ControlDesk, @unchecked Sendable {
  // The lock protects all of it.
  private let lock = NSLock()
  private var told: (@Sendable (ControlAnswer) -> Void)?
  private var waiting: [@Sendable (ControlAnswer) -> Void] = []
  private var asked: [ControlRequest] = []

  var requests: [ControlRequest] { lock.withLock { asked } }
  var isFollowed: Bool { lock.withLock { told != nil } }

  func answer(_ request: ControlRequest, _ answered: @escaping @Sendable (ControlAnswer) -> Void) {
    lock.withLock { asked.append(request) }
    switch request {
    case .status: answered(.status(.object([("received", .number("7"))]), text: "walk\n7 readings"))
    case .stop: lock.withLock { waiting.append(answered) }
    default: answered(.done("\(request.word)"))
    }
  }

  func follow(_ told: (@Sendable (ControlAnswer) -> Void)?) { lock.withLock { self.told = told } }

  func happen(_ text: String) { lock.withLock { told }?(.event(.string(text), text: text)) }
}

final class ControlServerTests: XCTestCase {
  private lazy var temporary = temporaryFolder()
  private let desk = TestDesk()

  private func server(
    _ limits: ControlServer.Limits = ControlServer.Limits(), owner: UInt32 = geteuid(), root: UInt32 = 0
  ) throws -> (ControlServer, String) {
    let socket = try ControlSocket(
      ControlName("walk"), at: ControlPlace(folder: temporary.file("sluice"), isOfService: false))
    let server = ControlServer(socket, desk, limits: limits, owner: owner, root: root)
    try server.start()
    return (server, socket.path)
  }

  private func waitUntil(_ what: String, _ condition: () -> Bool) {
    let deadline = Date(timeIntervalSinceNow: 60)
    while !condition() {
      guard Date() < deadline else { return XCTFail("\(what) has not happened") }
      sched_yield()
    }
  }

  private func ask(_ path: String, _ request: ControlRequest) throws -> String? {
    let client = try ControlClient(path, "walk")
    try client.send(request)
    return try client.reply(within: 30_000)?.content
  }

  func testRequestsAreAnswered() throws {
    let (server, path) = try server()
    XCTAssertEqual(try ask(path, .pause), "pause")
    let client = try ControlClient(path, "walk")
    XCTAssertEqual(client.process, getpid())
    for request in [ControlRequest.resume, .mark("a"), .rotate] {
      try client.send(request)
      XCTAssertEqual(try client.reply(within: 30_000)?.content, request.word)
    }
    try client.send(.status(follows: false))
    let reply = try client.reply(within: 30_000)
    XCTAssertEqual(reply?.content, #"{"received": 7}"#)
    XCTAssertEqual(reply?.text, "walk\n7 readings")
    server.end("it has ended")
    XCTAssertEqual(try client.reply(within: 30_000)?.content, "it has ended")
    XCTAssertNil(try client.reply(within: 30_000))
    XCTAssertEqual(desk.requests, [.pause, .resume, .mark("a"), .rotate, .status(follows: false)])
    XCTAssertThrowsError(try ControlClient(path, "walk")) { error in
      XCTAssertEqual((error as? SluiceError)?.code, .notFound)
    }
  }

  /// A program that ends closes its socket whatever the server is doing with it.
  func testClientsHangUpAtAnyMoment() throws {
    let (server, path) = try server()
    let served = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for round in 0..<2_000 {
        guard let client = try? ControlClient(path, "walk") else { continue }
        served.withLock { $0 += 1 }
        if round % 3 > 0 { try? client.send(.status(follows: round % 3 == 1)) }
        if round % 5 == thread { _ = try? client.reply(within: 10) }
      }
    }
    XCTAssertGreaterThan(served.withLock { $0 }, 4_000)
    // Those that have hung up are noticed, so that there is room.
    waitUntil("room") { (try? ask(path, .pause)) == "pause" }
    server.end("it has ended")
  }

  func testAStopIsAnsweredAtTheEnd() throws {
    let (server, path) = try server()
    let client = try ControlClient(path, "walk")
    try client.send(.stop)
    waitUntil("the stop") { desk.requests == [.stop] }
    server.end("it has ended")
    let reply = try client.reply(within: 30_000)
    XCTAssertEqual(reply?.kind, "done")
    XCTAssertEqual(reply?.content, "it has ended")
  }

  func testAFollowerIsToldWhatHappens() throws {
    var limits = ControlServer.Limits()
    limits.tick = 5
    let (server, path) = try server(limits)
    let client = try ControlClient(path, "walk")
    try client.send(.status(follows: true))
    XCTAssertEqual(try client.reply(within: 30_000)?.kind, "status")
    waitUntil("the follower") { desk.isFollowed }
    desk.happen("marked")
    var replies: [ControlClient.Reply] = []
    while !replies.contains(where: { $0.kind == "event" }) || replies.filter({ $0.kind == "status" }).count < 3 {
      replies.append(try XCTUnwrap(client.reply(within: 30_000)))
    }
    XCTAssertEqual(replies.first { $0.kind == "event" }?.content, "marked")
    server.end("it has ended")
    XCTAssertFalse(desk.isFollowed)
  }

  func testWithoutAFollowerNothingIsTold() throws {
    var limits = ControlServer.Limits()
    limits.tick = 5
    let (server, path) = try server(limits)
    var client: ControlClient? = try ControlClient(path, "walk")
    try client?.send(.status(follows: true))
    waitUntil("the follower") { desk.isFollowed }
    client = nil
    waitUntil("the end of the follower") { !desk.isFollowed }
    server.end("it has ended")
  }

  func testOthersMaySeeAndNotChange() throws {
    let (server, path) = try server(owner: geteuid() + 1, root: geteuid() + 2)
    XCTAssertEqual(
      try ask(path, .stop),
      "only user \(geteuid() + 1), whose recording it is, and root may stop; this is user \(geteuid()), who may ask for "
        + "its status")
    XCTAssertEqual(try ask(path, .status(follows: false)), #"{"received": 7}"#)
    XCTAssertEqual(desk.requests, [.status(follows: false)])
    server.end("it has ended")
    let (ofRoot, _) = try self.server(owner: geteuid() + 1, root: geteuid())
    XCTAssertEqual(try ask(path, .pause), "pause")
    ofRoot.end("it has ended")
  }

  func testOthersDoNotKeepTheOwnerOut() throws {
    var limits = ControlServer.Limits()
    (limits.connections, limits.ofOthers) = (3, 1)
    let (server, path) = try server(limits, owner: geteuid() + 1, root: geteuid() + 2)
    let client = try ControlClient(path, "walk")
    try client.send(.status(follows: true))
    XCTAssertEqual(try client.reply(within: 30_000)?.kind, "status")
    XCTAssertEqual(
      try ask(path, .status(follows: false)), "there is 1 connection already, and no more are admitted")
    server.end("it has ended")
  }

  func testTooManyAreToldSo() throws {
    var limits = ControlServer.Limits()
    limits.connections = 3
    let (server, path) = try server(limits)
    var clients = try (0..<3).map { _ in try ControlClient(path, "walk") }
    for client in clients {
      try client.send(.status(follows: true))
      XCTAssertEqual(try client.reply(within: 30_000)?.kind, "status")
    }
    XCTAssertEqual(try ask(path, .pause), "there are 3 connections already, and no more are admitted")
    clients.removeLast()
    waitUntil("the place of the one that has gone") { (try? ask(path, .resume)) == "resume" }
    server.end("it has ended")
  }

  func testIdleConnectionsKeepNobodyOut() throws {
    var limits = ControlServer.Limits()
    limits.connections = 3
    let (server, path) = try server(limits)
    let clients = try (0..<3).map { _ in try ControlClient(path, "walk") }
    try clients[0].send(.pause)
    XCTAssertEqual(try clients[0].reply(within: 30_000)?.content, "pause")
    XCTAssertEqual(try ask(path, .resume), "resume")
    // The one that has been idle for the longest time.
    let ended = clients.dropFirst().compactMap { try? $0.reply(within: 1)?.kind }
    XCTAssertEqual(ended, ["ended"])
    try clients[0].send(.pause)
    XCTAssertEqual(try clients[0].reply(within: 30_000)?.content, "pause")
    server.end("it has ended")
  }

  func testAClientThatSaysNothingIsClosed() throws {
    var limits = ControlServer.Limits()
    (limits.tick, limits.connection.first) = (5, 20)
    let (server, path) = try server(limits)
    let client = try ControlClient(path, "walk")
    XCTAssertEqual(try client.reply(within: 30_000)?.kind, "ended")
    XCTAssertNil(try client.reply(within: 30_000))
    server.end("it has ended")
  }

  func testAClientThatGoesInTheMiddle() throws {
    let (server, path) = try server()
    for text in ["", "{", "{\"order\": \"pause\"}", "{\"order\": \"pause\"}\n", "{\"order\": \"follow\"}\n"] {
      let socket = try UnixSocket.connect(to: path)
      _ = try Array(text.utf8).withUnsafeBytes { try UnixSocket.send(socket, $0) }
      closeFile(socket)
    }
    XCTAssertEqual(try ask(path, .resume), "resume")
    server.end("it has ended")
  }

  /// A client sends without an end and reads nothing. It takes no more memory, others are answered, and it is dropped.
  /// Their requests take for ever, as a flush does while a write does not return.
  func testClientsThatGoDuringTheirRequestMakeRoom() throws {
    let limits = ControlServer.Limits(connections: 4)
    let (server, path) = try server(limits)
    defer { server.end("it has ended") }
    for count in 1...4 {
      let client = try ControlClient(path, "walk")
      try client.send(.stop)
      waitUntil("request \(count)") { desk.requests.count == count }
    }
    XCTAssertEqual(try ask(path, .pause), "pause")
  }

  func testAFlood() throws {
    var limits = ControlServer.Limits()
    (limits.tick, limits.connection.stuck) = (5, 300)
    let (server, path) = try server(limits)
    let flood = try UnixSocket.connect(to: path)
    defer { closeFile(flood) }
    let lines = [UInt8](repeatElement(ControlRequest.status(follows: false).line, count: 500).joined())
    // Until neither socket takes more: then the server has stopped reading.
    var (sent, idle) = (0, 0)
    while idle < 200 {
      let count = (try? lines.withUnsafeBytes { try UnixSocket.send(flood, $0) }) ?? 0
      (sent, idle) = (sent + count, count == 0 ? idle + 1 : 0)
      if count == 0 { poll(nil, 0, 1) }
      XCTAssertLessThan(sent, 64 << 20, "it is read without an end")
      if sent >= 64 << 20 { break }
    }
    XCTAssertEqual(try ask(path, .pause), "pause")
    waitUntil("the end of the flood") {
      var state = pollfd(fd: flood, events: 0, revents: 0)
      return poll(&state, 1, 0) > 0 && state.revents & Int16(POLLHUP) != 0
    }
    server.end("it has ended")
  }

  /// A follower that does not read is told what it was not sent, and others are told everything.
  func testAFollowerThatDoesNotRead() throws {
    var limits = ControlServer.Limits()
    (limits.tick, limits.connection.output) = (1_000, 4_096)
    let (server, path) = try server(limits)
    let slow = try ControlClient(path, "walk")
    try slow.send(.status(follows: true))
    waitUntil("the follower") { desk.isFollowed }
    let text = String(repeating: "x", count: 1_000)
    // More than a socket keeps.
    for number in 0..<4_000 { desk.happen("\(number) \(text)") }
    XCTAssertEqual(try ask(path, .pause), "pause")
    var (events, missed) = (0, 0)
    for _ in 0..<8_000 where events + missed < 4_000 {
      let reply = try XCTUnwrap(slow.reply(within: 30_000))
      if reply.kind == "event" { events += 1 }
      if reply.kind == "missed" { missed += Int(reply.content) ?? 0 }
    }
    XCTAssertEqual(events + missed, 4_000)
    XCTAssertGreaterThan(missed, 0)
    server.end("it has ended")
  }

  func testAServerThatIsEndedTwice() throws {
    let (server, _) = try server()
    server.end("a")
    server.end("b")
  }
}
