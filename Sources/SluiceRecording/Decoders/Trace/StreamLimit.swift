import SluiceReadings

/// The largest number of streams of a trace whose rows name them.
enum StreamLimit {
  /// A file is read twice: first for its streams.
  case file
  /// The streams of a pipe are found during the read, and counts for all of them are made before it.
  case pipe

  var count: Int { self == .file ? TraceMetadata.mostStreams : 1_024 }

  /// Whether each new stream is published at once. This copies all streams.
  var isPublished: Bool { self == .pipe }

  /// - Parameters:
  ///   - what: The things that are too many: `streams`.
  ///   - malformed: Makes the error of a row.
  /// - Returns: For a file, an error that `--skip-bad` does not leave out, because no single row is wrong.
  func error(_ what: String, _ malformed: (_ cause: String, _ remedy: String?) -> SluiceError) -> SluiceError {
    let remedy = self == .pipe ? "give the trace as a file, which may have more of them" : "cut it into several"
    var error = malformed("there are more than \(count) \(what)", remedy)
    if self == .file { error.code = .unsupported }
    return error
  }
}
