import SluicePipeline
import SluiceReadings
import SluiceRecording

/// The rates among the arguments whose periods are rounded to whole nanoseconds. Windows, timers and polls repeat a period, so
/// that their rate is wrong by as much.
///
/// The times of rows (`--period`) and the period of `--intervals` are not rounded.
enum RoundedRates {
  private static let options: Set<String> = [
    "--resample", "--reduce", "--join", "--frequency-of", "--throttle", "--collect",
  ]
  private static let sources = ["timer:", "poll:"]
  /// The clock of a computer is wrong by more.
  private static let smallest = 1e-6

  /// A sentence for each of them.
  static func notices(_ arguments: [String]) -> [String] {
    var notices: [String] = []
    var option: String?
    for argument in arguments {
      if argument == "--" { break }
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      let isOption = argument.hasPrefix("--")
      let owner = isOption ? parts[0] : option
      option = isOption && parts.count == 1 ? argument : nil
      guard owner.map({ options.contains($0) }) ?? sources.contains(where: { argument.contains($0) }) else { continue }
      for word in argument.split(whereSeparator: { ":=,@".contains($0) }) {
        if let notice = notice(String(word)), !notices.contains(notice) { notices.append(notice) }
      }
    }
    return notices
  }

  private static func notice(_ word: String) -> String? {
    guard word.hasSuffix("Hz"), let exact = RowPeriod(word), exact.nanoseconds == nil,
      let hertz = exact.hertz.flatMap({ Double($0.description) }), let span = TimeSpan(period: word)
    else { return nil }
    let error = Double(span.nanoseconds) * hertz / 1e9 - 1
    guard abs(error) >= smallest else { return nil }
    return
      "\(word) is taken as a period of \(span), which is \(fixed(abs(error) * 1e6, 1)) ppm too \(error > 0 ? "long" : "short")"
  }
}
