package import SluiceReadings

/// A format of outputs: bytes, or a database.
///
/// To add a format, write a type of this protocol, and add it to a registry, such as `OutputFormats`.
package protocol OutputFormat: Sendable {
  /// Its name for `--format`: `csv`.
  static var name: String { get }
  /// The endings of its file names, without the dot. Files in a folder get the first.
  static var extensions: [String] { get }
  /// Whether a recording can be appended to an earlier file.
  static var canAppend: Bool { get }
  /// Whether a recording can be cut into several files.
  static var hasParts: Bool { get }
  /// The time of a row; nil if the row has none, or if the format has no rows of text.
  static func time(ofRow row: ArraySlice<UInt8>) -> Int64?
  /// Whether `--time` can change how times are written.
  static var takesTimes: Bool { get }
  /// Whether `--decimals` can round values.
  static var takesDecimals: Bool { get }
  /// Whether it can be written to standard output and other pipes.
  static var takesPipes: Bool { get }

  /// - Throws: If the format does not support the options.
  init(_ options: FormatOptions) throws(SluiceError)

  /// The layout of CSV; nil for other formats.
  var layout: CSVLayout? { get }
  /// - Throws: If the file could not distinguish the streams.
  func check(_ streams: [StreamDescription], of path: String, _ style: RowStyle) throws(SluiceError)
  /// The store for the metadata of a file.
  func metadata(of path: String, _ disk: Disk) -> any MetadataStore
  /// The files that the format itself makes beside a file. Nothing else may write them during the recording.
  func companions(of path: String) -> [String]
  /// - Parameter file: An open file. It is locked before ``RecordStore/begin(_:)``.
  func store(_ file: ClaimedFile, _ streams: EncoderStreams) throws(SluiceError) -> any RecordStore
}

extension OutputFormat {
  package static var canAppend: Bool { true }
  package static var hasParts: Bool { true }
  package static func time(ofRow row: ArraySlice<UInt8>) -> Int64? { nil }
  package static var takesTimes: Bool { false }
  package static var takesDecimals: Bool { true }
  package static var takesPipes: Bool { true }
  package var layout: CSVLayout? { nil }
  package func check(_ streams: [StreamDescription], of path: String, _ style: RowStyle) throws(SluiceError) {}
  package func check(_ streams: [StreamDescription], of path: String) throws(SluiceError) {
    try check(streams, of: path, RowStyle())
  }
  package func companions(of path: String) -> [String] { [] }
  package func metadata(of path: String, _ disk: Disk) -> any MetadataStore { MetadataFile(beside: path, disk) }
}

/// The options of a format.
package struct FormatOptions: Sendable {
  /// The layout that the user has chosen.
  package var layout: CSVLayout?
  /// The layout of the replayed trace.
  package var traceLayout: CSVLayout?
  /// The number of streams in a file.
  package var streamCount: Int
  /// Whether streams may be added during the recording.
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
