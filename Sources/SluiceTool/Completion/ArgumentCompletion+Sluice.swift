import SluiceArguments
import SluiceControl
import SluiceDevices
import SluicePipeline

extension ArgumentCompletion {
  /// Sources of every kind, with the devices of this machine.
  static var source: ArgumentCompletion {
    .offering { word, words in SourceCompletion(roots: roots(words)).candidates(word) }
  }

  /// The values of the option of a kind of source, such as `--gpio`.
  static func source(_ kind: any SourceKind.Type) -> ArgumentCompletion {
    .offering { word, words in SourceCompletion(roots: roots(words)).candidates(word, of: kind) }
  }

  /// The recordings that run.
  static var running: ArgumentCompletion {
    .words { RunningRecordings(.ofThisProcess).entries.map { Candidate(word: $0.name) } }
  }

  /// The roots that the command itself would get from `--root`.
  private static func roots(_ words: [String]) -> DeviceRoots {
    var root = ""
    for (index, word) in words.enumerated() {
      if word == "--root", index + 1 < words.count { root = words[index + 1] }
      if word.hasPrefix("--root=") { root = String(word.dropFirst("--root=".count)) }
    }
    return DeviceRoots(root: root)
  }
}
