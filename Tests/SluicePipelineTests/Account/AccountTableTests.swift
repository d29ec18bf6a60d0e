import SluiceReadings
import SluiceRecording
import XCTest

@testable import SluicePipeline

final class AccountTableTests: XCTestCase {
  private func account(_ count: Int, _ change: (inout Account) -> Void = { _ in }) -> Account {
    let streams = (1...count).map { number in
      StreamAccount(
        stream: "line\(number)", received: 1_000 + number, dropped: 0, suppressed: 0, discarded: 0,
        written: 1_000 + number)
    }
    var account = Account(streams: streams, losses: [], seconds: 2)
    change(&account)
    return account
  }

  func testFewStreamsStandInTheSentence() {
    XCTAssertEqual(account(4).streamTable(columns: 80), [])
    XCTAssertTrue(account(4).text.hasSuffix("; line1 1,001, line2 1,002, line3 1,003, line4 1,004"))
    XCTAssertFalse(account(5).text.contains("line1"))
  }

  func testTheTableFitsEveryWindow() {
    let many = account(64)
    for columns in [16, 20, 40, 80, 200, 1_000] {
      let lines = many.streamTable(columns: columns)
      XCTAssertLessThanOrEqual(lines.map(\.count).max() ?? 0, max(20, columns), "\(columns)")
      let words = lines.flatMap { $0.split(separator: " ") }
      for number in 1...64 { XCTAssertEqual(words.count { $0 == "line\(number)" }, 1, "\(columns)") }
    }
    XCTAssertEqual(many.streamTable(columns: 80).count, 1 + 16)
    XCTAssertLessThan(many.text.count, 100)
  }

  func testFromTopToBottomAndThenToTheRight() {
    XCTAssertEqual(
      account(5).streamTable(columns: 40),
      [
        "stream  received    stream  received", "line1      1,001    line4      1,004",
        "line2      1,002    line5      1,005", "line3      1,003",
      ])
  }

  func testWhatHappenedToOneStreamIsAColumn() {
    let table = account(5) { account in
      account.streams[1].dropped = 2
      account.streams[1].written -= 2
      account.losses = [
        Loss(streams: ["line3"], reason: "lost", count: 7),
        Loss(streams: ["line3", "line4"], reason: "lost", count: 1),
        Loss(streams: ["line5"], reason: "times removed", count: 1, countsReadings: false),
        Loss(streams: ["line5"], reason: "lost", count: 1, isRecorded: true),
      ]
    }.streamTable(columns: 80)
    XCTAssertEqual(
      table,
      [
        "stream  received  written  dropped  lost", "line1      1,001    1,001        0     0",
        "line2      1,002    1,000        2     0", "line3      1,003    1,003        0     7",
        "line4      1,004    1,004        0     0", "line5      1,005    1,005        0     0",
      ])
  }

  func testALongNameIsCut() {
    let table = account(5) { $0.streams[0].stream = String(repeating: "x", count: 64) }.streamTable(columns: 30)
    XCTAssertEqual(table[1], String(repeating: "x", count: 18) + "..     1,001")
    XCTAssertEqual(table.map(\.count).max(), 30)
  }

  func testLongListsOfNamesAreCutInTheSentence() {
    let names = (1...64).map { "line\($0)" }
    let account = account(64) { account in
      account.losses = [Loss(streams: names.dropLast(), reason: "lost in the kernel", count: 3)]
    }
    XCTAssertTrue(account.text.contains("3 lost in the kernel of line1, line2, line3 and 60 more"), account.text)
    var unseen = self.account(64)
    (unseen.lossesShown, unseen.unseen) = (.none, names)
    XCTAssertTrue(unseen.text.contains("losses of line1, line2, line3 and 61 more could not be seen"), unseen.text)
  }

  /// 64 timers have 64 losses of one reason.
  func testLossesOfManyStreamsAreSummed() {
    let account = account(64) { account in
      account.losses = account.streams.enumerated().map { number, stream in
        Loss(streams: [stream.stream], reason: "ticks missed", count: 2, first: Int64(number), last: Int64(number) + 1)
      }
    }
    XCTAssertTrue(account.text.contains("128 ticks missed from 1970-01-01T00:00:00.000Z to 1970"), account.text)
    XCTAssertLessThan(account.text.count, 200)
    XCTAssertEqual(Loss(reason: "ticks missed", count: 1).text(), "1 tick missed")
  }
}
