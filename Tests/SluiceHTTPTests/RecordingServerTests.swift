import Foundation
import SluiceLive
import SluicePipeline
import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceHTTP

/// A recording of two simulated streams, and clients of all kinds.
final class RecordingServerTests: XCTestCase {
  private let folder = TemporaryFolder()
  private var recording: Recording?
  private var server: RecordingServer?
  private let secret = "0123456789abcdefgh"

  override func tearDown() {
    recording?.stop()
    recording?.wait()
    server?.stop()
    (recording, server) = (nil, nil)
  }

  private func begin(
    token: Bool = false, control: Bool = false, source: String = "sim:imu@200,seed=7", count: Int? = nil,
    limits: HTTPServer.Limits = .init()
  ) throws -> UInt16 {
    var plan = RecordingPlan(
      sources: [try SourceSpec(source)], stages: [.buffer()], outputs: [OutputPlan(folder.file("walk.csv"))])
    plan.limits.count = count
    return try begin(plan, token: token, control: control, limits: limits)
  }

  private func begin(
    _ plan: RecordingPlan, token: Bool = false, control: Bool = false, limits: HTTPServer.Limits = .init()
  ) throws -> UInt16 {
    try XCTSkipIf(RecordingServer.libraryVersion == nil, "this build has no libwebsockets; see make demo")
    let recording = try Recording(plan)
    self.recording = recording
    let settings = try RecordingServer.Settings(
      address: .internet("127.0.0.1", port: 0), token: token ? HTTPToken(Array(secret.utf8)) : nil,
      isControlled: control)
    let server = try RecordingServer(recording, settings, limits)
    self.server = server
    server.start()
    // A replay reads on the thread that starts it.
    DispatchQueue.global().async { recording.start() }
    guard case .internet(_, let port) = server.address else { throw XCTSkip("no port") }
    return port
  }

  func testThePageAndTheAccount() throws {
    let port = try begin()
    let client = try Client(port: port)
    let page = client.request("GET", "/")
    XCTAssertEqual(page.status, 200)
    XCTAssertTrue(page.body.hasPrefix("<!doctype html>"))
    XCTAssertTrue(page.head.lowercased().contains("content-security-policy: default-src 'none'"), page.head)
    // The same connection again.
    let status = client.request("GET", "/status")
    XCTAssertEqual(status.status, 200)
    let account = try JSONDecoder().decode(Account.self, from: Data(status.body.utf8))
    XCTAssertEqual(account.streams.map(\.stream), ["imu"])
    XCTAssertEqual(client.request("HEAD", "/status").body, "")
    let metrics = client.request("GET", "/metrics")
    XCTAssertTrue(metrics.body.contains("sluice_received_readings_total{stream=\"imu\"} "), metrics.body)
    XCTAssertEqual(client.request("GET", "/session").body, "{\"control\": false}\n")
    XCTAssertEqual(client.request("GET", "/nothing").status, 404)
    XCTAssertEqual(client.request("DELETE", "/status").status, 405)
  }

  func testOnlyTheFilesOfTheRecordingAreServed() throws {
    let port = try begin()
    _ = folder.file("secret", "x")
    let client = try Client(port: port)
    let file = client.request("GET", "/files/0/walk.csv")
    XCTAssertEqual(file.status, 200)
    XCTAssertTrue(file.head.contains("filename*=UTF-8''walk.csv"))
    XCTAssertTrue(file.body.isEmpty || file.body.hasPrefix("time_ns,"), file.body)
    for path in [
      "/files/0/secret", "/files/1/walk.csv", "/files/-1/walk.csv", "/files/0/../secret", "/files/0/%2e%2e%2fsecret",
      "/files/0/walk.csv/", "/files/", "/../../../../etc/passwd", "/files/0/%2fetc%2fpasswd", "/files//etc/passwd",
      "/walk.csv", "//etc/passwd",
    ] {
      let answer = try Client(port: port).request("GET", path)
      XCTAssertNotEqual(answer.status, 200, path)
      XCTAssertFalse(answer.body.contains("root:"))
    }
  }

  /// Another file in place of that of the recording, also by another folder in place of its own, is not for viewers.
  func testALinkInPlaceOfAFileIsNotServed() throws {
    let port = try begin()
    XCTAssertEqual(try Client(port: port).request("GET", "/files/0/walk.csv").status, 200)
    let secret = folder.file("secret", "hush")
    let path = secret.dropLast("secret".count) + "walk.csv"
    XCTAssertEqual(rename(String(path), path + ".old"), 0)
    XCTAssertEqual(symlink(secret, String(path)), 0)
    let answer = try Client(port: port).request("GET", "/files/0/walk.csv")
    XCTAssertEqual(answer.status, 404)
    XCTAssertFalse(answer.body.contains("hush"))
    // A file of the same name is not the same file.
    XCTAssertEqual(unlink(String(path)), 0)
    XCTAssertEqual(link(secret, String(path)), 0)
    XCTAssertEqual(try Client(port: port).request("GET", "/files/0/walk.csv").status, 404)
  }

  func testATokenKeepsOthersOut() throws {
    let port = try begin(token: true, control: true)
    let client = try Client(port: port)
    XCTAssertEqual(client.request("GET", "/").status, 200)
    for path in ["/status", "/metrics", "/session", "/files/0/walk.csv"] {
      XCTAssertEqual(try Client(port: port).request("GET", path).status, 401, path)
    }
    XCTAssertEqual(try Client(port: port).upgrade(PageSession.name), 401)
    let type = "Content-Type: application/json"
    let wrong = try Client(port: port).request(
      "POST", "/session", ["Host: localhost:\(port)", type], #"{"token": "0123456789abcdefgX"}"#)
    XCTAssertEqual(wrong.status, 403)
    let right = try Client(port: port).request(
      "POST", "/session", ["Host: localhost:\(port)", type], #"{"token": "\#(secret)"}"#)
    XCTAssertEqual(right.status, 204)
    XCTAssertTrue(right.head.contains("HttpOnly; SameSite=Strict"), right.head)
    let line = try XCTUnwrap(right.head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("set-cookie:") })
    let cookie = "Cookie: " + line.dropFirst("set-cookie:".count).prefix { $0 != ";" }.drop { $0 == " " }
    XCTAssertFalse(cookie.contains(secret))
    XCTAssertEqual(try Client(port: port).request("GET", "/status", ["Host: board.local", cookie]).status, 200)
    XCTAssertEqual(
      try Client(port: port).request("GET", "/status", ["Host: x", "Authorization: Bearer \(secret)"]).status, 200)
    XCTAssertEqual(try Client(port: port).upgrade(PageSession.name, ["Host: localhost:\(port)", cookie]), 101)
    XCTAssertEqual(
      try Client(port: port).upgrade(
        PageSession.name, ["Host: localhost:\(port)", cookie, "Origin: http://evil.example"]), 403)
  }

  func testControlTakesJSONOnly() throws {
    let port = try begin(token: true, control: true)
    let (bearer, type) = ("Authorization: Bearer \(secret)", "Content-Type: application/json")
    func order(_ text: String, _ headers: [String]) throws -> Int {
      try Client(port: port).request("POST", "/control", ["Host: localhost:\(port)"] + headers, text).status
    }
    XCTAssertEqual(try order(#"{"order": "pause"}"#, [bearer, type]), 204)
    XCTAssertEqual(recording?.isPaused, true)
    XCTAssertEqual(try order(#"{"order": "resume"}"#, [bearer, type]), 204)
    XCTAssertEqual(recording?.isPaused, false)
    XCTAssertEqual(try order(#"{"order": "mark", "text": "door"}"#, [bearer, type]), 204)
    XCTAssertEqual(recording?.marks.map(\.text), ["door"])
    XCTAssertEqual(try order(#"{"order": "mark"}"#, [bearer, type]), 409)
    XCTAssertEqual(try order(#"{"order": "stop"}"#, [bearer, type]), 400)
    XCTAssertEqual(try order(#"{"order": "pause"}"#, [bearer, "Content-Type: text/plain"]), 400)
    XCTAssertEqual(try order(#"{"order": "pause"}"#, [type]), 401)
    XCTAssertEqual(try order("{", [bearer, type]), 400)
    XCTAssertEqual(try order(#"{"order": "pause"}"#, [bearer, type, "Origin: http://evil.example"]), 403)
    XCTAssertEqual(try order("{\"order\": \"" + String(repeating: "x", count: 9_000) + "\"}", [bearer, type]), 413)
    XCTAssertEqual(recording?.isPaused, false)
  }

  func testAViewerWithoutControl() throws {
    let port = try begin(token: true)
    let answer = try Client(port: port).request(
      "POST", "/control",
      ["Host: localhost:\(port)", "Authorization: Bearer \(secret)", "Content-Type: application/json"],
      #"{"order": "pause"}"#)
    XCTAssertEqual(answer.status, 403)
    XCTAssertEqual(recording?.isPaused, false)
  }

  // MARK: The page's WebSocket

  private func state(_ client: Client) throws -> [String: Any] {
    client.say("state describe")
    let message = try XCTUnwrap(client.message())
    return try XCTUnwrap(JSONSerialization.jsonObject(with: Data(message.payload)) as? [String: Any])
  }

  func testAFrameForEachAsk() throws {
    let port = try begin()
    let client = try Client(port: port)
    XCTAssertEqual(client.upgrade(PageSession.name), 101)
    var range: [String]?
    while range == nil { range = try state(client)["range"] as? [String] }
    let from = try XCTUnwrap(range?.first.flatMap { Int64($0) })
    var counts: [Double] = []
    var generation = -1
    for id in 1...3 {
      let seen = generation < 0 ? "-" : "\(generation)"
      client.say("frame \(id) \(from) \(from + 60_000_000_000) 30 \(seen) 0")
      let message = try XCTUnwrap(client.message())
      XCTAssertEqual(message.opcode, 2)
      let length = Int(message.payload[0]) | Int(message.payload[1]) << 8
      let header = try XCTUnwrap(
        JSONSerialization.jsonObject(with: Data(message.payload[4..<(4 + length)])) as? [String: Any])
      XCTAssertEqual(header["id"] as? Int, id)
      XCTAssertGreaterThan(try XCTUnwrap(header["generation"] as? Int), generation)
      generation = try XCTUnwrap(header["generation"] as? Int)
      let stream = try XCTUnwrap((header["streams"] as? [[Int]])?.first)
      XCTAssertEqual(stream[0], 0)
      let numbers = Array(message.payload[(4 + length)...])
      XCTAssertEqual(numbers.count, stream[1] * (4 + 4 * stream[2]) * 8)
      let first = numbers.withUnsafeBytes { $0.loadUnaligned(as: Double.self) }
      let epoch = try XCTUnwrap((header["epoch"] as? String).flatMap { Int64($0) })
      XCTAssertEqual(epoch + Int64(first), from, "the first reading")
      let at = stream[1] * 2 * 8
      let sum = (0..<stream[1]).reduce(0.0) { sum, index in
        sum + numbers.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: at + index * 8, as: Double.self) }
      }
      counts.append(sum)
    }
    XCTAssertEqual(counts, counts.sorted())
    XCTAssertGreaterThan(counts[2], counts[0])
  }

  func testGarbageEndsTheSessionAndNothingElse() throws {
    let port = try begin()
    let garbage: [[UInt8]] = [
      Client.frame(Array("hello".utf8)), Client.frame([0xff, 0xfe], opcode: 2), Client.frame([], opcode: 1),
      Client.frame(Array("frame".utf8)), Client.frame(Array("state describe me".utf8)),
      Client.frame(Array("frame 1 0 9000000000000000000 0 - 0".utf8)), Client.frame(Array("frame 1 5 1 0 - 0".utf8)),
      Client.frame(Array("frame 1 0 1 61 - 0".utf8)), Client.frame(Array("frame 1 0 1 0 x 0".utf8)),
      Client.frame(Array("frame 1 0 1 0 - 0,,1".utf8)), Client.frame(Array("frame 1 0 1 0 - 0 1 2".utf8)),
      Client.frame([UInt8](repeating: 0x20, count: 60_000)),
      [0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0x81, 0x05, 1, 2, 3, 4, 5],
    ]
    for bytes in garbage {
      let client = try Client(port: port)
      XCTAssertEqual(client.upgrade(PageSession.name), 101)
      client.send(bytes)
      XCTAssertTrue([8, nil].contains(client.message()?.opcode), "\(bytes.prefix(20))")
    }
    XCTAssertEqual(try Client(port: port).request("GET", "/status").status, 200)
  }

  /// Pages that ask for nearly the same get the same numbers, and those of all readings.
  func testFramesAreShared() throws {
    let described = StreamDescription(name: "s", channels: [.init(name: "c")])
    let live = LiveReadings { [described] }
    live.take(
      (0..<1_000).map { Reading(time: Int64($0) * 1_000, stream: StreamID(0), values: Values(Int64($0 % 9))) }[...])
    let frames = PageFrames(live)
    let generation = live.generation
    let first = frames.bytes(id: 1, 1_000...990_000, power: 12, [0], generation)
    XCTAssertEqual(first, frames.bytes(id: 1, 3_000...991_000, power: 12, [0], generation), "whole columns")
    XCTAssertEqual(
      frames.bytes(id: 1, 1_000...1_004_000, power: 12, [0], generation),
      frames.bytes(id: 1, 1_000...2_000_000_000, power: 12, [0], generation), "there is nothing behind the newest")
    XCTAssertNotEqual(first, frames.bytes(id: 1, 5_000...990_000, power: 12, [0], generation))
    XCTAssertNotEqual(first, frames.bytes(id: 1, 1_000...990_000, power: 13, [0], generation))
    live.take([Reading(time: 999_500, stream: StreamID(0), values: Values(77))])
    let later = frames.bytes(id: 1, 1_000...1_000_000, power: 12, [0], live.generation)
    XCTAssertEqual(later, PageFrames(live).bytes(id: 1, 1_000...1_000_000, power: 12, [0], live.generation))
    XCTAssertTrue(
      later.withUnsafeBytes { bytes in
        stride(from: 0, to: bytes.count - 7, by: 8).contains {
          bytes.loadUnaligned(fromByteOffset: $0, as: Double.self) == 77
        }
      })
  }

  func testBeatsTakeASmallPartOfACore() {
    XCTAssertEqual(HTTPPace.wait(after: 0, viewers: 20), HTTPPace.shortest)
    XCTAssertEqual(HTTPPace.wait(after: 1_000_000, viewers: 20), 500)
    XCTAssertEqual(HTTPPace.wait(after: .max, viewers: 60), HTTPPace.longest)
    // A single viewer does not wait long on a slow machine either.
    XCTAssertEqual(HTTPPace.wait(after: .max, viewers: 1), 150)
    var pace = HTTPPace()
    pace.begin()
    XCTAssertNotNil(pace.schedule(.max - 1, viewers: 1))
    XCTAssertNil(pace.schedule(.max, viewers: 1), "an earlier one comes")
    XCTAssertNotNil(pace.schedule(0, viewers: 1), "a later one is brought forward")
    XCTAssertLessThanOrEqual(pace.rest, HTTPPace.longestRest)
  }

  func testAMessageInParts() throws {
    let port = try begin()
    let client = try Client(port: port)
    XCTAssertEqual(client.upgrade(PageSession.name), 101)
    client.send(Client.frame(Array("sta".utf8), isLast: false))
    client.send(Client.frame(Array("te".utf8), opcode: 0))
    XCTAssertEqual(client.message()?.opcode, 1)
    // A message that is too long.
    for _ in 0..<3 { client.send(Client.frame([UInt8](repeating: 0x20, count: 30_000), opcode: 1, isLast: false)) }
    let end = client.message()
    XCTAssertTrue(end?.opcode == 8 || client.isClosed)
  }

  func testHalfARequestEnds() throws {
    var limits = HTTPServer.Limits()
    (limits.requestSeconds, limits.idleSeconds) = (1, 1)
    let port = try begin(limits: limits)
    let client = try Client(port: port)
    client.send("GET / HTTP/1.1\r\nHost: local")
    _ = client.readToEnd()
    XCTAssertTrue(client.isClosed)
    for bytes in [
      "\r\n\r\n", "GET\r\n\r\n", "\0\0\0\0", "GET /status HTTP/1.1\r\n\r\n", String(repeating: "a", count: 20_000),
    ] {
      let client = try Client(port: port)
      client.send(bytes)
      XCTAssertFalse(client.readToEnd().contains("\"version\""))
    }
    XCTAssertEqual(try Client(port: port).request("GET", "/status").status, 200)
  }

  func testAWebSocketNeedsASubprotocol() throws {
    let port = try begin()
    for name in [nil, "other", "no subprotocol"] {
      XCTAssertNotEqual(try Client(port: port).upgrade(name), 101, name ?? "none")
    }
    for name in [PageSession.name] + FoxgloveSession.names {
      XCTAssertEqual(try Client(port: port).upgrade(name), 101, name)
    }
  }

  func testTheSentencesOfRefusedWebSockets() throws {
    let port = try begin(token: true)
    func refusal(_ name: String?, _ headers: [String], path: String = "/ws") throws -> String {
      let client = try Client(port: port)
      _ = client.upgrade(name, headers, path: path)
      return client.readToEnd()
    }
    let host = "Host: localhost:\(port)"
    for name in ["other", nil, "no subprotocol", "sluice.page", String(repeating: "x", count: 1_000)] {
      let sentence = "a WebSocket needs a subprotocol that is known here\n"
      XCTAssertTrue(try refusal(name, [host]).hasSuffix(sentence), name ?? "none")
    }
    XCTAssertEqual(
      try Client(port: port).upgrade("other, \(PageSession.name)", [host, "Authorization: Bearer \(secret)"]), 101)
    XCTAssertEqual(
      try refusal(PageSession.name, [host], path: "/else"), "there is no WebSocket at this address; ask for /ws\n")
    XCTAssertEqual(try refusal(PageSession.name, [host]), "this needs the token: Authorization: Bearer TOKEN\n")
    XCTAssertEqual(
      try refusal(PageSession.name, [host, "Origin: http://evil.example"]),
      "the request comes from http://evil.example, another site; --http-origin admits one\n")
  }

  func testHTTP2IsRefused() throws {
    let port = try begin()
    let client = try Client(port: port)
    client.send(
      "GET /status HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
        + "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n")
    let answer = client.readToEnd()
    XCTAssertTrue(answer.hasPrefix("HTTP/1.") && answer.contains(" 400 "), answer)
    XCTAssertTrue(answer.hasSuffix("HTTP/2 is not served without TLS: ask with HTTP/1.1\n"), answer)
    // With what a client sends that knows of HTTP/2 beforehand, and with a protocol that nobody knows.
    for text in [
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{4}\0\0\0\0\0",
      "GET / HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n",
    ] {
      let client = try Client(port: port)
      client.send(text)
      let answer = client.readToEnd()
      XCTAssertFalse(answer.contains(" 101 ") || answer.contains(" 200 "), answer)
    }
    XCTAssertEqual(try Client(port: port).request("GET", "/status").status, 200)
  }

  func testTwoLengthsAreRefused() throws {
    let port = try begin()
    for method in ["POST", "GET"] {
      for lengths in [
        ["3", "30"], ["3", "3"], ["3, 3"], ["-3"], ["+3"], ["3x"], [String(repeating: "0", count: 40) + "3"],
      ] {
        // The server closes the connection, and does not read what follows the head. The kernel then sends a reset, which
        // can come before the answer is read. Some versions of libwebsockets close it without an answer if a length has
        // more digits than they read.
        var answer = ""
        for _ in 0..<20 where answer.isEmpty {
          let client = try Client(port: port)
          client.send(
            "\(method) /control HTTP/1.1\r\nHost: localhost:\(port)\r\n"
              + lengths.map { "Content-Length: \($0)\r\n" }.joined() + "\r\n{}\nGET /status HTTP/1.1\r\n\r\n")
          answer = client.readToEnd()
        }
        if answer.isEmpty, lengths[0].count > 20 { continue }
        XCTAssertTrue(answer.hasPrefix("HTTP/1.1 400 "), "\(method) \(lengths): \(answer)")
        XCTAssertEqual(answer.components(separatedBy: "HTTP/1.1 ").count, 2, answer)
      }
    }
  }

  /// The library does not know a header with white space before its colon, and would read the body as a request.
  func testWhiteSpaceBeforeTheColonIsRefused() throws {
    let port = try begin()
    for header in [
      "Content-Length : 5", "content-length\t: 5", "Content-Length   : 5", "Transfer-Encoding : chunked",
    ] {
      for method in ["GET", "POST"] {
        var answer = ""
        for _ in 0..<20 where answer.isEmpty {
          let client = try Client(port: port)
          client.send(
            "\(method) /status HTTP/1.1\r\nHost: localhost:\(port)\r\n\(header)\r\n\r\nGET /status HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n"
          )
          answer = client.readToEnd()
        }
        // A newer library may close the connection without a word.
        let isRefused = answer.isEmpty || answer.hasPrefix("HTTP/1.1 400 ")
        XCTAssertTrue(isRefused, "\(method) \(header): \(answer)")
        XCTAssertLessThanOrEqual(answer.components(separatedBy: "HTTP/1.1 ").count, 2, answer)
      }
    }
  }

  /// Whoever sends no whole request, or nothing after one, keeps nobody out.
  func testHalfOpenConnectionsMakeRoom() throws {
    var limits = HTTPServer.Limits()
    limits.connections = 4
    let port = try begin(limits: limits)
    let viewer = try Client(port: port)
    XCTAssertEqual(viewer.upgrade(PageSession.name), 101)
    var clients: [Client] = []
    for text in [
      "", "GET / HT", "POST /control HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{", "", "", "GET", "", "",
    ] {
      let client = try Client(port: port)
      client.send(text)
      clients.append(client)
      XCTAssertEqual(try Client(port: port).request("GET", "/session").status, 200)
    }
    // The oldest had to go, and who has a whole request stays.
    XCTAssertTrue(clients[0].readToEnd().isEmpty && clients[0].isClosed)
    viewer.say("state")
    XCTAssertEqual(viewer.message()?.opcode, 1)
  }

  func testManyConnections() throws {
    var limits = HTTPServer.Limits()
    limits.connections = 8
    let port = try begin(limits: limits)
    var clients: [Client] = []
    for _ in 0..<1_000 { if let client = try? Client(port: port) { clients.append(client) } }
    clients.removeAll()
    // There is room again as soon as it has seen that they are gone.
    let deadline = Date() + 20
    while (try Client(port: port).request("GET", "/session").status) != 200 {
      if Date() > deadline { return XCTFail("no connection after many") }
    }
  }

  // MARK: Foxglove

  private func subscribed(
    _ port: UInt16, _ name: String, room: Int32? = nil
  ) throws -> (client: Client, channels: [[String: Any]]) {
    let client = try Client(port: port, room: room)
    XCTAssertEqual(client.upgrade(name), 101)
    let info = try XCTUnwrap(client.message())
    XCTAssertTrue(String(decoding: info.payload, as: UTF8.self).contains("\"serverInfo\""))
    let message = try XCTUnwrap(client.message())
    let advertised = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(message.payload)) as? [String: Any])
    XCTAssertEqual(advertised["op"] as? String, "advertise")
    return (client, try XCTUnwrap(advertised["channels"] as? [[String: Any]]))
  }

  /// A viewer that was there before the first stream is told of it, though it has subscribed to nothing.
  func testFoxgloveIsToldOfALateStream() throws {
    let fifo = folder.file("fifo")
    XCTAssertEqual(mkfifo(fifo, 0o600), 0)
    let writer = open(fifo, O_RDWR)
    defer { close(writer) }
    func write(_ text: String) {
      let bytes = Array(text.utf8)
      XCTAssertEqual(Foundation.write(writer, bytes, bytes.count), bytes.count)
    }
    // A trace from a pipe has the streams whose rows have come.
    write("time_ns,stream,channel,value\n1000,early,x,1\n2000,early,x,2\n")
    let port = try begin(
      RecordingPlan(replay: ReplayPlan(fifo), stages: [.buffer()], outputs: [OutputPlan(folder.file("late.csv"))]))
    let (client, channels) = try subscribed(port, FoxgloveSession.names[0])
    XCTAssertFalse(channels.contains { $0["topic"] as? String == "/late" })
    write("3000,late,y,3\n4000,late,y,4\n5000,late,y,5\n")
    while let message = client.message() {
      let text = String(decoding: message.payload, as: UTF8.self)
      if text.contains("\"advertise\"") && text.contains("\"/late\"") { return }
    }
    XCTFail("it is not told of the late stream")
  }

  /// A viewer that asks nonsense and reads no answer is told how many it was not sent.
  func testFoxgloveIsToldOfAnswersThatHadNoRoom() throws {
    let site = RecordingWatch(
      try Recording(
        RecordingPlan(
          sources: [try SourceSpec("sim:imu@10")], stages: [.buffer()],
          outputs: [OutputPlan(folder.file("answers.csv"))])))
    let line = NoLine()
    let session = FoxgloveSession(site, line)
    while session.next() != nil {}
    let asks = (0..<10).map { #"{"id": \#($0), "channelId": 7}"# }.joined(separator: ", ")
    for _ in 0..<200 {
      XCTAssertFalse(session.receive(Array(#"{"op": "subscribe", "subscriptions": [\#(asks)]}"#.utf8), isText: true))
    }
    _ = session.tick()
    var texts: [String] = []
    while case .text(let text) = session.next() { texts.append(text) }
    XCTAssertEqual(texts.count, FoxgloveSession.mostTexts)
    XCTAssertTrue(session.tick())
    guard case .text(let told) = session.next() else { return XCTFail("it is not told") }
    XCTAssertTrue(told.contains("976 answers were not sent"), told)
    XCTAssertNil(session.next())
    session.end()
  }

  /// The same for events.
  func testFoxgloveIsToldOfEventsThatHadNoRoom() throws {
    let recording = try Recording(
      RecordingPlan(
        sources: [try SourceSpec("sim:imu@10")], stages: [.buffer()], outputs: [OutputPlan(folder.file("events.csv"))]))
    let session = FoxgloveSession(RecordingWatch(recording), NoLine())
    while session.next() != nil {}
    let ask = #"{"op": "subscribe", "subscriptions": [{"id": 1, "channelId": \#(FoxgloveSession.events)}]}"#
    XCTAssertFalse(session.receive(Array(ask.utf8), isText: true))
    recording.start()
    for number in 0..<300 { try recording.mark("mark \(number)") }
    recording.stop()
    recording.wait()
    XCTAssertTrue(session.tick())
    var marks = 0
    var told: [String] = []
    while let message = session.next() {
      switch message {
      case .text(let text): told.append(text)
      case .binary: marks += 1
      }
    }
    XCTAssertEqual(marks, FoxgloveSession.mostEvents)
    XCTAssertTrue(told.contains { $0.contains("events and losses were not sent") }, "\(told)")
    session.end()
  }

  private final class NoLine: WebSocketLine { func want() {} }

  func testFoxgloveGetsTheReadings() throws {
    let port = try begin()
    for name in FoxgloveSession.names {
      let (client, channels) = try subscribed(port, name)
      XCTAssertEqual(channels.map { $0["topic"] as? String }, ["/imu", "/sluice/events", "/sluice/losses"])
      XCTAssertEqual(channels.map { $0["encoding"] as? String }, ["cdr", "json", "json"])
      client.say(#"{"op": "subscribe", "subscriptions": [{"id": 9, "channelId": 1}, {"id": 10, "channelId": 65537}]}"#)
      var last: UInt64 = 0
      for _ in 0..<20 {
        let message = try XCTUnwrap(client.message())
        XCTAssertEqual(message.opcode, 2)
        XCTAssertEqual(Array(message.payload[..<5]), [1, 9, 0, 0, 0])
        let time = message.payload[5..<13].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        XCTAssertGreaterThan(time, last)
        last = time
        XCTAssertEqual(Array(message.payload[13..<17]), [0, 1, 0, 0])
        let seconds = message.payload[17..<21].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        XCTAssertEqual(seconds, time / 1_000_000_000)
      }
      try recording?.mark("door")
      while let message = client.message() {
        guard message.payload[1] == 10 else { continue }
        XCTAssertTrue(String(decoding: message.payload[13...], as: UTF8.self).contains(#""text": "door""#))
        break
      }
      client.say(#"{"op": "unsubscribe", "subscriptionIds": [9, 77]}"#)
    }
  }

  func testAChannelThatIsNotThere() throws {
    let (client, _) = try subscribed(begin(), FoxgloveSession.names[0])
    for channel in [Int.min, -1, 0, 2, 65_530, Int.max] {
      client.say(#"{"op": "subscribe", "subscriptions": [{"id": 9, "channelId": \#(channel)}]}"#)
      let message = try XCTUnwrap(client.message())
      XCTAssertTrue(String(decoding: message.payload, as: UTF8.self).contains("there is no channel \(channel)"))
    }
  }

  func testAStreamIsAskedForOnce() throws {
    let client = try Client(port: begin())
    XCTAssertEqual(client.upgrade(PageSession.name), 101)
    client.say("frame 1 0 60000000000 30 - 0,0")
    XCTAssertTrue([8, nil].contains(client.message()?.opcode))
  }

  func testAnAskBeyondAllTimes() throws {
    let client = try Client(port: begin())
    XCTAssertEqual(client.upgrade(PageSession.name), 101)
    client.say("frame 1 \(Int64.min) \(Int64.max) 50 - 0")
    XCTAssertEqual(client.message()?.opcode, 2)
  }

  func testASlowViewerIsToldWhatItMissed() throws {
    let port = try begin(source: "sim:imu@20000,seed=7", count: 100_000)
    let (client, _) = try subscribed(port, FoxgloveSession.names[0])
    client.say(#"{"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 1}]}"#)
    // It reads nothing until the recording has ended.
    try XCTUnwrap(recording).wait()
    var told: String?
    while told == nil, let message = client.message() {
      if message.opcode == 1 { told = String(decoding: message.payload, as: UTF8.self) }
    }
    XCTAssertTrue(told?.contains("were not sent") ?? false, told ?? "nothing")
    let account = try XCTUnwrap(recording).account
    XCTAssertEqual(account.dropped, 0)
  }

  /// Of the readings that it wants, each is sent, or is among those that it is told of. Others are none of its business.
  func testASlowViewerIsToldExactlyWhatItMissed() throws {
    var plan = RecordingPlan(
      sources: [try SourceSpec("sim:imu@20000,seed=7"), try SourceSpec("sim:meter@2000,seed=7")], stages: [.buffer()],
      outputs: [OutputPlan(folder.file("exact.csv"))])
    plan.limits.count = 20_000
    let recording = try Recording(plan)
    let session = FoxgloveSession(RecordingWatch(recording), NoLine())
    while session.next() != nil {}
    XCTAssertFalse(
      session.receive(Array(#"{"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 1}]}"#.utf8), isText: true))
    recording.start()
    let account = recording.wait()
    var (sent, told) = (0, 0)
    let deadline = Date(timeIntervalSinceNow: 10)
    // They come on a queue of their own.
    while sent + told < account.streams[0].received, Date() < deadline {
      _ = session.tick()
      while let message = session.next() {
        switch message {
        case .text(let text): told = Self.missed(text) ?? told
        case .binary: sent += 1
        }
      }
    }
    XCTAssertGreaterThan(told, 0)
    XCTAssertEqual(sent + told, account.streams[0].received, "\(sent) sent, told of \(told)")
    session.end()
  }

  /// Of "12 readings were not sent, ...: 1,234 so far; ..." the second number.
  private static func missed(_ text: String) -> Int? {
    guard text.contains("readings were not sent"), let end = text.range(of: " so far")?.lowerBound else { return nil }
    return Int(text[..<end].split(separator: " ").last.map { $0.filter { $0 != "," } } ?? "")
  }

  /// The server ends after the viewers have what the recording had for them, or were told of it.
  func testTheLastReadingsAreSentBeforeTheEnd() throws {
    var limits = HTTPServer.Limits()
    limits.endSeconds = 60
    let port = try begin(source: "sim:imu@20000,seed=7", count: 60_000, limits: limits)
    let (client, _) = try subscribed(port, FoxgloveSession.names[0], room: 1 << 16)
    client.say(#"{"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 1}]}"#)
    let account = try XCTUnwrap(recording).wait()
    let ended = expectation(description: "the end of the server")
    let server = try XCTUnwrap(server)
    DispatchQueue.global().async {
      server.stop()
      ended.fulfill()
    }
    // It has read nothing until now.
    var (times, told) = ([Int](), 0)
    while let message = client.message(), message.opcode != 8 {
      if message.opcode == 1 {
        told = Self.missed(String(decoding: message.payload, as: UTF8.self)) ?? told
      } else {
        times.append(message.payload[5..<13].reversed().reduce(0) { $0 << 8 | Int($1) })
      }
    }
    wait(for: [ended], timeout: 60)
    let rows = try String(contentsOfFile: folder.file("walk.csv"), encoding: .utf8).split(separator: "\n").dropFirst()
      .compactMap { $0.split(separator: ",").first.flatMap { Int($0) } }
    XCTAssertEqual(rows.count, account.written)
    XCTAssertEqual(times.last, rows.last)
    XCTAssertEqual(times.count + told, rows.filter { $0 >= times[0] }.count, "\(times.count) sent, told of \(told)")
  }

  // MARK: Addresses

  func testAPortInUseIsSaid() throws {
    let port = try begin()
    let plan = RecordingPlan(
      sources: [try SourceSpec("sim:imu@10")], stages: [.buffer()], outputs: [OutputPlan(folder.file("other.csv"))])
    let other = try Recording(plan)
    XCTAssertThrowsError(try RecordingServer(other, .init(address: .internet("127.0.0.1", port: port)))) {
      XCTAssertEqual(
        "\($0)",
        "cannot listen at 127.0.0.1:\(port): address already in use; end the program that has it, "
          + "or give another one, such as --http \(port + 1)")
    }
  }

  func testASocketInTheFileSystem() throws {
    let path = folder.file("socket")
    let address = HTTPAddress.unix(path)
    let (first, _) = try address.listen()
    var status = stat()
    XCTAssertEqual(stat(path, &status), 0)
    XCTAssertEqual(status.st_mode & 0o777, 0o600)
    XCTAssertThrowsError(try address.listen())
    close(first)
    // That of a program that has ended is replaced.
    let (second, _) = try address.listen()
    close(second)
    let file = folder.file("file", "text")
    XCTAssertThrowsError(try HTTPAddress.unix(file).listen())
    XCTAssertEqual(try String(contentsOfFile: file, encoding: .utf8), "text")
    XCTAssertThrowsError(try HTTPAddress.unix("/" + String(repeating: "x", count: 200)).listen())
  }

  func testATokenFile() throws {
    let good = folder.file("token", "0123456789abcdef\n")
    XCTAssertThrowsError(chmod(good, 0o644) == 0 ? try HTTPToken(file: good) : nil) {
      XCTAssertTrue("\($0)".hasSuffix("chmod o= \(good)"), "\($0)")
    }
    for mode in [0o600, 0o400, 0o640, 0o440] as [mode_t] {
      chmod(good, mode)
      XCTAssertTrue(try HTTPToken(file: good).isToken("0123456789abcdef"), String(mode, radix: 8))
    }
    for mode in [0o604, 0o602, 0o601, 0o620, 0o660] as [mode_t] {
      chmod(good, mode)
      XCTAssertThrowsError(try HTTPToken(file: good), String(mode, radix: 8))
    }
    chmod(good, 0o600)
    var status = stat()
    XCTAssertEqual(stat(good, &status), 0)
    status.st_uid = 1_000
    XCTAssertNil(SecretFile.fault(status, user: 1_000))
    XCTAssertEqual(SecretFile.fault(status, user: 1_001)?.cause, "it belongs to another user (number 1000)")
    status.st_uid = 0
    XCTAssertNil(SecretFile.fault(status, user: 1_001))
    for text in ["", "short\n", "0123456789 abcdef\n", "0123456789abcdef\nmore\n"] {
      let bad = folder.file("bad", text)
      chmod(bad, 0o600)
      XCTAssertThrowsError(try HTTPToken(file: bad), text)
    }
    XCTAssertThrowsError(try HTTPToken(file: folder.file("none")))
  }
}
