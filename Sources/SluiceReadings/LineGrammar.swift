/// The grammar of the lines that a sensor writes: how a line becomes a reading.
///
/// It knows nothing of where the lines come from, so a serial port, a program and a file are read alike. Its streams were
/// learned from the first lines.
package protocol LineGrammar {
  /// The streams of the readings, by the numbers that ``parse(_:into:)`` gives.
  var streams: [StreamDescription] { get }
  /// Whether each line has a checksum, so that half a line is no reading.
  var hasChecksums: Bool { get }
  /// Whether a number so far had more digits than a reading can hold.
  var hasRounded: Bool { get }

  /// Parses a line.
  /// - Parameters:
  ///   - line: The line without its end. A line feed or a carriage return follows it, and `DecimalDigits.slack` more bytes
  ///     can be read.
  ///   - reading: Gets the stream and the values, and the time if the line has its own.
  mutating func parse(_ line: UnsafeBufferPointer<UInt8>, into reading: inout Reading) -> LineOutcome
}

extension LineGrammar {
  package var hasChecksums: Bool { false }
  package var hasRounded: Bool { false }
}

/// What a line was.
package enum LineOutcome: Equatable {
  /// A reading.
  case reading
  /// A reading, but the line has names that the first lines did not have. Their values are left out.
  case readingOfSome
  /// No reading, and no fault: an empty line, a comment, a header that comes again, a sentence without a sensor's value.
  case nothing
  case fault(LineFault)
}

/// Why a line does not fit.
package struct LineFault: Error, Equatable {
  /// Whether the checksum is wrong, so that the line was damaged on its way.
  package var isChecksum = false
  /// The cause, for the end of a sentence: `it has not as many cells as the first line`.
  package var cause: String

  package init(_ cause: String, isChecksum: Bool = false) { (self.cause, self.isChecksum) = (cause, isChecksum) }
}
