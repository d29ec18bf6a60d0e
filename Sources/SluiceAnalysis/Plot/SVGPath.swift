/// The `d` of a path, as short as possible with a precision of a tenth of a dot: relative steps, no redundant
/// characters.
struct SVGPath {
  private(set) var text = ""
  /// The position in tenths of a dot.
  private var x = 0
  private var y = 0
  private var command: Character = " "

  var isEmpty: Bool { text.isEmpty }

  mutating func move(_ x: Double, _ y: Double) {
    (self.x, self.y) = (Self.tenths(x), Self.tenths(y))
    text += "M"
    append(self.x, isFirst: true)
    append(self.y)
    command = "M"
  }

  mutating func line(_ x: Double, _ y: Double) {
    let (toX, toY) = (Self.tenths(x), Self.tenths(y))
    let (stepX, stepY) = (toX - self.x, toY - self.y)
    guard stepX != 0 || stepY != 0 else { return }
    (self.x, self.y) = (toX, toY)
    if stepX == 0 { return step("v", stepY) }
    if stepY == 0 { return step("h", stepX) }
    begin("l")
    append(stepX, isFirst: text.last == "l")
    append(stepY)
  }

  /// A dot: a line without length has round ends.
  mutating func dot() {
    text += "h0"
    command = "h"
  }

  mutating func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    move(x, y)
    line(x + width, y)
    line(x + width, y + height)
    line(x, y + height)
    text += "z"
    command = "z"
  }

  private mutating func step(_ letter: Character, _ length: Int) {
    begin(letter)
    append(length, isFirst: text.last == letter)
  }

  private mutating func begin(_ letter: Character) {
    if command != letter { text.append(letter) }
    command = letter
  }

  /// `12.5`, `-.3`: a sign separates numbers too.
  private mutating func append(_ tenths: Int, isFirst: Bool = false) {
    if !isFirst, tenths >= 0 { text += " " }
    if tenths < 0 { text += "-" }
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    if whole > 0 || rest == 0 { text += String(whole) }
    if rest > 0 { text += ".\(rest)" }
  }

  private static func tenths(_ value: Double) -> Int { Int(exactly: (value * 10).rounded()) ?? 0 }
}
