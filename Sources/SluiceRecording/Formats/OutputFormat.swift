import SluiceReadings

/// What readings are written as: a format of bytes, or a database.
///
/// A new one is a file with a type of this protocol, and its line in the registry of whoever offers it.
package protocol OutputFormat: Sendable {
  /// As `--format` has it: `csv`.
  static var name: String { get }
  /// What names of its files end in, without the dot; the first is that of files in a folder.
  static var extensions: [String] { get }
  /// Whether a recording can go on in the file of an earlier one.
  static var canAppend: Bool { get }
  /// Whether it can be written to standard output and other pipes.
  static var takesPipes: Bool { get }

  /// - Throws: If it does not have what was asked for.
  init(_ options: FormatOptions) throws(SluiceError)

  /// The rows of CSV that it has; nil if it has none.
  var layout: CSVLayout? { get }
  /// - Throws: If the streams cannot be told apart in the file.
  func check(_ streams: [StreamDescription], of path: String) throws(SluiceError)
  /// Where the metadata of a file of this format is.
  func metadata(of path: String) -> any MetadataStore
  /// The files that it makes beside one, which nobody else may write meanwhile.
  func companions(of path: String) -> [String]
  /// - Parameter file: Open, and locked before ``RecordStore/begin()``.
  func store(_ file: ClaimedFile, _ streams: EncoderStreams) throws(SluiceError) -> any RecordStore
}

extension OutputFormat {
  package static var canAppend: Bool { true }
  package static var takesPipes: Bool { true }
  package var layout: CSVLayout? { nil }
  package func check(_ streams: [StreamDescription], of path: String) throws(SluiceError) {}
  package func companions(of path: String) -> [String] { [] }
  package func metadata(of path: String) -> any MetadataStore { MetadataFile(beside: path) }
}

/// What decides how a format is written.
package struct FormatOptions: Sendable {
  /// What was asked for.
  package var layout: CSVLayout?
  /// That of the trace that is replayed.
  package var traceLayout: CSVLayout?
  /// Of one file.
  package var streamCount: Int
  /// Streams may be added while it is written.
  package var isGrowing = false
  package var path: String

  package init(
    path: String, layout: CSVLayout? = nil, traceLayout: CSVLayout? = nil, streamCount: Int, isGrowing: Bool = false
  ) {
    self.path = path
    self.layout = layout
    self.traceLayout = traceLayout
    self.streamCount = streamCount
    self.isGrowing = isGrowing
  }
}
