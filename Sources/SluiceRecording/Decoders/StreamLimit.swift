import SluiceReadings

/// How many streams a trace may have whose rows name them.
enum StreamLimit {
  /// It is read twice, first for its streams.
  case file
  /// They are learned while it is read: see ``TraceReader/limit``.
  case pipe

  var count: Int { self == .file ? Int(UInt16.max) : TraceReader.limit }

  /// Whether others are to know of each stream at once: telling them copies all.
  var isPublished: Bool { self == .pipe }

  /// - Parameters:
  ///   - what: `streams`
  ///   - malformed: Makes the error of a row.
  /// - Returns: Of a file, that it cannot be read at all: no row of it is to blame, and none is left out.
  func error(_ what: String, _ malformed: (_ cause: String, _ remedy: String?) -> SluiceError) -> SluiceError {
    let remedy = self == .pipe ? "give the trace as a file, which may have more" : "cut it into several"
    var error = malformed("there are more than \(count) \(what)", remedy)
    if self == .file { error.code = .unsupported }
    return error
  }
}
