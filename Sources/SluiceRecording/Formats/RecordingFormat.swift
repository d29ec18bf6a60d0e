public import SluiceReadings

/// A format of outputs: bytes, or a database.
///
/// For a format of your own, write an ``EncodedFormat``, and add it with `RecordingFormats.add`. Conform to this protocol
/// directly only for a store that is no file of bytes, such as a database.
public protocol RecordingFormat: Sendable {
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
  /// Whether a whole file with these bytes may have a reading. A run that was killed may have written nothing, or only
  /// a header.
  static func mayHaveReading(_ file: [UInt8]) -> Bool
  /// Whether `--time` can change how times are written.
  static var takesTimes: Bool { get }
  /// Whether `--decimals` can round values.
  static var takesDecimals: Bool { get }
  /// Whether its rows have the tags of `--tag`.
  static var hasTags: Bool { get }
  /// Whether it can be written to standard output and other pipes.
  static var takesPipes: Bool { get }
  /// Whether its files can be compressed as a whole. A format with a compression of its own says false.
  static var isCompressible: Bool { get }
  /// The names of its encodings of values, of which `encoding=` behind an output chooses one; none if there is no choice.
  static var encodings: [String] { get }

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
  /// The store of a file.
  /// - Parameter file: An open file. It is locked before ``RecordStore/begin(_:)``.
  func store(_ file: ClaimedFile, _ streams: EncoderStreams) throws(SluiceError) -> any RecordStore
}

extension RecordingFormat {
  public static var canAppend: Bool { true }
  public static var hasParts: Bool { true }
  public static func time(ofRow row: ArraySlice<UInt8>) -> Int64? { nil }
  public static func mayHaveReading(_ file: [UInt8]) -> Bool { !file.isEmpty }
  public static var takesTimes: Bool { false }
  public static var takesDecimals: Bool { true }
  public static var hasTags: Bool { false }
  public static var takesPipes: Bool { true }
  public static var isCompressible: Bool { takesPipes }
  public static var encodings: [String] { [] }
  public var layout: CSVLayout? { nil }
  public func check(_ streams: [StreamDescription], of path: String, _ style: RowStyle) throws(SluiceError) {}
  /// Checks the streams for rows with nanoseconds and all digits.
  public func check(_ streams: [StreamDescription], of path: String) throws(SluiceError) {
    try check(streams, of: path, RowStyle())
  }
  public func companions(of path: String) -> [String] { [] }
  public func metadata(of path: String, _ disk: Disk) -> any MetadataStore { MetadataFile(beside: path, disk) }
}

/// The options of a format.
public struct FormatOptions: Sendable {
  /// The layout that the user has chosen.
  public var layout: CSVLayout?
  /// The layout of the replayed trace.
  public var traceLayout: CSVLayout?
  /// The number of streams in a file.
  public var streamCount: Int
  /// Whether streams may be added during the recording.
  public var isGrowing = false
  /// The encoding of values that the user has chosen, of ``RecordingFormat/encodings``.
  public var encoding: String?
  /// The path of the output.
  public var path: String

  /// Makes the options.
  public init(
    path: String, layout: CSVLayout? = nil, traceLayout: CSVLayout? = nil, streamCount: Int, isGrowing: Bool = false
  ) {
    self.path = path
    self.layout = layout
    self.traceLayout = traceLayout
    self.streamCount = streamCount
    self.isGrowing = isGrowing
  }
}
