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

  mutating func keys(in bytes: some Sequence<UInt8>) -> [TerminalKey] { bytes.compactMap { key($0) } }

  private mutating func key(_ byte: UInt8) -> TerminalKey? {
    switch (state, byte) {
    case (_, 0x1b):
      state = .escape
      return nil
    case (.escape, UInt8(ascii: "[")):
      state = .sequence
      return nil
    case (.escape, UInt8(ascii: "O")):
      state = .single
      return nil
    case (.sequence, 0x20...0x3f):
      // Parameters, as in ESC [ 1 ; 5 C, which is the key together with Ctrl.
      return nil
    case (.sequence, _), (.single, _):
      state = .text
      return byte == UInt8(ascii: "C") ? .right : nil
    case (.escape, _):
      // The key together with Alt, or after Esc, has no meaning here.
      state = .text
      return nil
    case (.text, UInt8(ascii: " ")): return .space
    // Ctrl-C is a byte only if the terminal does not turn it into a signal.
    case (.text, UInt8(ascii: "q")), (.text, UInt8(ascii: "Q")), (.text, 0x03): return .quit
    case (.text, _): return nil
    }
  }
}
