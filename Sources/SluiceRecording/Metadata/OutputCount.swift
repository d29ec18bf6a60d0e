/// The counts of one stream in one output.
public struct OutputCount: Hashable, Sendable, Codable {
  /// The name of the stream. It is empty in a sink, because a trace may name its streams late.
  public var stream: String
  /// Readings written, including those that wait for the disk.
  public var written: Int
  /// Readings not written because of an error, or because the format cannot hold them.
  public var unwritten: Int
  /// Readings that only this output dropped, because its disk was full or away while other outputs wrote.
  public var dropped: Int
  /// Written readings that are known to be on the disk: all of them, if the recording syncs and ended without an
  /// error.
  public var synced: Int

  package init(stream: String = "", written: Int = 0, unwritten: Int = 0, dropped: Int = 0, synced: Int = 0) {
    self.stream = stream
    self.written = written
    self.unwritten = unwritten
    self.dropped = dropped
    self.synced = synced
  }
}
