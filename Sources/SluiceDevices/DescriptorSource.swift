import Dispatch
import Sluice
import SluiceReadings
import SluiceSystem
import Synchronization

/// The reader of a ``DescriptorSource``: the descriptors to wait for, and how to read them.
protocol DescriptorReader: AnyObject {
  /// The descriptors for `poll(2)`. They may change after a read, when the device was removed or has come back.
  var descriptors: [Int32] { get }
  /// The longest wait for the descriptors before a read, in milliseconds; -1 for no limit.
  var timeout: Int32 { get }
  /// The time to let readings gather after a read, in milliseconds, if each reading would wake the thread. It is asked
  /// for after a read, and before ``timeout``.
  var gathering: Int32 { get }
  /// The largest number of readings that the kernel keeps.
  var capacity: Int { get }
  /// Whether the source has ended itself, as a program does, and all its readings were read.
  var isAtEnd: Bool { get }
  /// Reads the available readings without waiting.
  /// - Parameters:
  ///   - ready: Whether each of ``descriptors`` is readable.
  ///   - limit: The largest number of readings to add to `batch`, which is empty.
  func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError)
  /// Adds the readings held back so far, when the stream must finish. The default is for a reader that holds back none.
  /// - Parameter limit: The largest number of readings to add to `batch`.
  func finish(limit: Int, into batch: inout [Reading])
  /// Closes the device. It is called once, after the last read, on the thread that read.
  func close()
}

extension DescriptorReader {
  var gathering: Int32 { 0 }
  var isAtEnd: Bool { false }
  func finish(limit: Int, into batch: inout [Reading]) {}
}

/// Connects readable descriptors to a subscriber. All devices with descriptors use it.
///
/// Its own thread waits in `poll(2)` for the device and for a pipe. The pipe wakes it for a first request, a cancel or
/// a finish. A wake-up costs two system calls for any number of readings; a dispatch source needs five. Only this
/// thread delivers, so values need no lock on their way: a conduit took 90 ns per value. It reads only while there is
/// demand, and never more than the demand. What is read at once may be delivered as one run, without work per reading.
/// Without demand, the FIFO of the kernel is the buffer.
final class DescriptorSource: Subscription, Operators.Description, @unchecked Sendable {
  // The lock protects `state`. The other variables and the reader belong to the thread after it was started.

  private struct State {
    var demand = Subscribers.Demand.none
    var waiting = false  // for demand: the thread does not watch the device
  }

  /// The largest number of readings per wake-up, so that a flood does not delay others.
  static var batchLimit: Int { 1_024 }

  let name: StaticString
  private let reader: any DescriptorReader
  private let wake: WakePipe
  private let teardown: DispatchGroup
  private let state = Locked(State())
  private let cancelled = Atomic(false)
  private var batch: [Reading] = []
  private var subscriber: AnySubscriber<Reading, SluiceError>?
  private var polled: [pollfd]
  private var descriptors: [Int32] = []
  private var ready: [Bool] = []

  /// Attaches a subscriber to a reader, and starts the thread. A second subscriber of the same device gets an error,
  /// because each of two threads would get only some of the readings.
  /// - Parameters:
  ///   - reader: Made for the first subscriber only.
  ///   - wake: Ends the stream from another thread.
  ///   - teardown: Entered at once, and left when the reader is closed.
  static func attach<S: Subscriber>(
    _ name: StaticString, _ reader: @autoclosure () -> any DescriptorReader, wake: WakePipe, teardown: DispatchGroup,
    to subscriber: S
  ) where S.Input == Reading, S.Failure == SluiceError {
    guard wake.take() else {
      let error = SluiceError(
        .busy, "subscribe to", "the publisher \(name)", because: "it already has had its one subscriber",
        remedy: "share the publisher between several subscribers, or open the device again")
      return Fail(error: error).subscribe(subscriber)
    }
    let source = DescriptorSource(name, reader(), wake, teardown, AnySubscriber(subscriber))
    subscriber.receive(subscription: source)
    do throws(SluiceError) {
      try startThread { source.run() }
    } catch {
      source.end(.failure(error))
    }
  }

  private init(
    _ name: StaticString, _ reader: any DescriptorReader, _ wake: WakePipe, _ teardown: DispatchGroup,
    _ subscriber: AnySubscriber<Reading, SluiceError>
  ) {
    self.name = name
    self.reader = reader
    self.wake = wake
    self.teardown = teardown
    self.subscriber = subscriber
    teardown.enter()
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
      // This comes after the demand was read: only then can a request wake the thread. A cancel or a finish always can.
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
      if reader.isAtEnd { return finish() }
      hasRead = true
    }
    end(nil)
  }

  /// Waits for the pipe, and if a read is allowed, for the device.
  /// - Parameter timeout: The longest wait in milliseconds.
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
    // A read finds a hang-up or an error, and its meaning.
    for index in ready.indices { ready[index] = isReading && polled[index + 1].revents != 0 }
    // A wake-up by the pipe is handled first, because a reader takes the whole timeout as passed.
    guard polled[0].revents == 0 else {
      wake.clear()
      return false
    }
    return isReading
  }

  /// The number of readings for the next read, by the demand. If it is 0, the next request wakes the thread.
  private func currentLimit() -> Int {
    let demand = state.withLock { state in
      state.waiting = state.demand == .none
      return state.demand
    }
    return min(demand.max ?? .max, Self.batchLimit)
  }

  /// Ends the stream after everything that the kernel has and the reader held back, even if the demand is small.
  private func finish() {
    var completion = Subscribers.Completion<SluiceError>.finished
    do throws(SluiceError) {
      try readRest()
    } catch {
      // A device that is removed as the recording ends takes nothing from it.
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

  /// Reads what the kernel has gathered, such as scans below the watermark, because it came before the end.
  private func readRest() throws(SluiceError) {
    wake.clear()
    // A device may be faster than this loop, so it reads no more than the kernel can have kept, and no longer than a second
    // where readings come one by one: most of a flood of lines may be none.
    let deadline = kernelTime(CLOCK_MONOTONIC) + 1_000_000_000
    while batch.count < reader.capacity, !reader.descriptors.isEmpty, !reader.isAtEnd, !isCancelled {
      _ = try look(for: 0)
      var more: [Reading] = []
      defer { batch += more }
      let limit = min(Self.batchLimit, reader.capacity - batch.count)
      try reader.read(ready: ready, limit: limit, into: &more)
      if more.isEmpty, !ready.contains(true) { return }
      if more.count < limit, kernelTime(CLOCK_MONOTONIC) > deadline { return }
    }
  }

  private func deliver() {
    guard !batch.isEmpty, let subscriber else { return }
    let taken = subscriber._receive(run: batch[...]) { !isCancelled }
    state.withLock { state in
      state.demand -= min(taken.count, state.demand.max ?? .max)
      state.demand += taken.demand
    }
    // A subscriber that keeps the run keeps its memory. Then the next run gets new memory.
    batch.removeAll(keepingCapacity: true)
  }

  private func end(_ completion: Subscribers.Completion<SluiceError>?) {
    if let completion, !isCancelled { subscriber?.receive(completion: completion) }
    subscriber = nil
    reader.close()
    teardown.leave()
  }
}

/// Starts a thread that is never joined.
func startThread(_ body: @escaping () -> Void) throws(SluiceError) {
  final class Body: @unchecked Sendable {
    // Only the new thread uses it after this.
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
