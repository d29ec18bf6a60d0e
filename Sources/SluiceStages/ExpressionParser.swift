import SluiceReadings

/// Parses an ``Expression``, from the operators with the lowest precedence to those with the highest.
struct ExpressionParser {
  private enum Token: Equatable {
    case number(Double)
    case name(String)
    case word(String)
    case end
  }

  /// The kind of a part of the text.
  private enum Kind { case number, condition }

  private(set) var names: [String] = []
  private(set) var steps: [Expression.Step] = []

  private let text: String
  private let characters: [Character]
  private var position = 0
  private var token = Token.end
  /// The position of the first character of the token, from 0.
  private var start = 0
  private var depth = 0

  /// The limit for nested parentheses and signs, because each of them takes memory of the call stack.
  private static let deepest = 64
  private static let words: Set<String> = ["and", "or", "not", "abs"]
  private static let signs = ["<=", ">=", "==", "!=", "&&", "||", "<", ">", "!", "+", "-", "*", "/", "(", ")"]
  private static let comparisons: [String: Expression.Step] = [
    "<": .less, "<=": .atMost, ">": .greater, ">=": .atLeast, "==": .equal, "!=": .unequal,
  ]

  init(_ text: String) {
    self.text = text
    characters = Array(text)
  }

  mutating func parse() throws(SluiceError) {
    try advance()
    let kind = try disjunction()
    guard token == .end else { throw unexpected("\"and\", \"or\" or the end") }
    guard kind == .condition else { throw unexpected("a comparison, for example \"> 1.5\",") }
  }

  // MARK: Rules

  private mutating func disjunction() throws(SluiceError) -> Kind {
    let kind = try conjunction()
    while token == .word("or") || token == .word("||") {
      guard kind == .condition else { throw unexpected("a comparison") }
      try advance()
      guard try conjunction() == .condition else { throw unexpected("a comparison") }
      steps.append(.or)
    }
    return kind
  }

  private mutating func conjunction() throws(SluiceError) -> Kind {
    let kind = try negation()
    while token == .word("and") || token == .word("&&") {
      guard kind == .condition else { throw unexpected("a comparison") }
      try advance()
      guard try negation() == .condition else { throw unexpected("a comparison") }
      steps.append(.and)
    }
    return kind
  }

  private mutating func negation() throws(SluiceError) -> Kind {
    guard token == .word("not") || token == .word("!") else { return try comparison() }
    try advance()
    try deeper()
    guard try negation() == .condition else { throw unexpected("a comparison") }
    depth -= 1
    steps.append(.not)
    return .condition
  }

  private mutating func comparison() throws(SluiceError) -> Kind {
    let kind = try sum()
    guard case .word(let sign) = token, let step = Self.comparisons[sign] else { return kind }
    guard kind == .number else { throw unexpected("\"and\", \"or\" or the end") }
    try advance()
    guard try sum() == .number else { throw unexpected("a number or a channel") }
    steps.append(step)
    if case .word(let sign) = token, Self.comparisons[sign] != nil { throw unexpected("\"and\", \"or\" or the end") }
    return .condition
  }

  private mutating func sum() throws(SluiceError) -> Kind {
    let kind = try product()
    while token == .word("+") || token == .word("-") {
      let step: Expression.Step = token == .word("+") ? .add : .subtract
      guard kind == .number else { throw unexpected("\"and\", \"or\" or the end") }
      try advance()
      guard try product() == .number else { throw unexpected("a number or a channel") }
      steps.append(step)
    }
    return kind
  }

  private mutating func product() throws(SluiceError) -> Kind {
    let kind = try factor()
    while token == .word("*") || token == .word("/") {
      let step: Expression.Step = token == .word("*") ? .multiply : .divide
      guard kind == .number else { throw unexpected("\"and\", \"or\" or the end") }
      try advance()
      guard try factor() == .number else { throw unexpected("a number or a channel") }
      steps.append(step)
    }
    return kind
  }

  private mutating func factor() throws(SluiceError) -> Kind {
    switch token {
    case .number(let number):
      steps.append(.number(number))
      try advance()
      return .number
    case .name(let name):
      if !names.contains(name) { names.append(name) }
      steps.append(.value(names.firstIndex(of: name) ?? 0))
      try advance()
      return .number
    case .word("-"):
      try advance()
      try deeper()
      guard try factor() == .number else { throw unexpected("a number or a channel") }
      depth -= 1
      steps.append(.negate)
      return .number
    case .word("abs"):
      try advance()
      guard token == .word("(") else { throw unexpected("\"(\"") }
      guard try parenthesis() == .number else { throw unexpected("a number or a channel") }
      steps.append(.absolute)
      return .number
    case .word("("): return try parenthesis()
    default: throw unexpected("a number or a channel")
    }
  }

  private mutating func parenthesis() throws(SluiceError) -> Kind {
    try advance()
    try deeper()
    let kind = try disjunction()
    guard token == .word(")") else { throw unexpected("\")\"") }
    depth -= 1
    try advance()
    return kind
  }

  private mutating func deeper() throws(SluiceError) {
    depth += 1
    guard depth <= Self.deepest else {
      throw error("at column \(start + 1), the nesting is deeper than \(Self.deepest) levels")
    }
  }

  // MARK: Words

  private mutating func advance() throws(SluiceError) {
    while position < characters.count, characters[position].isWhitespace { position += 1 }
    start = position
    guard position < characters.count else { return token = .end }
    let first = characters[position]
    if first == "\"" { return try quoted() }
    if first.isASCII, first.isNumber || first == "." { return try number() }
    if first.isLetter || first == "_" {
      let word = String(characters[position...].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." })
      position += word.count
      return token = Self.words.contains(word) ? .word(word) : .name(word)
    }
    let rest = String(characters[position...].prefix(2))
    guard let sign = Self.signs.first(where: rest.hasPrefix) else {
      throw unexpected("a number, a channel or an operator")
    }
    position += sign.count
    token = .word(sign)
  }

  private mutating func quoted() throws(SluiceError) {
    guard let end = characters[(position + 1)...].firstIndex(of: "\""), end > position + 1 else {
      throw error("at column \(start + 1), the name is empty or has no closing quote")
    }
    token = .name(String(characters[(position + 1)..<end]))
    position = end + 1
  }

  private mutating func number() throws(SluiceError) {
    var digits = ""
    while position < characters.count {
      let next = characters[position]
      let isSign = (next == "-" || next == "+") && (digits.last == "e" || digits.last == "E")
      guard next.isASCII, next.isNumber || next == "." || next == "e" || next == "E" || isSign else { break }
      digits.append(next)
      position += 1
    }
    guard let number = Double(digits), number.isFinite else {
      throw error("at column \(start + 1), \"\(digits)\" is not a number")
    }
    token = .number(number)
  }

  // MARK: Errors

  private func unexpected(_ expected: String) -> SluiceError {
    let found =
      start < characters.count ? "there is \"\(String(characters[start...].prefix(16)))\"" : "it ends"
    return error("at column \(start + 1), \(expected) was expected, but \(found)")
  }

  private func error(_ cause: String) -> SluiceError {
    SluiceError(
      .usage, "read", "the condition '\(text.prefix(200))'", because: cause,
      remedy: "write for example 'voltage0 > 1.5 and accel_x < 0'")
  }
}
