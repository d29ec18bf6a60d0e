public import SluiceReadings
import SluiceRecording

/// How the value of a setting is written: what is read, what is said of another value, and what is written again.
///
/// Use it in the settings of a stage: `.required("interval", \.interval, .period)`.
public struct Form<Value: Sendable>: Sendable {
  /// For the schema.
  let form: ValueForm
  /// Its errors are sentences about the place of the value.
  let parse: @Sendable (PlanNode) throws(Fault) -> Value
  /// What is written in a plan.
  let json: @Sendable (Value) -> JSON
  /// What the command line says of a text that it refuses.
  private(set) var reasons = FormReasons()

  init(
    _ form: ValueForm, _ parse: @escaping @Sendable (PlanNode) throws(Fault) -> Value,
    json: @escaping @Sendable (Value) -> JSON
  ) {
    (self.form, self.parse, self.json) = (form, parse, json)
  }

  /// The values within limits.
  /// - Parameter limits: The words for them: `2 to 1024`.
  func within(_ limits: String, _ isAllowed: @escaping @Sendable (Value) -> Bool) -> Form {
    let parse = parse
    var form = Form(form) { node throws(Fault) in
      let value = try parse(node)
      guard isAllowed(value) else { throw node.fault(" takes \(limits), not \(node.json.shown)") }
      return value
    } json: {
      json($0)
    }
    form.reasons = reasons
    form.reasons.words = limits
    return form
  }

  /// Refuses texts of the command line that a plan may have.
  /// - Parameter reason: Why a text is refused; nil if it is not.
  func refusing(_ reason: @escaping @Sendable (String) -> String?) -> Form {
    var form = self
    form.reasons.refusal = reason
    return form
  }

  /// Explains the texts that it does not take.
  /// - Parameters:
  ///   - words: What it takes: `a number of hertz`.
  ///   - reason: Why a text is none; nil if the words say it.
  func explaining(_ words: String, _ reason: @escaping @Sendable (String) -> String? = { _ in nil }) -> Form {
    var form = self
    (form.reasons.words, form.reasons.reason) = (words, reason)
    return form
  }

  /// A form with a sentence for all that it does not take.
  /// - Parameter sentence: What it takes: `a number of hertz`.
  init(
    _ form: ValueForm, _ sentence: String, _ parse: @escaping @Sendable (JSON) -> Value?,
    json: @escaping @Sendable (Value) -> JSON
  ) {
    self.init(
      form,
      { node throws(Fault) in
        if let value = parse(node.json) { return value }
        throw node.fault(" takes \(sentence), not \(node.json.shown)")
      }, json: json)
    reasons.words = sentence
  }
}

extension Form where Value == String {
  /// A text.
  public static var text: Form { Form(.text, { node throws(Fault) in try node.text() }, json: { .string($0) }) }

  /// A path or a name, which has no control characters.
  public static var name: Form { Form(.text, { node throws(Fault) in try node.name() }, json: { .string($0) }) }
}

extension Form where Value == [String] {
  /// A list of texts, none of them empty.
  /// - Parameters:
  ///   - sentence: What the list takes: `names of columns`.
  ///   - text: The text of an element; nil if it has none.
  static func texts(_ sentence: String, _ text: @escaping @Sendable (JSON) -> String? = { $0.string }) -> Form {
    Form(.list(.text)) { node throws(Fault) in
      var texts: [String] = []
      for element in try node.elements() {
        guard let text = text(element.json), !text.isEmpty else {
          throw node.fault(" takes \(sentence), not \(element.json.shown)")
        }
        texts.append(text)
      }
      return texts
    } json: {
      .array($0.map { .string($0) })
    }
  }
}

extension Form where Value: PlanPart {
  /// A part of a plan, which says itself how it is written.
  static func part(_ form: ValueForm) -> Form {
    Form(form, { node throws(Fault) in try Value(plan: node) }, json: { $0.json })
  }
}

extension Form {
  /// Several parts of a plan.
  static func list<Element: PlanPart>(_ form: ValueForm = .text) -> Form where Value == [Element] {
    Form(.list(form)) { node throws(Fault) in
      var list: [Element] = []
      for element in try node.elements() { list.append(try Element(plan: element)) }
      return list
    } json: {
      .array($0.map(\.json))
    }
  }
}

extension Form where Value == TimeSpan {
  /// A time: `10ms`.
  public static var time: Form { part(.time).explaining(TimeSpan.form) { TimeReason.why($0) } }

  /// A time that repeats: `10ms`, or a rate such as `100Hz`.
  public static var period: Form {
    Form(.period, RowPeriod.form) {
      $0.string.flatMap { TimeSpan(period: $0) }
    } json: {
      $0.json
    }.explaining(RowPeriod.form) { TimeReason.why($0) }
  }
}

extension Form where Value == ByteSize {
  /// An amount of data: `100M`.
  static var size: Form {
    part(.size).explaining(ByteSize.form).refusing { ByteSize.refusal(of: $0) }
  }
}

extension Form where Value == Bool {
  /// True or false.
  public static var flag: Form { Form(.flag, { node throws(Fault) in try node.flag() }, json: { .bool($0) }) }
}

extension Form where Value == Int {
  /// A whole number.
  public static var integer: Form {
    Form(.wholeNumber(from: nil), "a whole number") {
      $0.written.flatMap { Int($0) }
    } json: {
      JSON($0)
    }
  }

  /// A whole number in a range.
  public static func count(_ range: PartialRangeFrom<Int>) -> Form {
    Form(
      .wholeNumber(from: range.lowerBound), { node throws(Fault) in try node.number(range) }, json: { JSON($0) }
    ).explaining("a whole number of \(range.lowerBound) or more")
  }
}

extension Form where Value == ExactDecimal {
  /// A number with all its digits. It is written as a string, which keeps them.
  public static var decimal: Form { decimal("a number") { _ in true } }

  /// A number that fulfils a condition.
  /// - Parameter sentence: What it takes: `a number greater than 0`.
  public static func decimal(
    _ sentence: String, where isRight: @escaping @Sendable (ExactDecimal) -> Bool
  ) -> Form {
    Form(.number, sentence) { json in
      let text = if case .number(let digits) = json { digits } else { json.written }
      return text.flatMap { ExactDecimal($0) }.flatMap { !$0.isMissing && isRight($0) ? $0 : nil }
    } json: {
      .string($0.description)
    }
  }
}

extension Form where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the cases.
  public static var choice: Form {
    let names = Value.allCases.map(\.rawValue)
    return Form(.choice(names), names.joined(separator: ", ")) {
      $0.string.flatMap { Value(rawValue: $0) }
    } json: {
      .string($0.rawValue)
    }
  }
}

extension Form where Value: Hashable {
  /// One of these texts, with the value that it means.
  static func choice(_ choices: [(String, Value)]) -> Form {
    let names = choices.map(\.0)
    return Form(.choice(names), names.joined(separator: ", ")) { json in
      choices.first { $0.0 == json.string }?.1
    } json: { value in
      JSON(choices.first { $0.1 == value }?.0)
    }
  }
}

extension PlanObject {
  /// Nil if the key is missing, or null.
  func value<T>(_ key: PlanKey, _ form: Form<T>) throws(Fault) -> T? {
    if let member = member(key) { try form.parse(member) } else { nil }
  }
}

/// What the command line says of a text that a form refuses.
struct FormReasons: Sendable {
  /// What the form takes; nil if its faults say it.
  var words: String?
  /// Why a text is none.
  var reason: @Sendable (String) -> String? = { _ in nil }
  /// Why a text is refused although a plan may have it.
  var refusal: @Sendable (String) -> String? = { _ in nil }
}
