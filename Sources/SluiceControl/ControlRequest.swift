import SluiceReadings
import SluiceRecording

/// A request of a client to a recording: one line of JSON, such as `{"order": "mark", "text": "door opened"}`.
///
/// No request names a file or a program.
package enum ControlRequest: Hashable, Sendable {
  /// The status of the recording: once, or repeatedly and together with the events.
  case status(follows: Bool)
  /// The health of the recording.
  case health
  case pause
  case resume
  case mark(String)
  case rotate
  case flush
  case reload
  case stop

  /// The words of all orders, for the refusal of a misspelt one.
  static let words = ["status", "follow", "health", "pause", "resume", "mark", "rotate", "flush", "reload", "stop"]

  /// Whether only the owner of the recording and root may send this request.
  package var changes: Bool {
    switch self {
    case .status, .health: false
    case .pause, .resume, .mark, .rotate, .flush, .reload, .stop: true
    }
  }

  /// The order in the JSON of a request.
  package var word: String {
    switch self {
    case .status(let follows): follows ? "follow" : "status"
    case .health: "health"
    case .pause: "pause"
    case .resume: "resume"
    case .mark: "mark"
    case .rotate: "rotate"
    case .flush: "flush"
    case .reload: "reload"
    case .stop: "stop"
    }
  }

  /// The request as a line, with its line feed.
  package var line: [UInt8] {
    var members: [(String, JSON)] = [("order", .string(word))]
    if case .mark(let text) = self { members.append(("text", .string(text))) }
    return Array((JSON.object(members).text + "\n").utf8)
  }

  /// Reads a line without its line feed.
  /// - Throws: A sentence for the client.
  init(_ line: some Collection<UInt8>) throws(ControlFault) {
    let members = try Self.members(Array(line))
    guard let order = members["order"] else {
      throw ControlFault(#"a request is a line such as {"order": "status"}"#)
    }
    let text = members["text"]
    if let key = members.keys.filter({ $0 != "order" && !($0 == "text" && order == "mark") }).min() {
      throw ControlFault("the order \(order.prefix(40)) has no \"\(key.prefix(40))\"")
    }
    switch order {
    case "status": self = .status(follows: false)
    case "follow": self = .status(follows: true)
    case "health": self = .health
    case "pause": self = .pause
    case "resume": self = .resume
    case "mark":
      let text = text ?? ""
      guard !text.hasControlCharacters else {
        throw ControlFault("the text of a mark has no control characters")
      }
      self = .mark(text)
    case "rotate": self = .rotate
    case "flush": self = .flush
    case "reload": self = .reload
    case "stop": self = .stop
    default:
      throw ControlFault("there is no order \"\(order.prefix(40))\"; there are \(Self.words.joined(separator: ", "))")
    }
  }

  /// The members of an object whose values are all strings.
  private static func members(_ line: [UInt8]) throws(ControlFault) -> [String: String] {
    var members: [String: String] = [:]
    let isWhole = line.withUnsafeBufferPointer { bytes in
      var cursor = JSONCursor(bytes)
      let words = cursor
      guard cursor.take("{") else { return false }
      let isObject = cursor.members { name, value in
        var word = JSONCursor(bytes, value)
        guard let name = words.text(name), let inside = word.string(), let text = words.text(inside) else {
          return false
        }
        return members.updateValue(text, forKey: name) == nil
      }
      return isObject && cursor.isAtEnd
    }
    guard isWhole else {
      throw ControlFault("a request is one JSON object on a line, and each of its members is a string, once")
    }
    return members
  }
}

/// Why a request is refused, as a sentence.
struct ControlFault: Error, Equatable {
  let sentence: String
  init(_ sentence: String) { self.sentence = sentence }
}
