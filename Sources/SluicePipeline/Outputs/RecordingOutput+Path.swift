package import SluiceReadings
@_spi(Preview) package import SluiceRecording
import SluiceSystem

extension RecordingOutput {
  /// Makes the output for a path. It checks once whether the path is a folder.
  /// - Parameters:
  ///   - path: A file, a folder (`DIR/` makes it), or `-` for standard output.
  ///   - format: The name of a format; nil for the format of the path's ending, or else CSV.
  ///   - traceLayout: The layout of the replayed trace. A single output file gets the same layout.
  ///   - streams: The streams to write; nil if more may come.
  package init(
    path: String, format: String? = nil, layout: CSVLayout? = nil, traceLayout: CSVLayout? = nil,
    existing: ExistingFile = .refuse, raw: Bool = false, style: RowStyle = RowStyle(), rotation: Rotation? = nil,
    for streams: [StreamDescription]?
  ) throws(SluiceError) {
    let kind = OutputKinds.kind(of: path)
    let isFolder = kind.folder != nil
    if isFolder, streams == nil {
      throw SluiceError(
        .unsupported, "write", path,
        because: "the streams of a trace that comes from a pipe are not known before its end",
        remedy: "take one file, or give the trace as a file")
    }
    if kind.hasFiles { try OutputFormats.check(path, format) }
    let type: any OutputFormat.Type
    if let format {
      guard let named = OutputFormats.named(format) else {
        let hint = nearest(to: format, among: OutputFormats.names)
        throw SluiceError(
          .usage, "write", path, because: "there is no format \"\(format)\"",
          remedy: hint.map { "did you mean \($0)?" } ?? "the formats are \(OutputFormats.names.joined(separator: ", "))"
        )
      }
      type = named
    } else {
      type = OutputFormats.of(path) ?? CSVFormat.self
    }
    let isPipe = path == "-" || FileIdentity(path: path).map { !$0.isRegular && !$0.isDirectory } ?? false
    if isPipe, !type.takesPipes {
      throw SluiceError(
        .unsupported, "write", path == "-" ? "standard output" : path,
        because: "\(type.name) cannot be written to a pipe", remedy: "give a file")
    }
    let compression = isFolder ? nil : OutputFormats.compression(of: path)
    if let compression { try Self.check(path, type, compression, existing, isInParts: rotation != nil) }
    if rotation != nil { try Self.checkParts(path, type, isPipe: isPipe, existing) }
    if existing == .append, rotation == nil, !type.canAppend {
      throw SluiceError(
        .usage, "append to", path, because: "nothing can be appended to a file of the format \(type.name)",
        remedy: "write each recording to a file of its own")
    }
    if layout != nil, type != CSVFormat.self {
      throw SluiceError(
        .usage, "write", path, because: "a layout is for CSV, and this is \(type.name)",
        remedy: "leave the layout out")
    }
    try Self.check(style, of: path, type)
    let options = FormatOptions(
      path: path, layout: layout ?? (isFolder || style.headerUnits ? .wide : nil),
      traceLayout: isFolder ? nil : traceLayout,
      streamCount: isFolder ? 1 : streams?.count { !$0.channels.isEmpty } ?? 0, isGrowing: streams == nil)
    self.init(
      kind, format: try type.init(options), existing: existing, raw: raw, style: style, rotation: rotation,
      compression: compression)
  }

  private static func check(
    _ style: RowStyle, of path: String, _ type: any OutputFormat.Type
  ) throws(SluiceError) {
    if style.time != .nanoseconds, !type.takesTimes {
      throw SluiceError(
        .usage, "write", path, because: "a file of the format \(type.name) has its own time format",
        remedy: "leave --time out, or write CSV or JSON Lines")
    }
    if style.headerUnits, type != CSVFormat.self {
      throw SluiceError(
        .usage, "write", path, because: "a file of the format \(type.name) has no header for units",
        remedy: "leave --header-units out, or write CSV")
    }
    if style.decimals != nil, !type.takesDecimals {
      throw SluiceError(
        .usage, "write", path, because: "a file of the format \(type.name) keeps all digits",
        remedy: "leave --decimals out, and round in the query")
    }
  }

  private static func check(
    _ path: String, _ type: any OutputFormat.Type, _ compression: any Compression.Type, _ existing: ExistingFile,
    isInParts: Bool
  ) throws(SluiceError) {
    guard type.takesPipes else {
      throw SluiceError(
        .unsupported, "write", path, because: "\(type.name) cannot be compressed",
        remedy: "leave out .\(compression.ending)")
    }
    if isInParts {
      throw SluiceError(
        .unsupported, "cut", "\(path) into parts", because: "a compressed file has no parts",
        remedy: "leave out --rotate, or .\(compression.ending)")
    }
    if existing == .append {
      throw SluiceError(
        .usage, "append to", path, because: "a compressed file cannot be appended to",
        remedy: "write each recording to a file of its own")
    }
  }

  private static func checkParts(
    _ path: String, _ type: any OutputFormat.Type, isPipe: Bool, _ existing: ExistingFile
  ) throws(SluiceError) {
    let name = path == "-" ? "standard output" : path
    if isPipe || !type.hasParts {
      throw SluiceError(
        .unsupported, "cut", "\(name) into parts", because: isPipe ? "it is no file" : "\(type.name) has no parts",
        remedy: "leave out --rotate for it")
    }
    if existing == .overwrite {
      throw SluiceError(
        .usage, "overwrite", "the parts of \(name)", because: "parts are never overwritten",
        remedy: "remove them, or give --append for further parts")
    }
  }
}
