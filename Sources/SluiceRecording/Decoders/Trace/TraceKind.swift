public import SluiceReadings

/// A kind of trace, recognized by its first bytes.
///
/// To add a kind, write a type of this protocol, and add it with ``TraceKinds/add(_:)``.
public protocol TraceKind: Sendable {
  /// The words for the error that lists all kinds: `CSV with a row of column names`.
  static var form: String { get }
  /// The endings of its file names, without the dot. In a folder, only files with these endings are read.
  static var extensions: [String] { get }
  /// Whether a trace of this kind may begin with these bytes: the first 512, or fewer if it is shorter or comes from a
  /// pipe.
  static func recognizes(_ beginning: [UInt8]) -> Bool
  /// Opens a file that it has recognized.
  /// - Throws: If the file cannot be read as a trace of this kind.
  static func open(_ file: TraceFile, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace
  /// Whether a folder with these files is one trace of this kind. False by default.
  static func recognizes(folder names: [String]) -> Bool
  /// Opens a folder that it has recognized.
  static func open(folder path: String, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace
}

extension TraceKind {
  public static func recognizes(folder names: [String]) -> Bool { false }
  public static func open(folder path: String, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace {
    throw SluiceError(.unsupported, "read", path, because: "it is a folder, and \(form) is a file")
  }
}

extension OpenTrace {
  /// Opens a file without recognizing it by its first bytes.
  package typealias Opener = @Sendable (TraceFile, Options) throws(SluiceError) -> OpenTrace
}
