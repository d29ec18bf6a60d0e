import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceControl

final class ControlConnectionTests: XCTestCase {
  private var limits: ControlConnection.Limits {
    var limits = ControlConnection.Limits()
    (limits.line, limits.output, limits.faults) = (100, 200, 3)
    return limits
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func output(_ connection: ControlConnection) -> String {
    connection.withOutput { String(decoding: $0, as: UTF8.self) }
  }

  /// What a client that reads everything has got.
  private func taken(_ connection: inout ControlConnection, at now: UInt64 = 0) -> String {
    let text = output(connection)
    connection.took(text.utf8.count, at: now)
    return text
  }

  func testOneRequestAtATime() {
    var connection = ControlConnection(at: 0, limits: limits)
    XCTAssertTrue(connection.wantsInput)
    connection.receive(bytes("{\"order\": \"pa"))
    XCTAssertEqual(connection.next(at: 0), .rest)
    XCTAssertTrue(connection.wantsInput)
    connection.receive(bytes("use\"}\r\n{\"order\": \"resume\"}\n"))
    XCTAssertFalse(connection.wantsInput, "there is work")
    XCTAssertEqual(connection.next(at: 0), .answer(.pause))
    XCTAssertEqual(connection.next(at: 0), .rest, "the first is not answered")
    XCTAssertFalse(connection.wantsInput)
    connection.answer(.done("paused"), at: 0)
    XCTAssertEqual(connection.next(at: 0), .answer(.resume))
    connection.answer(.refused("no"), at: 0)
    XCTAssertEqual(connection.next(at: 0), .rest)
    XCTAssertEqual(taken(&connection), "{\"done\": \"paused\"}\n{\"refused\": \"no\"}\n")
    XCTAssertTrue(connection.wantsInput)
    XCTAssertFalse(connection.isOver)
  }

  func testAnAnswerComesOnceOnly() {
    var connection = ControlConnection(at: 0, limits: limits)
    connection.answer(.done("nobody has asked"), at: 0)
    XCTAssertFalse(connection.hasOutput)
    connection.receive(ControlRequest.pause.line)
    XCTAssertEqual(connection.next(at: 0), .answer(.pause))
    connection.answer(.done("a"), at: 0)
    connection.answer(.done("b"), at: 0)
    XCTAssertEqual(output(connection), "{\"done\": \"a\"}\n")
  }

  func testAClientThatClosesItsHalfIsStillAnswered() {
    var connection = ControlConnection(at: 0, limits: limits)
    connection.receive(ControlRequest.pause.line + bytes("{\"ord"))
    connection.endInput()
    XCTAssertEqual(connection.next(at: 0), .answer(.pause))
    XCTAssertFalse(connection.isOver)
    connection.answer(.done("a"), at: 0)
    XCTAssertEqual(connection.next(at: 0), .rest)
    XCTAssertFalse(connection.isOver, "the answer waits")
    XCTAssertEqual(taken(&connection), "{\"done\": \"a\"}\n")
    XCTAssertTrue(connection.isOver)
  }

  func testALineWithoutAnEndIsNotKept() {
    for text in [String(repeating: "x", count: 101), String(repeating: "x", count: 101) + "\n"] {
      var connection = ControlConnection(at: 0, limits: limits)
      connection.receive(bytes(text))
      XCTAssertEqual(connection.next(at: 0), .rest)
      XCTAssertEqual(
        taken(&connection),
        "{\"refused\": \"a request has at most 100 bytes\"}\n{\"ended\": \"the rest of the request is not read\"}\n")
      XCTAssertTrue(connection.isOver)
      connection.receive(ControlRequest.stop.line)
      XCTAssertEqual(connection.next(at: 0), .rest)
    }
  }

  func testAClientThatSendsNonsenseIsClosed() {
    var connection = ControlConnection(at: 0, limits: limits)
    for _ in 0..<10 { connection.receive(bytes("GET / HTTP/1.1\n")) }
    XCTAssertEqual(connection.next(at: 0), .rest)
    let first = taken(&connection)
    XCTAssertEqual(
      first.split(separator: "\n").filter { $0.hasPrefix("{\"refused\"") }.count, 2, "the room is half full")
    XCTAssertEqual(connection.next(at: 0), .rest)
    XCTAssertTrue(taken(&connection).hasSuffix("{\"ended\": \"3 requests could not be read\"}\n"))
    XCTAssertTrue(connection.isOver)
  }

  func testAClientThatDoesNotReadAsksForNothingMore() {
    var connection = ControlConnection(at: 0, limits: limits)
    connection.receive(ControlRequest.pause.line + ControlRequest.pause.line)
    XCTAssertEqual(connection.next(at: 0), .answer(.pause))
    connection.answer(.done(String(repeating: "a", count: 500)), at: 0)
    XCTAssertEqual(connection.next(at: 0), .rest)
    XCTAssertFalse(connection.wantsInput)
    _ = taken(&connection)
    XCTAssertEqual(connection.next(at: 0), .answer(.pause))
  }

  // MARK: Those who follow

  private func follower() -> ControlConnection {
    var connection = ControlConnection(at: 0, limits: limits)
    connection.receive(ControlRequest.status(follows: true).line)
    XCTAssertEqual(connection.next(at: 0), .answer(.status(follows: true)))
    return connection
  }

  func testAFollowerIsToldWhatItWasNotSent() {
    var connection = follower()
    XCTAssertFalse(connection.wantsInput)
    for number in 0..<100 { connection.tell(.event(.string("event \(number)"), text: ""), at: 0) }
    XCTAssertLessThanOrEqual(output(connection).utf8.count, 200)
    let kept = output(connection).split(separator: "\n").count
    XCTAssertGreaterThan(kept, 2)
    XCTAssertEqual(connection.missed, 100 - kept)
    XCTAssertFalse(connection.isCaughtUp)
    let before = taken(&connection)
    XCTAssertTrue(before.contains("event \(kept - 1)"))
    // Told at once, when there is room, and before what comes later.
    connection.tell(.event(.string("later"), text: ""), at: 0)
    XCTAssertEqual(
      taken(&connection), "{\"missed\": \(100 - kept)}\n{\"event\": \"later\", \"text\": \"\"}\n")
    XCTAssertTrue(connection.isCaughtUp)
  }

  func testWhatWasLostOnTheWayIsToldToo() {
    var connection = follower()
    connection.miss(7, at: 0)
    XCTAssertEqual(taken(&connection), "{\"missed\": 7}\n")
    for _ in 0..<100 { connection.tell(.event(.string("event"), text: ""), at: 0) }
    let missed = connection.missed
    connection.miss(7, at: 0)
    _ = taken(&connection)
    XCTAssertEqual(taken(&connection), "{\"missed\": \(missed + 7)}\n")
  }

  func testAFollowerThatReadsNothingIsDropped() {
    var connection = follower()
    connection.tell(.event(.string("a"), text: ""), at: 5_000)
    XCTAssertFalse(connection.look(at: 14_999))
    XCTAssertTrue(connection.look(at: 15_000))
    XCTAssertTrue(output(connection).hasSuffix("{\"ended\": \"nothing was read for 10 s\"}\n"))
    connection.drop()
    XCTAssertTrue(connection.isOver)
    XCTAssertFalse(connection.hasOutput)
  }

  func testAFollowerThatReadsSlowlyStays() {
    var connection = follower()
    for second in 1...60 {
      connection.tell(.event(.string("a"), text: ""), at: UInt64(second) * 1_000)
      XCTAssertFalse(connection.look(at: UInt64(second) * 1_000))
      connection.took(1, at: UInt64(second) * 1_000)
    }
    XCTAssertEqual(connection.phase, .following)
  }

  func testWhoMayNotFollowIsToldWhy() {
    var connection = follower()
    connection.answer(.refused("no"), at: 0)
    XCTAssertEqual(taken(&connection), "{\"refused\": \"no\"}\n")
    XCTAssertEqual(connection.phase, .asking)
  }

  // MARK: Time

  func testWhoAsksForNothingIsClosed() {
    var connection = ControlConnection(at: 0, limits: limits)
    // Bytes alone are no request.
    connection.receive(bytes("{"))
    XCTAssertEqual(connection.next(at: 9_000), .rest)
    XCTAssertFalse(connection.look(at: 9_999))
    XCTAssertFalse(connection.look(at: 10_000))
    XCTAssertEqual(taken(&connection), "{\"ended\": \"nothing was asked for 10 s\"}\n")
    XCTAssertTrue(connection.isOver)
  }

  func testBetweenTwoRequestsThereIsMoreTime() {
    var connection = ControlConnection(at: 0, limits: limits)
    connection.receive(ControlRequest.pause.line)
    XCTAssertEqual(connection.next(at: 5_000), .answer(.pause))
    XCTAssertFalse(connection.look(at: 500_000))
    XCTAssertEqual(connection.phase, .working, "a request takes as long as it takes")
    connection.answer(.done("a"), at: 500_000)
    _ = taken(&connection, at: 500_000)
    _ = connection.look(at: 559_999)
    XCTAssertEqual(connection.phase, .asking)
    _ = connection.look(at: 560_000)
    XCTAssertEqual(connection.phase, .closing)
  }

  func testAClockThatGoesBackClosesNobody() {
    var connection = ControlConnection(at: 100_000, limits: limits)
    XCTAssertFalse(connection.look(at: 0))
    XCTAssertEqual(connection.phase, .asking)
  }

  // MARK: Anything in any order

  /// Requests cut anywhere are answered in their order, each once; what waits is never more than its limit and one answer.
  func testRequestsCutAnywhere() {
    var generator = TestGenerator()
    for _ in 0..<300 {
      var connection = ControlConnection(at: 0, limits: limits)
      let requests = (0..<Int.random(in: 1...8, using: &generator)).map { number -> ControlRequest in
        [.pause, .resume, .mark("m\(number)"), .flush, .rotate][number % 5]
      }
      var rest = requests.flatMap(\.line)[...]
      var (asked, sent) = ([ControlRequest](), "")
      var isWorking = false
      while asked.count < requests.count || isWorking || connection.hasOutput {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0 where connection.wantsInput:
          let count = min(rest.count, Int.random(in: 0...60, using: &generator))
          connection.receive(rest.prefix(count))
          rest.removeFirst(count)
        case 1:
          if case .answer(let request) = connection.next(at: 0) {
            XCTAssertFalse(isWorking)
            asked.append(request)
            isWorking = true
          }
        case 2 where isWorking:
          connection.answer(.done("\(asked.count)"), at: 0)
          isWorking = false
        case 3:
          let text = output(connection)
          let part = text.utf8.prefix(Int.random(in: 0...50, using: &generator))
          sent += String(part) ?? ""
          connection.took(part.count, at: 0)
        default: break
        }
        XCTAssertLessThanOrEqual(output(connection).utf8.count, 300, generator.note)
      }
      XCTAssertEqual(asked, requests, generator.note)
      XCTAssertEqual(sent, requests.indices.map { "{\"done\": \"\($0 + 1)\"}\n" }.joined(), generator.note)
    }
  }

  /// Bytes of any kind neither trap nor grow.
  func testAnyBytes() {
    var generator = TestGenerator()
    for _ in 0..<300 {
      var connection = ControlConnection(at: 0, limits: limits)
      for _ in 0..<50 {
        let count = Int.random(in: 0...150, using: &generator)
        let alphabet = Array("{}\":,\\norder text mark pause\n\n\u{0}\u{ff}".utf8)
        if connection.wantsInput {
          connection.receive((0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 })
        }
        while case .answer = connection.next(at: 0) { connection.answer(.done("a"), at: 0) }
        if Bool.random(using: &generator) { _ = taken(&connection) }
      }
      XCTAssertLessThan(output(connection).utf8.count, 2_000, generator.note)
    }
  }
}
