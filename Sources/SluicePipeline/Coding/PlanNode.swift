import SluiceReadings

/// A value of a plan, and where it stands.
struct PlanNode {
  var json: JSON
  var path: [PlanKey] = []
  /// Whether a recording has sources of a program besides those of its plan.
  var hasOtherSources = false

  func inside(_ json: JSON, _ key: PlanKey) -> PlanNode {
    PlanNode(json: json, path: path + [key], hasOtherSources: hasOtherSources)
  }

  /// - Parameters:
  ///   - sentence: The words after the place, with a space or a colon first: ` takes true or false`, `: there is no
  ///     such key`.
  ///   - subject: What it is about.
  func fault(_ sentence: String, about subject: Fault.Subject = .value) -> Fault {
    Fault(at: path, sentence, about: subject)
  }
}

// MARK: Simple values

extension PlanNode {
  func text() throws(Fault) -> String {
    guard let text = json.string else { throw fault(" takes a text, not \(json.shown)") }
    // The system would end the name of a file at this character.
    if text.utf8.contains(0) { throw fault(" has a NUL character") }
    return text
  }

  /// A path, or the name of something. A line feed in it would begin a line in a file for another program, such as the
  /// unit of a service.
  func name() throws(Fault) -> String {
    let name = try text()
    if name.hasControlCharacters { throw fault(" has a line feed or another control character") }
    return name
  }

  func flag() throws(Fault) -> Bool {
    if let flag = json.written.flatMap(Bool.init) { return flag }
    throw fault(" takes true or false, not \(json.shown)")
  }

  func number(_ range: PartialRangeFrom<Int>) throws(Fault) -> Int {
    if let number = json.written.flatMap({ Int($0) }), range.contains(number) { return number }
    throw fault(" takes a whole number of \(range.lowerBound) or more, not \(json.shown)")
  }

  func elements() throws(Fault) -> [PlanNode] {
    guard case .array(let elements) = json else { throw fault(" takes a list, not \(json.shown)") }
    return elements.enumerated().map { inside($1, PlanKey($0)) }
  }

  func texts() throws(Fault) -> [String] {
    var texts: [String] = []
    for element in try elements() {
      let text = try element.text()
      if text.isEmpty { throw element.fault(" takes a text, not \(element.json.shown)") }
      texts.append(text)
    }
    return texts
  }
}

// MARK: Parts

/// A part of a plan: it is read from what is written, and gives it back.
protocol PlanPart {
  init(plan node: PlanNode) throws(Fault)
  /// What is written in a plan.
  var json: JSON { get }
}

/// A part that is written as a text.
protocol PlanText: PlanPart, LosslessStringConvertible {
  /// What it takes, for errors: `a time with its unit, such as 10ms`.
  static var form: String { get }
}

extension PlanText {
  init(plan node: PlanNode) throws(Fault) {
    guard let value = node.json.string.flatMap(Self.init) else {
      throw node.fault(" takes \(Self.form), not \(node.json.shown)")
    }
    self = value
  }

  var json: JSON { .string(description) }
}

extension JSON {
  /// The text that the command line would have; nil if it is not a simple value.
  var written: String? {
    switch self {
    case .bool(let flag): "\(flag)"
    // `1e3` and `2.0` are whole numbers.
    case .number(let digits): ExactDecimal(digits)?.whole(power: 0).map { "\($0)" } ?? digits
    case .string(let text): text
    case .null, .array, .object: nil
    }
  }

  /// The text of a string; nil for another value.
  var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The text as it is in the plan, for an error.
  var shown: String {
    switch self {
    case .null, .bool: text
    case .number(let digits): digits.count > 64 ? "\(digits.prefix(64))…" : digits
    case .string(let text): quoted(text, atMost: 64)
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// The members of an object; empty for another value.
  var members: [(String, JSON)] { if case .object(let members) = self { members } else { [] } }
}
