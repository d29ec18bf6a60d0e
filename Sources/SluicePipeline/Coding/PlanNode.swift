import SluiceReadings

/// A key of an object of a plan, or the index of an element.
enum PlanKey: Equatable, Sendable, ExpressibleByStringLiteral {
  case name(String)
  case index(Int)

  init(_ name: String) { self = .name(name) }
  init(_ index: Int) { self = .index(index) }
  init(stringLiteral name: String) { self = .name(name) }

  /// The key as it is written in a plan.
  var text: String {
    switch self {
    case .name(let name): name
    case .index(let index): "\(index)"
    }
  }
}

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
  func fault(_ sentence: String, about subject: PlanFault.Subject = .value) -> PlanFault {
    PlanFault(path: path, sentence: sentence, subject: subject)
  }
}

/// A part of a plan: it is read from what is written, and gives it back.
protocol PlanPart {
  /// - Throws: A ``PlanFault``.
  init(plan node: PlanNode) throws
  /// What is written in a plan.
  var json: JSON { get }
}

extension JSON: PlanPart {
  init(plan node: PlanNode) { self = node.json }
  var json: JSON { self }
}

/// A part that is written as a text.
protocol PlanText: PlanPart, LosslessStringConvertible {
  /// What it takes, for errors: `a time with its unit, such as 10ms`.
  static var form: String { get }
}

extension PlanText {
  init(plan node: PlanNode) throws {
    guard case .string(let text) = node.json, let value = Self(text) else {
      throw node.fault(" takes \(Self.form), not \(node.json.shown)")
    }
    self = value
  }

  var json: JSON { .string(description) }
}

/// What is wrong in a plan.
struct PlanFault: Error, CustomStringConvertible {
  enum Subject {
    /// A value.
    case value
    /// A key that does not exist.
    case key
    /// A key that does not exist, in the place of one that does.
    case misspeltKey
    /// Several values together, so that it may be wrong if one of them could not be read.
    case several
  }

  let path: [PlanKey]
  /// The words after the place.
  let sentence: String
  let subject: Subject

  /// `sources[1].sample-rate takes a number of hertz`
  var description: String {
    let place = path.reduce("") { place, key in
      switch key {
      case .index(let index): "\(place)[\(index)]"
      case .name(let name): place.isEmpty ? name : "\(place).\(name)"
      }
    }
    return (place.isEmpty ? "it" : place) + sentence
  }
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

  /// The text as it is in the plan, for an error.
  var shown: String {
    switch self {
    case .null, .bool, .number: text
    case .string(let text): quoted(text, atMost: 64)
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// The members of an object; empty for another value.
  var members: [(String, JSON)] { if case .object(let members) = self { members } else { [] } }
}
