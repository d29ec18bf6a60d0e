public import Dispatch
public import Sluice
public import SluiceReadings

/// A publisher of the readings of a device, such as ``Sluice/Publishers/PPSPulses``.
///
/// ```swift
/// func record(_ device: some DevicePublisher) -> AnyCancellable {
///   device.sink(receiveCompletion: { print($0) }, receiveValue: { print($0.time, $0.values) })
/// }
/// ```
///
/// Its initializer opens the device, so that nothing is missed before a subscriber comes. A publisher has one
/// subscriber; a second one gets an error. Readings come on a thread of the publisher, which reads only while there is
/// demand. Only the devices of this module conform to it; a sensor of your own is a `ReadingSource`.
public protocol DevicePublisher: Publisher where Output == Reading, Failure == SluiceError {
  /// The streams of the readings, in the order of their numbers.
  var streams: [StreamDescription] { get }
  /// The losses that are known.
  var losses: DeviceLosses { get }
  /// What reads the device.
  var thread: DeviceThread { get set }
}

extension DevicePublisher {
  /// Left when the device is closed and restored, after the end of the subscription.
  public var teardown: DispatchGroup { thread.teardown }

  /// The same readings with other stream numbers.
  /// - Parameter clock: A clock for several publishers, so that they have the same offset.
  public func streams(from stream: StreamID, clock: EpochClock? = nil) -> Self {
    var other = self
    (other.thread.base, other.thread.clock) = (stream, clock ?? thread.clock)
    return other
  }

  /// Ends the stream at the source. What the kernel has is delivered, then the stream finishes.
  public func finish() { thread.wake.finish() }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == SluiceError {
    DescriptorSource.attach(
      thread.name, thread.reader(thread.base, thread.clock), wake: thread.wake, teardown: thread.teardown,
      to: subscriber)
  }
}

extension DevicePublisher where Self: ReadingSource {
  public func readings(from first: StreamID, clock: EpochClock) -> AnyPublisher<Reading, SluiceError> {
    streams(from: first, clock: clock).eraseToAnyPublisher()
  }
  public static var finishes: Bool { true }
  // Both protocols have one without this.
  public func finish() { thread.wake.finish() }
  public func waitUntilClosed() { teardown.wait() }
  public var lossReport: LossReport { losses.report }
  public var isAway: Bool { losses.isAway }
  public var isWhole: Bool { true }
}

/// What reads a device for a ``DevicePublisher``: a thread, and its readings' stream numbers and clock.
public struct DeviceThread {
  fileprivate let name: StaticString
  fileprivate let wake: WakePipe
  fileprivate let teardown = DispatchGroup()
  fileprivate var base: StreamID
  fileprivate(set) var clock = EpochClock()
  fileprivate let reader: (StreamID, EpochClock) -> any DescriptorReader

  /// - Parameters:
  ///   - name: The name of the publisher.
  ///   - base: The number of the first stream.
  ///   - reader: Makes the reader of a subscription from the number of the first stream and the clock.
  init(
    _ name: StaticString, from base: StreamID, reader: @escaping (StreamID, EpochClock) -> any DescriptorReader
  ) throws(SluiceError) {
    (self.name, self.base, self.reader, wake) = (name, base, reader, try WakePipe())
  }
}
