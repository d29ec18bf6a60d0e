/// The values of `--time-format` that a date with the day or the month first may need, for a message.
enum TimeFormatGuess {
  /// - Parameter text: Such as `14/03/2024 14:00:12:237`, or a date alone, whose time of day is in another column.
  /// - Returns: One format if a number above 12 shows which one is the day, or else both, the month first.
  static func formats(_ text: String) -> [String] {
    var rest = text[...]
    func number(_ most: Int) -> Int? {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest[digits.endIndex...]
      return (1...most).contains(digits.count) ? Int(digits) : nil
    }
    func take(_ character: Character) -> Bool {
      guard rest.first == character else { return false }
      rest.removeFirst()
      return true
    }
    guard let first = number(2), let sign = rest.first, take(sign), let second = number(2), take(sign) else {
      return both("/", "%Y", " %H:%M:%S")
    }
    let year = rest.prefix { $0.isASCII && $0.isNumber }.count == 2 ? "%y" : "%Y"
    _ = number(4)
    let clock = clock(rest)
    let all = both(sign, year, clock)
    if first > 12, second <= 12 { return [all[1]] }
    if second > 12, first <= 12 { return [all[0]] }
    return all
  }

  private static func both(_ sign: Character, _ year: String, _ clock: String) -> [String] {
    ["%m\(sign)%d\(sign)\(year)\(clock)", "%d\(sign)%m\(sign)\(year)\(clock)"]
  }

  /// ` %H:%M:%S.%f` of ` 14:00:12.237`.
  private static func clock(_ text: Substring) -> String {
    guard let joint = text.first else { return " %H:%M:%S" }
    let isHalved = text.uppercased().hasSuffix("AM") || text.uppercased().hasSuffix("PM")
    var clock = String(joint)
    var letters = [isHalved ? "%I" : "%H", "%M", "%S", "%f"][...]
    var isInNumber = false
    for character in text.dropFirst() {
      if character.isNumber {
        if !isInNumber, let letter = letters.popFirst() { clock += letter }
        isInNumber = true
      } else if ":.,".contains(character) {
        clock.append(character)
        isInNumber = false
      } else {
        break
      }
    }
    guard isHalved else { return clock }
    return clock + (text.dropLast(2).last == " " ? " %p" : "%p")
  }
}
