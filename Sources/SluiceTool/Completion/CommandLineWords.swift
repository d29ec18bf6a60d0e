import SluiceDevices

/// A command line at the moment of the Tab key, as the script of a shell hands it over.
struct CommandLineWords {
  let words: [String]
  /// The word with the cursor, up to the cursor where that is known; without `--option=`.
  let current: String

  /// - Parameters:
  ///   - index: Of the word with the cursor.
  ///   - prefix: Of the last word, up to the cursor. Only zsh has words behind the one with the cursor.
  init(_ words: [String], _ index: Int, _ prefix: String) {
    self.words = words
    var current = words.indices.contains(index) && index < words.count - 1 ? words[index] : prefix
    if current.hasPrefix("--"), let equals = current.firstIndex(of: "=") {
      current = String(current[current.index(after: equals)...])
    }
    self.current = current
  }

  /// Those of `--root`, as for the command itself.
  var roots: DeviceRoots {
    var root = ""
    for (index, word) in words.enumerated() {
      if word == "--root", index + 1 < words.count { root = words[index + 1] }
      if word.hasPrefix("--root=") { root = String(word.dropFirst("--root=".count)) }
    }
    return DeviceRoots(root: root)
  }
}
