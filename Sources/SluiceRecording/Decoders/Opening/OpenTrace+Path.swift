import SluiceReadings
import SluiceSystem

extension OpenTrace {
  /// - Parameter path: A file, a folder of files, the name of a recording in parts, or `-` for standard input.
  init(path: String, _ options: Options) throws(SluiceError) {
    let source: ByteSource
    do throws(SystemErrno) {
      source = try .file(path, isInterrupted: options.isInterrupted)
    } catch {
      // A recording with rotation may have no file of its own name.
      if error.code == ENOENT, path != "-", let series = RecordedParts(of: path, options.compressions) {
        try self.init(series, options)
        return
      }
      throw SluiceError(reading: path == "-" ? "standard input" : path, error)
    }
    if source.isDirectory {
      guard options.opens == nil else {
        throw SluiceError(
          .usage, "read", path, because: "it is a folder, but --scan-layout reads one file",
          remedy: "give a file, or - for standard input")
      }
      let names = (try? source.names()) ?? []
      if let kind = options.kinds.first(where: { $0.recognizes(folder: names) }) {
        self = try kind.open(folder: path, options)
      } else {
        try self.init(folder: source, path: path, options)
      }
    } else {
      if path != "-", source.isRegularFile { Self.warnOfParts(of: path, options) }
      self = try Self.open(TraceFile(source, path: path), options)
    }
    source.isInterrupted = nil
  }

  /// Opens a trace in memory.
  init(
    _ bytes: [UInt8], name: String, metadata: [UInt8]? = nil, _ options: Options = Options()
  ) throws(SluiceError) {
    self = try Self.open(TraceFile(.memory(bytes), path: name, metadata: metadata), options)
  }

  /// Opens one file by the kind that recognizes its first bytes, and decompresses it if it is compressed.
  static func open(_ file: TraceFile, _ options: Options) throws(SluiceError) -> OpenTrace {
    var beginning: [UInt8] = []
    do throws(SystemErrno) {
      try file.source.decompress(options.compressions)
      beginning = try file.source.peek(512)
      // A text of Windows may begin with a mark, or have two bytes per character.
      let encoding = TextDecoding.Encoding(markOf: beginning)
      if let encoding, !(options.kinds.contains { $0 != CSVTrace.self && $0.recognizes(beginning) }) {
        if encoding != .utf8 { options.warn("\(file.name): its text is \(encoding.rawValue), and is read as such") }
        file.source.decode(TextDecoding(encoding))
        beginning = try file.source.peek(512)
      }
    } catch {
      throw SluiceError(reading: file.name, error)
    }
    if options.format.dbc != nil, options.opens != nil || !CandumpTrace.recognizes(beginning), !beginning.isEmpty {
      throw SluiceError(
        .usage, "read", file.name, because: "it is no log of candump, and --dbc is only for such logs",
        remedy: "leave out --dbc, or give a file that candump -L has written")
    }
    if let opens = options.opens { return try opens(file, options).restarted(isPart: file.isPart).timed(options.times) }
    if beginning.isEmpty, let empty = try empty(file, options) { return empty }
    if let kind = options.kinds.first(where: { $0.recognizes(beginning) }) {
      return try kind.open(file, options).restarted(isPart: file.isPart).timed(options.times)
    }
    throw SluiceError(
      .unsupported, "read", file.name, because: "it begins with \(text(beginning)), as no known trace does",
      remedy:
        "give one of these: \(options.kinds.filter { $0 != SpreadsheetTrace.self }.map { $0.form }.joined(separator: "; "))"
    )
  }

  /// The first bytes as a text for an error: `"\x89PNG\x0d\x0a"`.
  private static func text(_ bytes: [UInt8]) -> String {
    let shown = bytes.prefix(16).map { byte in
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return "\\" + String(Unicode.Scalar(byte)) }
      if (0x20..<0x7f).contains(byte) { return String(Unicode.Scalar(byte)) }
      return "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return "\"\(shown.joined())\""
  }
}
