package import SluiceReadings

/// What the index of a file says of all of it, without a look at its readings. Nothing of it is compared with them.
package struct TraceIndex: Sendable {
  /// The readings of one name.
  package struct Series: Hashable, Sendable {
    /// The name of the stream, or the topic in a file of another program.
    package var name: String
    package var readings: UInt64
    /// How they are encoded: `cdr`, or several with commas.
    package var encoding: String

    package init(name: String, readings: UInt64, encoding: String) {
      (self.name, self.readings, self.encoding) = (name, readings, encoding)
    }
  }

  /// The kind of file: `MCAP`.
  package var form: String
  package var series: [Series]
  /// The times of the first and the last message; nil if there is none, or the index does not say it.
  package var times: ClosedRange<Int64>?
  /// The number of its chunks and of its attachments.
  package var chunks: Int
  package var attachments: Int
  /// What has written it, as the file says.
  package var library: String
  package var metadata: TraceMetadata?

  package init(
    form: String, series: [Series], times: ClosedRange<Int64>?, chunks: Int, attachments: Int, library: String,
    metadata: TraceMetadata?
  ) {
    (self.form, self.series, self.times) = (form, series, times)
    (self.chunks, self.attachments, self.library, self.metadata) = (chunks, attachments, library, metadata)
  }

  /// The number of all readings.
  package var readings: UInt64 {
    series.reduce(0) { sum, series in
      let (sum, overflow) = sum.addingReportingOverflow(series.readings)
      return overflow ? .max : sum
    }
  }
}

/// A kind of file that has an index of all its readings.
package protocol IndexedTrace: Sendable {
  /// The kind in words: `MCAP`.
  static var form: String { get }
  static func recognizes(_ beginning: [UInt8]) -> Bool
  /// Reads the index.
  /// - Throws: If the file has none, or it cannot be read.
  static func index(of path: String) throws(SluiceError) -> TraceIndex
}
