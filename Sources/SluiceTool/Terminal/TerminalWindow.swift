import SluiceAnalysis
import SluicePipeline
import SluiceSystem

/// The size and the glyphs of a terminal; for a file or a pipe, those of most terminals.
struct TerminalWindow: Equatable {
  var columns = 80
  /// Nil if it is no terminal: a file has no height.
  var rows: Int?
  var glyphs = TerminalGlyphs.braille
  var isColoured = false

  /// - Parameters:
  ///   - size: The size of the window; nil if it is no terminal. 0 if the terminal does not know its size.
  ///   - environment: Returns a variable.
  init(size: (columns: Int, rows: Int)?, _ environment: (String) -> String?) {
    let terminal = environment("TERM") ?? ""
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty } ?? ""
    let isUTF8 = ["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
    if !isUTF8 || terminal == "dumb" {
      glyphs = .ascii
    } else if terminal == "linux" {
      // The fonts of the kernel's console have no braille.
      glyphs = .blocks
    }
    guard let size else { return }
    if size.columns > 0 { columns = min(size.columns, 1_000) }
    rows = size.rows > 0 ? size.rows : nil
    isColoured = (environment("NO_COLOR") ?? "").isEmpty && terminal != "dumb"
  }

  /// The window of standard output.
  static var current: TerminalWindow { of(STDOUT_FILENO) }

  static func of(_ descriptor: Int32) -> TerminalWindow {
    var size = winsize()
    let isTerminal = isatty(descriptor) == 1
    if isTerminal, ioctl(descriptor, .init(TIOCGWINSZ), &size) != 0 { size = winsize() }
    return TerminalWindow(size: isTerminal ? (Int(size.ws_col), Int(size.ws_row)) : nil) { name in
      getenv(name).map { String(cString: $0) }
    }
  }
}
