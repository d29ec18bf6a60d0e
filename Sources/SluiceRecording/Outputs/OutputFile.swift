package import SluiceReadings

/// One file of a recording, and its streams.
public struct OutputFile: Sendable {
  /// The path.
  public var path: String
  /// The format.
  public var format: any RecordingFormat
  /// The range of its streams in all streams.
  public var streams: Range<Int>

  /// Makes a file.
  public init(path: String, format: any RecordingFormat, streams: Range<Int>) {
    self.path = path
    self.format = format
    self.streams = streams
  }

  /// A file name that is valid on all systems.
  static func name(_ stream: String) -> String {
    var name = String(stream.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "_" })
    // A file name that begins with a dot would be hidden.
    if name.first == "." { name = "_" + name.dropFirst() }
    return name.isEmpty ? "_" : name
  }
}

/// An output of a ``RecordingSink``: a file for all streams, or a folder with one file per stream.
public struct RecordingOutput: Sendable {
  package let kind: any OutputKind
  /// The path as it was given; `-` is standard output.
  public var path: String { kind.address }
  /// The format of its files, or of what it sends.
  public let format: any RecordingFormat
  /// What to do with what is there already.
  public let existing: ExistingFile
  /// Whether values are written without offset and scale.
  public let raw: Bool
  /// The format of times and values.
  public let style: RowStyle
  /// The rotation into parts; nil for one file.
  package let rotation: Rotation?
  /// The compression of the file; nil if it is not compressed.
  package let compression: (any Compression.Type)?
  /// The number of bytes that may wait for it before upstream must wait; nil for that of its kind.
  package var capacity: Int?

  package init(
    path: String, isFolder: Bool = false, format: any RecordingFormat, existing: ExistingFile = .refuse,
    raw: Bool = false,
    style: RowStyle = RowStyle(), rotation: Rotation? = nil, compression: (any Compression.Type)? = nil
  ) {
    self.init(
      isFolder ? FolderOutput(path: path) : FileOutput(path), format: format, existing: existing, raw: raw,
      style: style, rotation: rotation, compression: compression)
  }

  package init(
    _ kind: any OutputKind, format: any RecordingFormat, existing: ExistingFile = .refuse, raw: Bool = false,
    style: RowStyle = RowStyle(), rotation: Rotation? = nil, compression: (any Compression.Type)? = nil
  ) {
    self.kind = kind
    self.rotation = rotation
    self.style = style
    self.compression = compression
    self.format = format
    self.existing = existing
    self.raw = raw
  }

  /// A CSV file for all streams; `-` is standard output.
  /// - Parameters:
  ///   - raw: Whether values are written without offset and scale.
  ///   - rotation: The rotation into parts. Their names are made from the path. Not for standard output.
  public static func csv(
    _ path: String, layout: CSVLayout, existing: ExistingFile = .refuse, raw: Bool = false, rotation: Rotation? = nil
  ) -> RecordingOutput {
    RecordingOutput(path: path, format: CSVFormat(layout: layout), existing: existing, raw: raw, rotation: rotation)
  }

  /// A folder with one CSV file per stream, named after it.
  /// - Parameters:
  ///   - raw: Whether values are written without offset and scale.
  ///   - rotation: The rotation of each file into parts. Their names are made from its name.
  public static func folder(
    _ path: String, layout: CSVLayout = .wide, existing: ExistingFile = .refuse, raw: Bool = false,
    rotation: Rotation? = nil
  ) -> RecordingOutput {
    RecordingOutput(
      path: path, isFolder: true, format: CSVFormat(layout: layout), existing: existing, raw: raw, rotation: rotation)
  }

  package func with(path: String, rotation: Rotation?) -> RecordingOutput {
    RecordingOutput(
      path: path, isFolder: folder != nil, format: format, existing: existing, raw: raw, style: style,
      rotation: rotation, compression: compression)
  }

  /// The folder of its files; nil for a single file.
  package var folder: String? { kind.folder }

  /// The files of these streams.
  /// - Throws: If two streams would have the same file of a folder, or two channels the same column.
  package func files(for streams: [StreamDescription]) throws(SluiceError) -> [OutputFile] {
    let files = kind.files(of: format, for: streams)
    var owners: [ExactName: String] = [:]
    for file in files where files.count > 1 {
      let stream = streams[file.streams.lowerBound].name
      if let other = owners.updateValue(stream, forKey: ExactName(file.path)) {
        throw SluiceError(
          .usage, "write", file.path, because: "it would be the file of two streams, \"\(other)\" and \"\(stream)\"",
          remedy: "give one of their sources another name: NAME=KIND:WHAT")
      }
    }
    for file in files { try format.check(Array(streams[file.streams]), of: file.path, style) }
    return files
  }

  /// The parts of one of its files.
  /// - Parameter number: The number of the output.
  package func parts(
    of file: OutputFile, number: Int, observer: any PartObserver = NoPartObserver()
  ) -> PartSeries {
    let format = type(of: file.format)
    return PartSeries(
      path: file.path, rotation: rotation ?? Rotation(), existing: existing, output: number, streams: file.streams,
      ending: format.extensions[0], mayHaveReading: { format.mayHaveReading($0) }, observer: observer)
  }
}
