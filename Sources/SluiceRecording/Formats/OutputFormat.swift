package import SluiceReadings

/// A format that readings are written in: bytes, or a database.
///
/// A new format is a file with a type of this protocol, and its line in a registry, such as `OutputFormats`.
package protocol OutputFormat: Sendable {
  /// Its name for `--format`: `csv`.
  static var name: String { get }
  /// The endings of its files' names, without the dot; files in a folder get the first.
  static var extensions: [String] { get }
  /// Whether a recording can be appended to the file of an earlier one.
  static var canAppend: Bool { get }
  /// Whether a recording can be cut into several files.
  static var hasParts: Bool { get }
  /// The time of a row; nil if it is none, or if the format has no rows of text.
  static func time(ofRow row: ArraySlice<UInt8>) -> Int64?
  /// Whether `--time` can change how times are written.
  static var takesTimes: Bool { get }
  /// Whether `--decimals` can round values.
  static var takesDecimals: Bool { get }
  /// Whether it can be written to standard output and other pipes.
  static var takesPipes: Bool { get }

  /// - Throws: If the format cannot do what the options ask for.
  init(_ options: FormatOptions) throws(SluiceError)

  /// The layout, if it is CSV; otherwise nil.
  var layout: CSVLayout? { get }
  /// - Throws: If the streams cannot be told apart in the file.
  func check(_ streams: [StreamDescription], of path: String) throws(SluiceError)
  /// Where the metadata of a file of this format is.
  func metadata(of path: String, _ disk: Disk) -> any MetadataStore
  /// Further files that it makes beside a file. Nobody else may write them during the recording.
  func companions(of path: String) -> [String]
  /// - Parameter file: Open, and locked before ``RecordStore/begin()``.
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
  package func check(_ streams: [StreamDescription], of path: String) throws(SluiceError) {}
  package func companions(of path: String) -> [String] { [] }
  package func metadata(of path: String, _ disk: Disk) -> any MetadataStore { MetadataFile(beside: path, disk) }
}

/// What a format is made with.
package struct FormatOptions: Sendable {
  /// The layout that was asked for.
  package var layout: CSVLayout?
  /// The layout of the trace that is replayed.
  package var traceLayout: CSVLayout?
  /// How many streams a file has.
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
