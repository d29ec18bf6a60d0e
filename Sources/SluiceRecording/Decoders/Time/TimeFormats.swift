/// The values of `--time-format` with which the texts of a column are times, for a message.
struct TimeFormats {
  /// What the texts have.
  enum Content: Equatable {
    case date, timeOfDay, both
  }

  let content: Content
  /// Several if the day and the month may be either. Empty if no format is needed.
  let formats: [String]
  /// The texts that are such times.
  let isTime: (String) -> Bool

  /// Finds what most of the texts have; nil if they are no times.
  init?(_ texts: [String]) {
    guard !texts.isEmpty else { return nil }
    let digits = DigitDates.fitting(texts)
    if !digits.isEmpty {
      let patterns = digits.compactMap { try? TimePattern($0) }
      (content, formats) = (patterns.contains(where: \.hasTimeOfDay) ? .both : .date, digits)
      isTime = { text in patterns.contains { Self.isTime(text, $0) } }
      return
    }
    let contents = texts.map(Self.known)
    let known = Content.all.map { content in (content, contents.count { $0 == content }) }
    // The forms of texts, so that one text of another form at the beginning is not the only one that is tried.
    var forms: [[Form]: String] = [:]
    for text in texts.prefix(200) where forms.count < 6 {
      let form = TimeText.forms(text)
      if forms[form] == nil { forms[form] = text }
    }
    var best: (content: Content, formats: [TimePattern], count: Int)?
    // What is read without a format needs none.
    let isKnown = known.contains { $0.1 == texts.count }
    for group in isKnown ? [] : forms.values.sorted().flatMap(TimeText.groups) {
      let counted = group.map { pattern in (pattern, texts.count { Self.isTime($0, pattern) }) }
      let most = counted.map(\.1).max() ?? 0
      guard most > 0, most > best?.count ?? 0 else { continue }
      let patterns = counted.filter { $0.1 == most }.map(\.0)
      let content: Content = !patterns[0].hasDate ? .timeOfDay : patterns[0].hasTimeOfDay ? .both : .date
      best = (content, patterns, most)
    }
    let plain = known.max { $0.1 < $1.1 }
    if let plain, plain.1 * 2 >= texts.count, plain.1 >= best?.count ?? 0 {
      (content, formats) = (plain.0, [])
      isTime = { Self.known($0) == plain.0 }
    } else if let best, best.count * 2 >= texts.count {
      (content, formats) = (best.content, best.formats.map(\.text))
      isTime = { text in best.formats.contains { Self.isTime(text, $0) } }
    } else {
      return nil
    }
  }

  /// What a text has that is read without a format.
  private static func known(_ text: String) -> Content? {
    switch TimeColumn.civil(text) {
    case .success(let time): time.hasTimeOfDay ? .both : .date
    case .failure(.noDate): TimeColumn.isTimeText(text) ? .timeOfDay : nil
    case .failure: nil
    }
  }

  private static func isTime(_ text: String, _ pattern: TimePattern) -> Bool {
    Array(text.utf8).withUnsafeBufferPointer { (try? pattern.time($0)) != nil }
  }
}

extension TimeFormats.Content {
  fileprivate static let all: [Self] = [.both, .timeOfDay, .date]
}

/// The kind of a part of a text, and its length if it is a number.
private enum Form: Hashable {
  case digits(Int), letters, sign
}

/// The parts of a text that may be a time, and the patterns that fit them.
private struct TimeText {
  private enum Part {
    case digits(Substring), letters(Substring)
    case signs(Substring)
  }

  private var parts: [Part] = []
  /// `%z`, if the text ends in a zone.
  private var zone = ""

  private init(_ text: String) {
    var rest = text[...]
    // The zone of a time of day, not the last number of a date.
    let end = rest.lastIndex { $0 == "+" || $0 == "-" }
    let offset = end.map { rest[$0...].dropFirst().filter { $0 != ":" } } ?? ""
    if let end, rest[..<end].contains(":"), [2, 4].contains(offset.count), offset.allSatisfy(\.isNumber) {
      (zone, rest) = ("%z", rest[..<end])
    } else if rest.last == "Z", rest.contains(":") {
      (zone, rest) = ("%z", rest.dropLast())
    }
    while let first = rest.first {
      let isDigit = first.isASCII && first.isNumber
      let isLetter = first.isASCII && first.isLetter
      let part = rest.prefix { $0.isASCII && (isDigit ? $0.isNumber : isLetter && $0.isLetter) }
      guard isDigit || isLetter else {
        let signs = rest.prefix { !($0.isASCII && ($0.isNumber || $0.isLetter)) }
        parts.append(.signs(signs))
        rest = rest[signs.endIndex...]
        continue
      }
      parts.append(isDigit ? .digits(part) : .letters(part))
      rest = rest[part.endIndex...]
    }
  }

  static func forms(_ text: String) -> [Form] {
    TimeText(text).parts.map { part in
      switch part {
      case .digits(let digits): .digits(digits.count)
      case .letters: .letters
      case .signs: .sign
      }
    }
  }

  /// The patterns that may fit a text. Those of a group are equally likely; a group is more likely than the next one.
  static func groups(_ text: String) -> [[TimePattern]] {
    guard text.utf8.count <= 48 else { return [] }
    let text = TimeText(text)
    guard (1...16).contains(text.parts.count) else { return [] }
    var groups = text.orders.map { group in
      group.compactMap(text.fields).compactMap { date in
        text.clock(from: date.end, isAfterDate: true).flatMap { try? TimePattern(date.text + $0) }
      }
    }
    groups.append([text.clock(from: 0, isAfterDate: false)].compactMap { $0.flatMap { try? TimePattern($0) } })
    return text.hasUsualSigns ? groups.filter { !$0.isEmpty } : []
  }

  /// Whether only signs of times are between the fields, and no quote, line feed or control character.
  private var hasUsualSigns: Bool {
    parts.allSatisfy { part in
      guard case .signs(let signs) = part else { return true }
      return signs.allSatisfy { ":.-/, ".contains($0) }
    }
  }

  /// A format with the letters so far, and the place of the next part.
  private typealias Beginning = (text: String, end: Int)

  private static func literal(_ text: Substring) -> String {
    text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
  }

  /// The usual orders of a date's parts. Its patterns say whether the parts fit.
  private var orders: [[[String]]] {
    guard case .digits(let first)? = parts.first else { return [[["%b", "%d", "%Y"]]] }
    switch first.count {
    case 14 where parts.count == 1: return [[["%Y%m%d%H%M%S"]]]
    case 8: return [[["%Y%m%d"]]]
    case 6: return [[["%y%m%d"]]]
    case 4: return [[["%Y", "%m", "%d"]], [["%Y", "%b", "%d"]], [["%Y", "%j"]]]
    default: break
    }
    let (day, month) = ([["%d", "%m", "%Y"], ["%d", "%m", "%y"]], [["%m", "%d", "%Y"], ["%m", "%d", "%y"]])
    // If a point separates the day from the month, the day is first.
    if parts.count > 1, case .signs(".") = parts[1] { return [day, month, [["%y", "%m", "%d"]]] }
    return [
      [month[0], day[0], month[1], day[1]], [["%d", "%b", "%Y"], ["%d", "%b", "%y"]], [["%y", "%m", "%d"]],
    ]
  }

  /// The letters of a date, with the signs between its parts.
  private func fields(_ letters: [String]) -> Beginning? {
    var (text, index) = ("", 0)
    for letter in letters {
      if index > 0, index < parts.count, case .signs(let signs) = parts[index] {
        text += Self.literal(signs)
        index += 1
      }
      guard index < parts.count else { return nil }
      if case .signs = parts[index] { return nil }
      text += letter
      index += 1
    }
    return (text, index)
  }

  /// The letters of a time of day from a part on; nothing if the text ends there, nil if it is no time of day.
  private func clock(from index: Int, isAfterDate: Bool) -> String? {
    if index == parts.count { return isAfterDate && zone.isEmpty ? "" : nil }
    let isHalved = parts[index...].contains {
      if case .letters(let word) = $0 { return ["am", "pm", "a", "p"].contains(word.lowercased()) }
      return false
    }
    var letters = [isHalved ? "%I" : "%H", "%M", "%S", "%f"][...]
    var (text, index) = ("", index)
    var fields = 0
    while index < parts.count {
      switch parts[index] {
      case .signs(let signs): text += Self.literal(signs)
      case .letters(let word):
        let isAtEnd = index == parts.count - 1
        let isHalf = ["am", "pm"].contains(word.lowercased()) || isAtEnd && ["a", "p"].contains(word.lowercased())
        if isHalf, fields > 0 {
          text += "%p"
        } else if word.count == 1, !["a", "p"].contains(word.lowercased()) {
          text += word
        } else {
          return nil
        }
      case .digits(let digits):
        if fields == 0, digits.count == 6 || digits.count == 4 {
          text += digits.count == 6 ? "%H%M%S" : "%H%M"
          letters = letters.dropFirst(digits.count / 2)
          fields = digits.count / 2
        } else {
          guard let letter = letters.popFirst(), letter == "%f" || digits.count <= 2 else { return nil }
          text += letter
          fields += 1
        }
      }
      index += 1
    }
    return fields >= 2 ? text + zone : nil
  }
}
