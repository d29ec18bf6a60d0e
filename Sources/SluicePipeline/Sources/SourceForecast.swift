public import SluiceDevices
public import SluiceReadings

/// What a source will bring, as far as it is known before it is opened: for the loss budget of a plan.
///
/// ```swift
/// var forecast = SourceForecast(rate: 100, queue: .readings(capacity: 1_024, waiting: 0))
/// forecast.streams = [StreamDescription(name: "room", channels: [.init(name: "temp", unit: "°C")])]
/// ```
public struct SourceForecast: Hashable, Sendable {
  /// Its streams; nil if only the opened source has them.
  public var streams: [StreamDescription]?
  /// The readings of each stream per second; nil if nobody knows them before they come.
  public var rate: Double?
  /// What waits for this program in the kernel, or with the sender; nil if that is not known.
  public var queue: KernelQueue?

  /// Whether the opened source has exactly these streams on every machine.
  package enum Certainty: Sendable {
    case never
    /// Only if the source is given a name. Otherwise the name of the stream comes from the machine.
    case named
    case always
  }
  package var certainty = Certainty.never

  /// Makes a forecast.
  public init(streams: [StreamDescription]? = nil, rate: Double? = nil, queue: KernelQueue? = nil) {
    (self.streams, self.rate, self.queue) = (streams, rate, queue)
  }

  /// A source that reads every `period`.
  init(_ streams: [StreamDescription]?, every period: TimeSpan, certainty: Certainty = .never) {
    self.init(streams: streams, rate: 1 / period.seconds, queue: .nothing)
    self.certainty = certainty
  }
}
