public import Sluice
public import SluiceReadings

/// A source of readings for a recording: a device of this module, or a sensor of your own.
///
/// Conform to it to record a sensor that Sluice has no kind for. The recording gives it every stage, an account, metadata
/// and a pause. docs/Extending.md has a whole program.
///
/// ```swift
/// struct Thermometer: ReadingSource {
///   let streams = [StreamDescription(name: "room", channels: [.init(name: "temp", unit: "°C")])]
///
///   func readings(from first: StreamID, clock: EpochClock) -> AnyPublisher<Reading, SluiceError> {
///     Publishers.timer(interval: .seconds(1))
///       .map { _ in Reading(time: clock.now, stream: first, values: Values(21)) }
///       .setFailureType(to: SluiceError.self)
///       .eraseToAnyPublisher()
///   }
/// }
/// ```
///
/// One thread asks for ``streams`` and ``readings(from:clock:)`` before the recording starts. ``finish()``,
/// ``lossReport`` and ``isAway`` may be asked from any thread while readings come. ``waitUntilClosed()`` is called after
/// the end.
public protocol ReadingSource {
  /// The streams of the readings, in the order of their numbers. The recording may give them other names.
  var streams: [StreamDescription] { get }

  /// Makes the publisher of the readings of one recording.
  ///
  /// The recording subscribes once. A sensor cannot wait, so the publisher reads only while there is demand, or counts
  /// what it must drop. An error ends this source, and no other.
  /// - Parameters:
  ///   - first: The number of the first stream; the number of the next one follows it.
  ///   - clock: The clock of the recording. The time of each reading must come from it.
  func readings(from first: StreamID, clock: EpochClock) -> AnyPublisher<Reading, SluiceError>

  /// Whether ``finish()`` ends the readings. If not, a stop of the recording cancels the subscription. False by default.
  static var finishes: Bool { get }
  /// Ends the readings at the source: what was read is published, then the publisher finishes.
  func finish()
  /// Waits until the sensor is closed and restored. The recording calls it after the end of the readings.
  func waitUntilClosed()

  /// Whether its readings wait while there is no demand, as in a pipe, so that a full buffer loses none of them. False by
  /// default. It has an effect if all sources of the recording wait.
  var waits: Bool { get }

  /// The losses so far, and how many of the losses show. By default none of them shows, and the account says so.
  var lossReport: LossReport { get }
  /// Whether the sensor was removed and has not come back. False by default.
  var isAway: Bool { get }

  /// Whether all values are whole numbers before offset and scale; the metadata then says so. False by default.
  var isWhole: Bool { get }
  /// The longest time from the time of a reading to its delivery. Readings of several sources are written in the order
  /// of their times, and a later one is flagged as late. 200 ms by default.
  var lateness: Duration { get }
  /// Whether the times of its readings are those of another clock than that of the recording, such as a sensor's. Such a
  /// clock may be behind: if all sources have one, windows of stages end by these clocks. False by default.
  var hasOwnClock: Bool { get }
  /// The peak fill of the kernel's FIFO; nil by default.
  var kernelFIFO: FIFOLevel? { get }
}

extension ReadingSource {
  public static var finishes: Bool { false }
  public func finish() {}
  public func waitUntilClosed() {}
  public var waits: Bool { false }
  public var lossReport: LossReport { LossReport(coverage: .none) }
  public var isAway: Bool { false }
  public var isWhole: Bool { false }
  public var lateness: Duration { .milliseconds(200) }
  public var hasOwnClock: Bool { false }
  public var kernelFIFO: FIFOLevel? { nil }
}

/// The losses of a source, and how many of its losses show.
///
/// ```swift
/// let missed = Loss(reason: "reads missed", count: 3)
/// let report = LossReport([missed], coverage: .all)
/// ```
public struct LossReport: Hashable, Sendable {
  /// The losses. Their streams are those of the source.
  public var losses: [Loss]
  /// Whether none, some or all of the losses show.
  public var coverage: LossCoverage
  /// The reason why losses do not show, for the start of a sentence: `with edges of one direction`.
  public var reason: String?
  /// The remedy that makes losses show: `record both edges`.
  public var remedy: String?

  /// Reports these losses.
  public init(_ losses: [Loss] = [], coverage: LossCoverage, reason: String? = nil, remedy: String? = nil) {
    self.losses = losses
    self.coverage = coverage
    self.reason = reason
    self.remedy = remedy
  }
}
