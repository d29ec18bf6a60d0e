import SluicePipeline

/// Options that may stand alone: `--join`, `--excel`, `--intervals`.
///
/// ArgumentParser has such options too, but it forgets the value of `--join=100ms` before another option, and takes a
/// wrong value for none. So each of them gets the value that it stands for before the arguments are parsed.
enum OptionalValues {
  private static let all: [(name: String, value: String, takes: @Sendable (String) -> Bool)] = [
    ("--join", "hold", { JoinArgument(argument: $0) != nil }),
    ("--excel", SpreadsheetArgument.en.rawValue, { SpreadsheetArgument(rawValue: $0) != nil }),
    ("--intervals", IntervalsArgument.found, { IntervalsArgument(argument: $0) != nil }),
  ]

  /// The arguments with a value for each of these options.
  static func completed(_ arguments: [String]) -> [String] {
    var completed: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument != "--" else { return completed + [argument] + rest }
      guard let option = all.first(where: { $0.name == argument }) else {
        completed.append(argument)
        continue
      }
      if let next = rest.first, option.takes(next) {
        completed.append("\(argument)=\(next)")
        rest.removeFirst()
      } else {
        completed.append("\(argument)=\(option.value)")
      }
    }
    return completed
  }
}
