import SluiceReadings

/// Dates that are written as digits alone, with or without the time of day: `20240314`, `2024031422`.
enum DigitDates {
  /// By number of digits, the formats that are usual.
  private static let formats: [Int: [String]] = [
    8: ["%Y%m%d"], 10: ["%Y%m%d%H", "%y%m%d%H%M"], 12: ["%Y%m%d%H%M", "%y%m%d%H%M%S"], 14: ["%Y%m%d%H%M%S"],
    17: ["%Y%m%d%H%M%S%f"],
  ]
  /// Years 1950 to 2099, in nanoseconds since 1970.
  private static let years = Int64(-631_152_000_000_000_000)..<4_102_444_800_000_000_000

  /// The formats with which all texts are dates that do not go back; none if one text is something else.
  static func fitting(_ texts: [String]) -> [String] {
    let texts = texts.filter { !$0.isEmpty }
    guard let first = texts.first, let usual = formats[first.utf8.count],
      texts.allSatisfy({ $0.utf8.count == first.utf8.count && $0.utf8.allSatisfy { $0 &- 0x30 < 10 } }),
      zip(texts, texts.dropFirst()).allSatisfy({ $0 <= $1 })
    else { return [] }
    return usual.filter { format in
      guard let pattern = try? TimePattern(format) else { return false }
      return texts.allSatisfy { text in
        Array(text.utf8).withUnsafeBufferPointer {
          (try? pattern.time($0)).map { years.contains($0.nanoseconds) } ?? false
        }
      }
    }
  }
}
