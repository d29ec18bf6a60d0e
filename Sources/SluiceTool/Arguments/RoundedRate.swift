import SluicePipeline
import SluiceReadings
import SluiceRecording

/// A rate whose period is rounded to whole nanoseconds. Windows, timers and polls repeat a period, so that their rate is
/// wrong by as much.
///
/// The times of rows (`--period`) and the period of `--intervals` are not rounded.
enum RoundedRate {
  /// The clock of a computer is wrong by more.
  private static let smallest = 1e-6

  /// A sentence for each rate in the text of an option that repeats a period.
  static func notices(_ text: String) -> [String] {
    text.split(whereSeparator: { ":=,@".contains($0) }).compactMap { notice(String($0)) }
  }

  /// A sentence for each rate in the text of a source that repeats a period.
  static func noticesOfSource(_ text: String) -> [String] {
    // Most sources have no rate, and a search costs each start.
    guard text.utf8.contains(UInt8(ascii: "H")) else { return [] }
    return ["timer:", "poll:"].contains { text.contains($0) } ? notices(text) : []
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
