import SluiceAnalysis

/// Finds keys in the bytes of a terminal, also if a key comes in several reads. Other keys are ignored.
struct TerminalKeyDecoder {
  private enum State {
    case text
    /// After ESC.
    case escape
    /// In a sequence that begins with ESC [ and ends with a letter or `~`.
    case sequence
    /// After ESC O, as in the application mode of a keypad.
    case single
  }

  private var state = State.text
  /// The bytes of a character in UTF-8 that is not complete.
  private var character: [UInt8] = []

  mutating func keys(in bytes: some Sequence<UInt8>) -> [TerminalKey] {
    var keys: [TerminalKey] = []
    for byte in bytes { add(byte, to: &keys) }
    return keys
  }

  /// Says that no byte has come for a while: what began like a sequence was the Esc key.
  mutating func keysOfPause() -> [TerminalKey] {
    guard state == .escape else { return [] }
    state = .text
    return [.escape]
  }

  private mutating func add(_ byte: UInt8, to keys: inout [TerminalKey]) {
    switch (state, byte) {
    case (let before, 0x1b):
      if before == .escape { keys.append(.escape) }
      state = .escape
      character = []
    case (.escape, UInt8(ascii: "[")): state = .sequence
    case (.escape, UInt8(ascii: "O")): state = .single
    // Parameters, as in ESC [ 1 ; 5 C, which is the key together with Ctrl.
    case (.sequence, 0x20...0x3f): break
    case (.sequence, _), (.single, _):
      state = .text
      if let key = Self.arrow(byte) { keys.append(key) }
    // The key together with Alt has no meaning here.
    case (.escape, _): state = .text
    case (.text, _): addText(byte, to: &keys)
    }
  }

  private static func arrow(_ byte: UInt8) -> TerminalKey? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    default: nil
    }
  }

  private mutating func addText(_ byte: UInt8, to keys: inout [TerminalKey]) {
    switch byte {
    case 0x0a, 0x0d: keys.append(.enter)
    case 0x08, 0x7f: keys.append(.backspace)
    case 0x03: keys.append(.interrupt)
    case 0..<0x20: character = []
    case 0x20..<0x80:
      character = []
      keys.append(.character(Unicode.Scalar(byte)))
    default:
      // A byte that begins a character ends one that is not complete.
      if byte >= 0xc0 { character = [] }
      character.append(byte)
      addCharacter(to: &keys)
    }
  }

  private mutating func addCharacter(to keys: inout [TerminalKey]) {
    guard let first = character.first, first >= 0xc0 else { return character = [] }
    guard character.count >= (first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4) else { return }
    let text = String(validating: character, as: UTF8.self)
    character = []
    // A control character would go back to the terminal.
    guard let scalar = text?.unicodeScalars.first, TerminalText.safe(String(scalar)) == String(scalar) else { return }
    keys.append(.character(scalar))
  }
}
