import SluiceReadings
import XCTest

@testable import SluiceSend

final class HTTPAnswerTests: XCTestCase {
  private func meaning(_ status: Int, _ body: String = "", retryAfter: Int = 0, location: String = "") throws
    -> SendAnswer
  {
    var answer = HTTPAnswer()
    (answer.status, answer.body, answer.retryAfter, answer.location) = (status, body, retryAfter, location)
    return answer.meaning(for: try HTTPServerAddress("http://h/write?db=x"))
  }

  private func sentence(_ answer: SendAnswer) -> String {
    switch answer {
    case .acknowledged: "acknowledged"
    case .refused(let error), .tooLarge(let error), .stop(let error), .wait(let error, _): "\(error)"
    }
  }

  /// As InfluxDB 1.6, 1.8, 2.7, 3, VictoriaMetrics, Telegraf and others send it.
  func testRecordedAnswers() throws {
    let answers: [(Int, String, String)] = [
      (204, "", "acknowledged"), (200, "", "acknowledged"), (202, "\n", "acknowledged"),
      (200, "<!DOCTYPE html><title>Log in to the network</title>", "wait"), (200, "OK", "wait"), (200, "{}", "wait"),
      (400, #"{"error":"database is required"}"#, "wait"), (400, #"{"error":"gzip: invalid header"}"#, "wait"),
      (400, #"{"error":"missing required parameter \"q\""}"#, "wait"),
      (400, #"{"error":"invalid consistency level"}"#, "wait"),
      (400, #"remoteAddr: "127.0.0.1:1"; requestURI: /wrong; unsupported path requested: "/wrong""#, "wait"),
      (
        400,
        #"remoteAddr: "127.0.0.1:1"; requestURI: /write?db=plant; cannot read gzipped influx line protocol data: unexpected EOF"#,
        "wait"
      ),
      (400, "Client sent an HTTP request to an HTTPS server.\n", "wait"),
      (400, "<html><head><title>400 The plain HTTP request was sent to HTTPS port</title></head>", "wait"),
      (400, #"{"code":"invalid","message":"invalid precision; valid precision units are ns, us, ms, and s"}"#, "wait"),
      (400, #"{"error":"time precision 'm' is not supported"}"#, "wait"),
      (400, #"{"error":"partial write: points beyond retention policy dropped=1"}"#, "refused"),
      (400, #"{"error":"partial write: unable to parse 'm a= 1000': missing field value dropped=0"}"#, "refused"),
      (400, #"{"error":"metric parse error: expected field at 1:9: \"m value\""}"#, "refused"),
      (
        400,
        #"{"error":"partial write of line protocol occurred","data":[{"original_line":"m a=1i","line_number":2,"error_message":"invalid column type for column 'a'"}]}"#,
        "refused"
      ), (400, "", "refused"),
      (
        400,
        #"{"error":"partial write: field type conflict: input field \"a\" on measurement \"m\" is type float, already exists as type integer dropped=1"}"#,
        "refused"
      ),
      (400, #"{"code":"invalid","message":"unable to parse 'm a=': missing field value"}"#, "refused"),
      (
        422,
        #"{"code":"unprocessable entity","message":"failure writing points to database: partial write: field type conflict"}"#,
        "refused"
      ),
      (401, #"{"error":"unable to parse authentication credentials"}"#, "wait"),
      (401, #"{"code":"unauthorized","message":"unauthorized access"}"#, "wait"),
      (403, #"{"error":"\"me\" user is not authorized to write to database \"x\""}"#, "wait"),
      (404, #"{"error":"database not found: \"x\""}"#, "wait"),
      (404, #"{"code":"not found","message":"bucket \"b\" not found"}"#, "wait"),
      (413, #"{"error":"Request Entity Too Large"}"#, "tooLarge"), (429, "", "wait"),
      (500, #"{"error":"timeout"}"#, "wait"),
      (503, "", "wait"), (301, "", "wait"), (405, "", "wait"),
    ]
    for (status, body, kind) in answers {
      let answer = try meaning(status, body)
      XCTAssertTrue("\(answer)".hasPrefix(kind), "\(status): \(answer)")
      if !body.isEmpty, status >= 300 { XCTAssertTrue(sentence(answer).contains(body.prefix(30)), sentence(answer)) }
      if status >= 300 { XCTAssertTrue(sentence(answer).contains("\(status)"), sentence(answer)) }
    }
  }

  func testEachStatusHasItsSentence() throws {
    let sentences = try [301, 400, 401, 403, 404, 405, 413, 429, 503].map { sentence(try meaning($0)) }
    XCTAssertEqual(Set(sentences).count, sentences.count)
    XCTAssertTrue(sentence(try meaning(307, location: "http://other/write")).contains("http://other/write"))
  }

  func testRetryAfter() throws {
    guard case .wait(_, let time) = try meaning(503, retryAfter: 7) else { return XCTFail("it does not wait") }
    XCTAssertEqual(time, 7_000_000_000)
    guard case .wait(_, let none) = try meaning(503) else { return XCTFail("it does not wait") }
    XCTAssertNil(none)
  }

  func testThreeSentencesForCertificates() throws {
    let address = try HTTPServerAddress("https://h/write")
    func text(_ verification: Int, _ words: String) -> String {
      var answer = HTTPAnswer()
      (answer.failure, answer.verification, answer.words) = (.certificate, verification, words)
      return sentence(answer.meaning(for: address))
    }
    XCTAssertTrue(text(10, "certificate has expired").contains("has expired"))
    XCTAssertTrue(text(20, "unable to get local issuer certificate").contains("ca=FILE"))
    XCTAssertTrue(
      text(0, "SSL: no alternative certificate subject name matches target host name 'h'").contains(
        "another name than h"))
  }

  func testAnAnswerCannotChangeTheTerminal() throws {
    XCTAssertFalse(sentence(try meaning(503, "\u{1b}[31mred\u{7}\nmore")).contains("\u{1b}"))
  }
}
