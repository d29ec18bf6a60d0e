import SluiceDevices

/// The command line at the time of the Tab key, from the script of a shell.
struct CommandLineWords {
  let words: [String]
  /// The word with the cursor, without `--option=`. It ends at the cursor if the shell tells its place in the word.
  let current: String

  /// - Parameters:
  ///   - index: The index of the word with the cursor.
  ///   - prefix: The last word up to the cursor. Only zsh gives words after the one with the cursor.
  init(_ words: [String], _ index: Int, _ prefix: String) {
    self.words = words
    var current = words.indices.contains(index) && index < words.count - 1 ? words[index] : prefix
    if current.hasPrefix("--"), let equals = current.firstIndex(of: "=") {
      current = String(current[current.index(after: equals)...])
    }
    self.current = current
  }

  /// The roots that the command itself would get from `--root`.
  var roots: DeviceRoots {
    var root = ""
    for (index, word) in words.enumerated() {
      if word == "--root", index + 1 < words.count { root = words[index + 1] }
      if word.hasPrefix("--root=") { root = String(word.dropFirst("--root=".count)) }
    }
    return DeviceRoots(root: root)
  }
}
