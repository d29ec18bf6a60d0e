import SluiceReadings

/// A word that a shell offers at the Tab key. A word that ends with `:`, `=`, `@` or `,` goes on.
package struct Candidate: Equatable {
  /// The whole word.
  package var word: String
  /// A description for the user. bash does not show it.
  package var what: String

  /// A word with or without a description.
  package init(word: String, what: String = "") { (self.word, self.what) = (word, what) }

  /// The line for the script of a shell; nil if a shell would read it as several words.
  package func text(for shell: Shell) -> String? {
    guard !word.isEmpty, !word.hasControlCharacters else { return nil }
    let what = String(what.unicodeScalars.filter { !$0.isControl })
    switch shell {
    case .zsh:
      let word = word.flatMap { $0 == ":" || $0 == "\\" ? ["\\", $0] : [$0] }
      return String(word) + (what.isEmpty ? "" : ":\(what)")
    case .fish: return what.isEmpty ? word : "\(word)\t\(what)"
    case .bash: return word
    }
  }
}
