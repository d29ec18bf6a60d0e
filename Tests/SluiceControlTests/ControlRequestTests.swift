import XCTest

@testable import SluiceControl

final class ControlRequestTests: XCTestCase {
  private func fault(_ line: String) -> String? {
    do throws(ControlFault) {
      _ = try ControlRequest(Array(line.utf8))
      return nil
    } catch {
      return error.sentence
    }
  }

  func testEachRequestIsReadAsItIsWritten() throws {
    let requests: [ControlRequest] = [
      .status(follows: false), .status(follows: true), .pause, .resume, .mark("door \"opened\" \\ \u{1f6aa}"),
      .mark(""),
      .rotate, .flush, .reload, .stop,
    ]
    for request in requests {
      XCTAssertEqual(request.line.last, 0x0a)
      XCTAssertEqual(request.line.filter { $0 == 0x0a }.count, 1)
      XCTAssertEqual(try ControlRequest(request.line.dropLast()), request)
    }
    XCTAssertEqual(try ControlRequest(Array(#" { "text" : "\u0041" , "order":"mark" } "#.utf8)), .mark("A"))
  }

  func testOnlyTheStateIsForEverybody() {
    XCTAssertFalse(ControlRequest.status(follows: false).changes)
    XCTAssertFalse(ControlRequest.status(follows: true).changes)
    for request in [ControlRequest.pause, .resume, .mark("a"), .rotate, .flush, .reload, .stop] {
      XCTAssertTrue(request.changes)
    }
  }

  func testWhatIsNoRequest() {
    let form = "a request is one JSON object on a line, and each of its members is a string, once"
    for line in [
      "", " ", "status", "{", "{}x", "[]", #"{"order": 1}"#, #"{"order": ["status"]}"#, #"{"order": null}"#,
      #"{"order": "pause", "order": "stop"}"#, #"{"order": "mark", "text": "\ud800"}"#, #"{"order": "\x"}"#,
      #"{"order": "status"} {"order": "stop"}"#, "{\"order\": \"mark\", \"text\": \"a\u{1}b\"}",
      String(repeating: "[", count: 8_000), #"{"order": "mark", "text": "\"#,
    ] {
      XCTAssertEqual(fault(line), form, line)
    }
    XCTAssertEqual(fault("{}"), #"a request is a line such as {"order": "status"}"#)
    XCTAssertEqual(
      fault(#"{"order": "strat"}"#),
      "there is no order \"strat\"; there are status, follow, health, pause, resume, mark, rotate, flush, reload, stop")
    XCTAssertThrowsError(try ControlRequest([0x22, 0xff, 0x22]))
    for text in ["\\n", "\\u0000", "\\u001b[2J", "\\u0085"] {
      XCTAssertEqual(
        fault("{\"order\": \"mark\", \"text\": \"a\(text)b\"}"), "the text of a mark has no control characters")
    }
  }

  /// No request can name a file or a program.
  func testAnOrderHasNothingButItsText() {
    XCTAssertEqual(fault(#"{"order": "reload", "plan": "/etc/passwd"}"#), "the order reload has no \"plan\"")
    XCTAssertEqual(fault(#"{"order": "pause", "text": "a"}"#), "the order pause has no \"text\"")
    XCTAssertEqual(fault(#"{"order": "mark", "text": "a", "command": "rm"}"#), "the order mark has no \"command\"")
  }
}
