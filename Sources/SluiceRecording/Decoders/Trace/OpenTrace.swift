/// An open trace: its decoder, its layout and its metadata.
public struct OpenTrace {
  package var decoder: any TraceDecoder
  /// The CSV layout; nil if it is not CSV, or has several files.
  package var layout: CSVLayout?
  package var metadata: TraceMetadata?
  package var inputs: [TraceInput] = []
  /// Whether the rows have the flags of their readings, so that the metadata need not list their times.
  package var hasFlags = false

  /// Makes an open trace.
  public init(
    decoder: any TraceDecoder, layout: CSVLayout? = nil, metadata: TraceMetadata?, inputs: [TraceInput],
    hasFlags: Bool = false
  ) {
    self.decoder = decoder
    self.layout = layout
    self.metadata = metadata
    self.inputs = inputs
    self.hasFlags = hasFlags
  }

  /// The options for reading a trace.
  public struct Options {
    /// The time column and the columns to read.
    public var format = TraceFormat()
    /// The times of the readings.
    public var times = TraceTimes.recorded
    /// The counter for unreadable rows, which are left out; nil if the first of them is an error.
    package var skipped: SkippedRows?
    /// The possible kinds of trace.
    var kinds: [any TraceKind.Type]
    /// Opens the file without reading its first bytes; if it is nil, ``kinds`` recognize the file.
    var opens: Opener?
    /// The compressions that are recognized.
    var compressions: [any Compression.Type] = []
    /// Whether a message names the options with which a table is read.
    var givesAdvice = true
    package var warn: @Sendable (String) -> Void = { _ in }
    /// Asked again and again while the trace is opened; true ends it with the error `interrupted`.
    package var isInterrupted: @Sendable () -> Bool = { false }

    init(
      format: TraceFormat = TraceFormat(), times: TraceTimes = .recorded, skipped: SkippedRows? = nil,
      kinds: [any TraceKind.Type], opens: Opener? = nil, compressions: [any Compression.Type] = [],
      warn: @escaping @Sendable (String) -> Void = { _ in }, isInterrupted: @escaping @Sendable () -> Bool = { false }
    ) {
      self.format = format
      self.times = times
      self.skipped = skipped
      self.kinds = kinds
      self.opens = opens
      self.compressions = compressions
      self.warn = warn
      self.isInterrupted = isInterrupted
    }
  }
}
