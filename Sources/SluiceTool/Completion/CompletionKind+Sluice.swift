import ArgumentParser
import SluiceControl
import SluicePipeline

extension CompletionKind {
  /// Sources of every kind, with the devices of this machine.
  static var source: CompletionKind { offering { SourceCompletion(roots: $0.roots).candidates($0.current) } }

  /// The values of the option of a kind of source, such as `--gpio`.
  static func source(_ kind: any SourceKind.Type) -> CompletionKind {
    offering { SourceCompletion(roots: $0.roots).candidates($0.current, of: kind) }
  }

  /// IIO triggers of this machine.
  static var trigger: CompletionKind {
    offering { SettingCompletion(roots: $0.roots).triggers.map { Candidate(word: $0) } }
  }

  /// The recordings that run.
  static var running: CompletionKind {
    offering { _ in RunningRecordings(.ofThisProcess).entries.map { Candidate(word: $0.name) } }
  }

  private static func offering(_ candidates: @escaping @Sendable (CommandLineWords) -> [Candidate]) -> CompletionKind {
    .custom { words, index, prefix in
      candidates(CommandLineWords(words, index, prefix)).compactMap { $0.text(for: CompletionShell.requesting) }
    }
  }
}
