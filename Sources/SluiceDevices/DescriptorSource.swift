import Sluice
import SluiceReadings
import Synchronization

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// What a ``DescriptorSource`` reads from: descriptors to wait for, and how to read them.
protocol DescriptorReader: AnyObject {
  /// Ready to be read when `poll(2)` says so; others after a read where the device has gone or has come back.
  var descriptors: [Int32] { get }
  /// How long to wait for the descriptors before reading all the same, in milliseconds; -1 for as long as it takes.
  var timeout: Int32 { get }
  /// How long to let readings gather after the last read, in milliseconds, where each would wake the thread by itself.
  /// Asked for after a read, and before ``timeout``.
  var gathering: Int32 { get }
  /// Readings that the kernel keeps at most.
  var capacity: Int { get }
  /// Reads what is there, without waiting.
  /// - Parameters:
  ///   - ready: Which of ``descriptors`` are readable.
  ///   - limit: How many readings `batch`, which is empty, may have then.
  func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError)
  /// Adds what was read and held back, when the stream is to finish.
  /// - Parameter limit: How many readings may be added to `batch`.
  func finish(limit: Int, into batch: inout [Reading])
  /// Called once, on the thread that read, after the last read.
  func close()
}

/// The one bridge from a readable descriptor to a subscriber.
///
/// It has a thread of its own, which waits in `poll(2)` for the device and for a pipe that wakes it for a first request,
/// a cancel or a finish: two system calls a wake-up, however many readings it brings, where a dispatch source takes
/// five. Only that thread delivers, so values need no lock on their way: a conduit took 90 ns each.
/// It reads only while there is demand, and never more than was demanded, where what is read at once may be one value, a
/// block: then nothing is done for each reading on its way. Without demand the kernel's FIFO is the buffer.
final class DescriptorSource: Subscription, Operators.Description, @unchecked Sendable {
  // The lock protects `state`; the other variables and the reader belong to the thread once it runs.

  private struct State {
    var demand = Subscribers.Demand.none
    var waiting = false  // for demand: the thread does not watch the device
  }

  /// Readings that one wake-up takes at most, so that a flood does not keep others waiting.
  static var batchLimit: Int { 1_024 }

  let name: StaticString
  private let reader: any DescriptorReader
  private let wake: WakePipe
  private let state = Locked(State())
  private let cancelled = Atomic(false)
  private var batch: [Reading] = []
  private var subscriber: AnySubscriber<Reading, SluiceError>?
  private var polled: [pollfd]
  private var descriptors: [Int32] = []
  private var ready: [Bool] = []

  /// Attaches a subscriber to a reader, and starts the thread.
  /// - Parameter wake: Ends the stream from outside.
  static func attach<S: Subscriber>(
    _ name: StaticString, _ reader: any DescriptorReader, wake: WakePipe, to subscriber: S
  ) where S.Input == Reading, S.Failure == SluiceError {
    DescriptorSource(name, reader, wake, AnySubscriber(subscriber)).start(subscriber.receive(subscription:))
  }

  private func start(_ introduce: (any Subscription) -> Void) {
    introduce(self)
    do throws(SluiceError) {
      try startThread { self.run() }
    } catch {
      end(.failure(error))
    }
  }

  private init(
    _ name: StaticString, _ reader: any DescriptorReader, _ wake: WakePipe,
    _ subscriber: AnySubscriber<Reading, SluiceError>
  ) {
    self.name = name
    self.reader = reader
    self.wake = wake
    self.subscriber = subscriber
    polled = [pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)]
  }

  // MARK: Subscription

  func request(_ demand: Subscribers.Demand) {
    precondition(demand > .none, "demand must be greater than zero")
    let waiting = state.withLock { state in
      state.demand += demand
      defer { state.waiting = false }
      return state.waiting
    }
    if waiting { wake.signal() }
  }

  func cancel() {
    if !cancelled.exchange(true, ordering: .relaxed) { wake.signal() }
  }

  private var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  // MARK: The thread

  private func run() {
    var hasRead = false
    while !isCancelled {
      let limit = currentLimit()
      if wake.isFinishing { return finish() }
      // After the demand was looked at: only then does a request wake it, as a cancel and a finish do at any time.
      if hasRead, limit > 0, case let gathering = reader.gathering, gathering > 0 { poll(&polled, 1, gathering) }
      hasRead = false
      do throws(SluiceError) {
        guard try look(for: limit == 0 ? -1 : reader.timeout, isReading: limit > 0) else { continue }
        try reader.read(ready: ready, limit: limit, into: &batch)
      } catch {
        deliver()
        return end(.failure(error))
      }
      deliver()
      hasRead = true
    }
    end(nil)
  }

  /// Waits for the pipe and, where something is to be read, for the device.
  /// - Parameter timeout: In milliseconds.
  /// - Returns: Whether to read now.
  private func look(for timeout: Int32, isReading: Bool = true) throws(SluiceError) -> Bool {
    if reader.descriptors != descriptors {
      descriptors = reader.descriptors
      polled.replaceSubrange(1..., with: descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) })
      ready = [Bool](repeating: false, count: descriptors.count)
    }
    if poll(&polled, nfds_t(isReading ? polled.count : 1), timeout) < 0 {
      if errno == EINTR { return false }
      throw SluiceError(
        "wait for", "a device with poll(2)", errno: errno, remedy: "let this process open more files (ulimit -n)")
    }
    // Hang-up and error are found out by reading, which says what they mean.
    for index in ready.indices { ready[index] = isReading && polled[index + 1].revents != 0 }
    // Only time that has passed may count as passed: what woke it is looked at first.
    guard polled[0].revents == 0 else {
      wake.clear()
      return false
    }
    return isReading
  }

  /// How many readings are wanted now, of those that are read at once; where that is none, the next request wakes the
  /// thread.
  private func currentLimit() -> Int {
    let demand = state.withLock { state in
      state.waiting = state.demand == .none
      return state.demand
    }
    return min(demand.max ?? .max, Self.batchLimit)
  }

  /// Ends the stream after all that the kernel has and the reader held back, however little of it is wanted at a time.
  private func finish() {
    var completion = Subscribers.Completion<SluiceError>.finished
    do throws(SluiceError) {
      try readRest()
    } catch {
      // One that is removed as the recording ends takes nothing from it.
      if error.code != .disconnected { completion = .failure(error) }
    }
    reader.finish(limit: .max, into: &batch)
    var rest = batch[...]
    batch = []
    while !rest.isEmpty, !isCancelled {
      let limit = currentLimit()
      if limit == 0 {
        do throws(SluiceError) { _ = try look(for: -1, isReading: false) } catch { return end(.failure(error)) }
        continue
      }
      batch += rest.prefix(limit)
      rest.removeFirst(batch.count)
      deliver()
    }
    end(completion)
  }

  /// What gathers in the kernel, such as scans below the watermark, came before the end as well.
  private func readRest() throws(SluiceError) {
    wake.clear()
    // A device may be faster than this, so no more than the kernel can have kept.
    while batch.count < reader.capacity, !reader.descriptors.isEmpty {
      _ = try look(for: 0)
      var more: [Reading] = []
      defer { batch += more }
      try reader.read(ready: ready, limit: min(Self.batchLimit, reader.capacity - batch.count), into: &more)
      if more.isEmpty, !ready.contains(true) { return }
    }
  }

  private func deliver() {
    guard !batch.isEmpty, let subscriber else { return }
    let taken = subscriber._receive(run: batch[...]) { !isCancelled }
    state.withLock { state in
      state.demand -= min(taken.count, state.demand.max ?? .max)
      state.demand += taken.demand
    }
    // Whoever keeps the run keeps its memory: then the next one gets its own.
    batch.removeAll(keepingCapacity: true)
  }

  private func end(_ completion: Subscribers.Completion<SluiceError>?) {
    if let completion, !isCancelled { subscriber?.receive(completion: completion) }
    subscriber = nil
    reader.close()
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
    throw SluiceError("start", "a thread", errno: error, remedy: "let this user run more threads (ulimit -u)")
  }
}
