public import Dispatch
public import Sluice
import SluiceExtras
public import SluiceReadings

extension Publishers {
  /// Publishes the number in a file, read at intervals: a temperature, an IIO `*_raw`, any attribute of sysfs.
  ///
  /// ```swift
  /// let file = "/sys/class/thermal/thermal_zone0/temp"
  /// let temperature = try Publishers.PolledAttribute(path: file, every: .milliseconds(100))
  /// ```
  ///
  /// It reads on its own queue, only while there is demand. A failed read is a gap and not the end. It is counted, and
  /// the next reading has `Reading.Flags.gapBefore`. Missed periods are gaps too.
  public struct PolledAttribute: Publisher {
    public typealias Output = Reading
    /// An error of the device.
    public typealias Failure = SluiceError

    /// The path of the file.
    public let path: String
    /// The time from one read to the next.
    public let period: DispatchTimeInterval
    /// The stream of its readings.
    public private(set) var stream: StreamID
    fileprivate var clock = EpochClock()
    /// Called with the error of a failed read after a good one, on the queue that reads.
    public var whenFailed: (@Sendable (SluiceError) -> Void)?
    /// The losses that are known.
    public let losses = DeviceLosses(coverage: .all)
    /// The stream. It has the unit, scale and offset of the file, if the file belongs to hwmon, thermal or IIO. Its
    /// name then consists of the name of the chip, the type of the zone or the name of the device, and of the file:
    /// `cpu-thermal/temp`. Otherwise the name is the last two parts of the path.
    public let description: StreamDescription

    /// - Parameters:
    ///   - path: The path. The file must exist and contain a number. ``PolledAttributes/path(of:roots:)`` finds it by
    ///     name.
    ///   - inSI: Whether values are converted to SI units; otherwise they have the unit of the kernel.
    public init(
      path: String, every period: DispatchTimeInterval, inSI: Bool = false, stream: StreamID = StreamID(0)
    ) throws(SluiceError) {
      _ = try Self.value(path)
      (self.path, self.period, self.stream) = (path, period, stream)
      let channel = try PolledAttributes.channel(path)
      description = StreamDescription(
        name: PolledAttributes.streamName(path), channels: [inSI ? channel.inSI : channel],
        device: PolledAttributes.device(path))
    }

    /// The same file with another stream number.
    /// - Parameter clock: A clock for several publishers, so that they have the same offset.
    public func stream(_ stream: StreamID, clock: EpochClock? = nil) -> PolledAttribute {
      var other = self
      (other.stream, other.clock) = (stream, clock ?? self.clock)
      return other
    }

    static func value(_ path: String) throws(SluiceError) -> ExactDecimal {
      let slash = path.lastIndex(of: "/")
      let folder = SysfsFolder(path: slash.map { String(path[..<$0]) } ?? ".")
      let text = try folder.read(slash.map { String(path[path.index(after: $0)...]) } ?? path)
      guard let value = ExactDecimal(text) else {
        throw SluiceError(
          .malformed, "read", path, because: "\"\(text.prefix(40))\" is not a number",
          remedy: "poll a file that holds one")
      }
      return value
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == SluiceError {
      let poll = Poll(self)
      Publishers.timer(interval: period).ticks
        .compactMap { poll.read($0) }
        .setFailureType(to: SluiceError.self)
        .receive(subscriber: subscriber)
    }
  }
}

/// The reads of one subscription. The ticks of the timer are serial.
private final class Poll {
  private let attribute: Publishers.PolledAttribute
  private var epoch: EpochClock { attribute.clock }
  private var gap = false
  private var isFailing = false

  init(_ attribute: Publishers.PolledAttribute) { self.attribute = attribute }

  func read(_ tick: Publishers.Tick) -> Reading? {
    attribute.losses.add(.missed, Int(clamping: tick.missed), at: epoch.now)
    if tick.missed > 0 { gap = true }
    let value: ExactDecimal
    do throws(SluiceError) {
      value = try Publishers.PolledAttribute.value(attribute.path)
    } catch {
      attribute.losses.add(.failed, at: epoch.now)
      gap = true
      if !isFailing { attribute.whenFailed?(error) }
      isFailing = true
      return nil
    }
    defer { (gap, isFailing) = (false, false) }
    var values = Values()
    values.append(value)
    return Reading(time: epoch.now, stream: attribute.stream, values: values, flags: gap ? .gapBefore : [])
  }
}

extension Publishers.PolledAttribute: ReadingSource {
  public var streams: [StreamDescription] { [description] }
  public func readings(from first: StreamID, clock: EpochClock) -> AnyPublisher<Reading, SluiceError> {
    stream(first, clock: clock).eraseToAnyPublisher()
  }
  public var lossReport: LossReport { losses.report }
}
