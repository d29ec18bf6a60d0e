import ArgumentParser

/// A word that a shell offers at the Tab key. One that ends with `:`, `=`, `@` or `,` is not whole yet.
struct Candidate: Equatable {
  let word: String
  /// For a reader; bash does not show it.
  var what = ""

  /// As the script of a shell takes it; nil if a shell would take it for several.
  func text(for shell: CompletionShell?) -> String? {
    func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }
    guard !word.isEmpty, !word.unicodeScalars.contains(where: isControl) else { return nil }
    let what = String(what.unicodeScalars.filter { !isControl($0) })
    switch shell {
    case .zsh?:
      let word = word.flatMap { $0 == ":" || $0 == "\\" ? ["\\", $0] : [$0] }
      return String(word) + (what.isEmpty ? "" : ":\(what)")
    case .fish?: return what.isEmpty ? word : "\(word)\t\(what)"
    default: return word
    }
  }
}
