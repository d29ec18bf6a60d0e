import SluiceArguments

/// `--stats text`, `json`, or a file that gets the account as JSON beside the printed summary.
enum SummaryArgument: ArgumentValue, Equatable {
  case text
  case json
  case file(String)

  init?(argument: String) {
    switch argument {
    // Standard output is for readings. The summary goes to standard error.
    case "", "-": return nil
    case "text": self = .text
    case "json": self = .json
    default: self = .file(argument)
    }
  }
}
