public import Sluice

/// Where a ``CSVSink`` writes.
public enum CSVDestination: Hashable, Sendable {
  /// One file for all streams; `-` is standard output.
  case file(String, layout: CSVLayout)
  /// A folder with one file per stream, named after it.
  case directory(String, layout: CSVLayout = .wide)
}

/// What a paused ``CSVSink`` does with readings.
public enum PauseMode: String, CaseIterable, Sendable {
  /// Asks for nothing: upstream has them.
  case hold
  /// Takes them and counts them.
  case discard
}

/// What a ``CSVSink`` has done with the readings of one stream.
public struct SinkCount: Hashable, Sendable {
  /// With those that wait for the disk; after an error only those whose rows the system had taken by then.
  public var written = 0
  public var discarded = 0
}

/// Writes readings to CSV files, and can be paused.
///
/// ```swift
/// let sink = try CSVSink<Reading>(.file("walk.csv", layout: .wide), streams: [description]) { error in print(error ?? "done") }
/// readings.subscribe(sink)
/// ```
///
/// Takes one value at a time. Rows are formatted on the thread that delivers, and written on the sink's own queue, 64 KiB
/// at a time, at the latest after 250 ms, and at once after a silence as long. In a wide file of
/// several streams of one device a row waits two ticks at most, so that readings of one time share it. While paused, and while more than ``CSVSink/limit`` bytes wait for the
/// disk, it asks for nothing: upstream keeps, drops or blocks. A failure to write cancels upstream and is reported.
public final class CSVSink<Input: ReadingGroup>: Subscriber, Pausable, Cancellable, Sendable {
  public typealias Failure = Never

  @usableFromInline let writer: _CSVWriter

  /// - Parameters:
  ///   - streams: In the order of their ``StreamID``.
  ///   - raw: Write values without offset and scale.
  ///   - pauseMode: What happens to readings while paused.
  ///   - wants: For a gate further up: called with false when the sink is paused or the disk is behind, with true when
  ///     it goes on.
  ///   - receiveCompletion: Called once, when everything is written, or with the error that ended it.
  public convenience init(
    _ destination: CSVDestination, streams: [StreamDescription], raw: Bool = false, existing: ExistingFile = .refuse,
    pauseMode: PauseMode = .hold, wants: @escaping @Sendable (Bool) -> Void = { _ in },
    receiveCompletion: @escaping @Sendable (SluiceError?) -> Void
  ) throws(SluiceError) {
    try self.init(
      destination, streams: streams, raw: raw, existing: existing, pauseMode: pauseMode, inputs: [:], wants: wants,
      receiveCompletion: receiveCompletion)
  }

  /// - Parameters:
  ///   - inputs: Files that are being read, with their paths: none of them is written.
  ///   - isInterrupted: Asked while a FIFO waits for its reader.
  ///   - moreStreams: Gives the streams that there are by now, if more may come; only for one file in the long layout.
  package init(
    _ destination: CSVDestination, streams: [StreamDescription], raw: Bool = false, existing: ExistingFile = .refuse,
    pauseMode: PauseMode = .hold, inputs: [FileIdentity: String],
    isInterrupted: @escaping @Sendable () -> Bool = { false },
    moreStreams: (@Sendable () -> [StreamDescription])? = nil, wants: @escaping @Sendable (Bool) -> Void = { _ in },
    receiveCompletion: @escaping @Sendable (SluiceError?) -> Void
  ) throws(SluiceError) {
    writer = try _CSVWriter(
      destination, streams: streams, raw: raw, existing: existing, pauseMode: pauseMode, inputs: inputs,
      isInterrupted: isInterrupted, moreStreams: moreStreams, wants: wants, receiveCompletion: receiveCompletion)
  }

  /// Bytes waiting for the disk beyond which nothing more is asked for.
  public static var limit: Int { _CSVWriter.limit }

  /// What has been done so far, by stream.
  public var counts: [SinkCount] { writer.counts }

  /// For a recording that could not begin: closes its files and removes those it made.
  public func discard() { writer.discard() }

  /// For a recording that failed, once it has ended: removes the files that it made or overwrote and that have no row.
  /// - Returns: Their paths.
  package func removeFilesWithoutRows() -> [String] { writer.removeFilesWithoutRows() }

  // MARK: Pausable

  public var paused: Bool { writer.paused }
  public func pause() { writer.pause() }
  public func resume() { writer.resume() }

  // MARK: Subscriber

  public func receive(subscription: any Subscription) { writer.receive(subscription: subscription) }
  @inlinable public func receive(_ input: Input) -> Subscribers.Demand { input._write(to: writer) }
  public func receive(completion: Subscribers.Completion<Never>) { writer.receive(completion: completion) }

  /// Stops taking readings; what was taken is written.
  public func cancel() { writer.cancel() }
}
