import Sluice
import SluiceRecording

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// What a ``DescriptorSource`` reads from: descriptors to wait for, and how to read them.
protocol DescriptorReader: AnyObject {
  /// Ready to be read when `poll(2)` says so.
  var descriptors: [Int32] { get }
  /// How long to wait for the descriptors before reading all the same, in milliseconds; -1 for as long as it takes.
  var timeout: Int32 { get }
  /// How long to let readings gather after a small batch, in milliseconds, where each would wake the thread by itself.
  var gathering: Int32 { get }
  /// Reads what is there, without waiting.
  /// - Parameters:
  ///   - ready: Which of ``descriptors`` are readable.
  ///   - limit: How many readings may be added to `batch`.
  func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError)
  /// Called once, on the thread that read, after the last read.
  func close()
}

/// The one bridge from a readable descriptor to a conduit.
///
/// It has a thread of its own, which waits in `poll(2)` for the device and for a pipe that wakes it for a first request
/// or a cancel: two system calls a wake-up, however many readings it brings, where a dispatch source takes five.
/// It reads only while there is demand, and never more than was demanded. Without demand the kernel's FIFO is the buffer.
final class DescriptorSource: Subscription, @unchecked Sendable {
  // The lock protects `state`; `reader` and `batch` belong to the thread.

  private struct State {
    var demand = Subscribers.Demand.none
    var cancelled = false
    var waiting = false  // for demand: the thread does not watch the device
  }

  /// Readings that one wake-up takes at most, so that a flood does not keep others waiting.
  static var batchLimit: Int { 1_024 }

  /// Readings in a batch from which on there is no time to let more gather: the kernel's FIFO would overflow.
  private static var flood: Int { 64 }

  private let reader: any DescriptorReader
  private let wake: WakePipe
  private let state = Locked(State())
  private var batch: [Reading] = []
  private var conduit: Line?

  private typealias Line = Conduit<RelayCore<Reading, SluiceError>, AnySubscriber<Reading, SluiceError>>

  /// Attaches a subscriber to a reader, and starts the thread.
  static func attach<S: Subscriber>(_ name: StaticString, _ reader: any DescriptorReader, to subscriber: S)
  where S.Input == Reading, S.Failure == SluiceError {
    let conduit = Line(name, RelayCore(forwards: true), AnySubscriber(subscriber))
    do throws(SluiceError) {
      let source = DescriptorSource(reader, conduit, wake: try WakePipe())
      try startThread { source.run() }
      conduit.connect(source, 0)
    } catch {
      reader.close()
      conduit.connect(Subscriptions.empty, 0)
      conduit.feed { $0.receive(completion: .failure(error)) }
    }
  }

  private init(_ reader: any DescriptorReader, _ conduit: Line, wake: WakePipe) {
    self.reader = reader
    self.conduit = conduit
    self.wake = wake
  }

  // MARK: Subscription

  func request(_ demand: Subscribers.Demand) {
    let waiting = state.withLock { state in
      state.demand += demand
      defer { state.waiting = false }
      return state.waiting
    }
    if waiting { wake.signal() }
  }

  func cancel() {
    let first = state.withLock { state in
      defer { state.cancelled = true }
      return !state.cancelled
    }
    if first { wake.signal() }
  }

  // MARK: The thread

  private func run() {
    defer { end() }
    var polled = [pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)]
    polled += reader.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var ready = [Bool](repeating: false, count: polled.count - 1)
    while true {
      let (demand, cancelled) = state.withLock { state in
        state.waiting = state.demand == .none
        return (state.demand, state.cancelled)
      }
      if cancelled { return }
      let watched = demand == .none ? 1 : polled.count
      let timeout = demand == .none ? -1 : reader.timeout
      if poll(&polled, nfds_t(watched), timeout) < 0, errno != EINTR {
        return fail(SluiceError("wait for", "a device with poll(2)", errno: errno))
      }
      if polled[0].revents != 0 { wake.clear() }
      if watched == 1 { continue }
      // Hang-up and error are found out by reading, which says what they mean.
      for index in ready.indices { ready[index] = polled[index + 1].revents != 0 }
      do throws(SluiceError) {
        try reader.read(ready: ready, limit: min(demand.max ?? .max, Self.batchLimit), into: &batch)
      } catch {
        deliver()
        return fail(error)
      }
      let isFlood = batch.count >= Self.flood
      deliver()
      // The pipe still wakes it at once.
      if !isFlood, reader.gathering > 0 { poll(&polled, 1, reader.gathering) }
    }
  }

  private func deliver() {
    guard !batch.isEmpty else { return }
    state.withLock { $0.demand -= min(batch.count, $0.demand.max ?? .max) }
    conduit?.feed { core in
      for reading in batch { core.receive(reading) }
    }
    batch.removeAll(keepingCapacity: true)
  }

  private func fail(_ error: SluiceError) { conduit?.feed { $0.receive(completion: .failure(error)) } }

  private func end() {
    conduit = nil
    reader.close()
  }
}

/// Wakes a thread that waits in `poll(2)`.
private final class WakePipe: Sendable {
  /// Readable after a signal.
  let descriptor: Int32
  private let writing: Int32

  init() throws(SluiceError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SluiceError("open", "a pipe", errno: errno) }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (descriptor, writing) = (ends[0], ends[1])
  }

  deinit {
    closeFile(descriptor)
    closeFile(writing)
  }

  /// A full pipe wakes just as well.
  func signal() {
    var byte: UInt8 = 0
    _ = write(writing, &byte, 1)
  }

  func clear() {
    var bytes: UInt64 = 0
    while read(descriptor, &bytes, 8) > 0 {}
  }
}

/// Starts a thread that nobody waits for.
func startThread(_ body: @escaping () -> Void) throws(SluiceError) {
  final class Body: @unchecked Sendable {
    // Handed over to the one thread that runs it.
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }
  var thread = pthread_t()
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  let argument = Unmanaged.passRetained(Body(body))
  let error = pthread_create(
    &thread, &attributes,
    { argument in
      if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
      return nil
    }, argument.toOpaque())
  guard error == 0 else {
    argument.release()
    throw SluiceError("start", "a thread", errno: error)
  }
}
