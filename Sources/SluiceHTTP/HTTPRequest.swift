/// A request, as far as it is looked at.
struct HTTPRequest {
  enum Method { case get, head, post, other }

  var method = Method.get
  var path = "/"
  var host: String?
  var origin: String?
  var cookie: String?
  var authorization: String?
  var contentType: String?
  var body: [UInt8] = []
}

/// The answer to a request.
struct HTTPAnswer {
  enum Body {
    case bytes([UInt8])
    /// A descriptor, which is closed after the answer, and the number of bytes to send.
    case file(Int32, count: Int)
  }

  var status = 200
  var headers: [(name: String, value: String)] = []
  var body = Body.bytes([])

  static func text(_ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8") -> HTTPAnswer {
    HTTPAnswer(status: status, headers: [("content-type", type)], body: .bytes(Array(text.utf8)))
  }

  static func json(_ text: String, status: Int = 200) -> HTTPAnswer {
    .text(text + "\n", status: status, type: "application/json")
  }

  /// A refusal as a sentence.
  static func refusal(_ status: Int, _ sentence: String) -> HTTPAnswer { .text(sentence + "\n", status: status) }
}
