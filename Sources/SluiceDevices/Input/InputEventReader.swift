import SluiceReadings
import SluiceSystem

/// Makes readings from the events of an input device.
final class InputEventReader: DescriptorReader {
  private var session: InputSession
  private let losses: DeviceLosses
  private let base: StreamID
  private let epoch: EpochClock
  /// Nil if the removal of the device is an error.
  private var reconnection: DeviceReconnection<InputSession>?
  private let places: [InputCode: Int]
  private var gaps: [Bool]
  /// By stream, the last value of each slot.
  private var last: [[Int32: Int32]]
  private var slot: Int32
  /// The time of the newest event: a state that is asked for when the queue is empty has not changed since.
  private var newest: Int64
  /// After SYN_DROPPED, the rest of the packet is not whole.
  private var isDropping = false
  /// Set if the states must be asked for. This waits until the queue is empty, because its events are older.
  private var asksForStates: Reading.Flags?
  /// States for which there was no demand yet.
  private var pending: ArraySlice<Reading> = []
  private let bytes = UnsafeMutableRawBufferPointer.allocate(
    byteCount: InputEventReader.size * DescriptorSource.batchLimit, alignment: 8)

  /// `struct input_event`: two words of the kernel's `long` for the time, type, code and value.
  static var size: Int { 2 * MemoryLayout<Int>.size + 8 }

  init(_ session: InputSession, _ setup: InputSetup, _ losses: DeviceLosses, _ base: StreamID, _ epoch: EpochClock) {
    (self.session, self.losses, self.base, self.epoch) = (session, losses, base, epoch)
    places = Dictionary(uniqueKeysWithValues: session.codes.enumerated().map { ($1, $0) })
    gaps = Array(repeating: false, count: session.codes.count)
    last = Array(repeating: [:], count: session.codes.count)
    slot = session.slots > 0 ? session.slot : 0
    // After a loss, the states are compared with these.
    for state in session.states() { last[state.place][state.slot] = state.value }
    newest = epoch.now
    reconnection = setup.whenRemoved.map {
      // Its name is not there until it is.
      DeviceReconnection(report: $0, isAbsence: { $0.code == .notFound }) { () throws(SluiceError) in
        try setup.session(like: session)
      }
    }
    if setup.hasInitialState { asksForStates = .initialLevel }
  }

  deinit { bytes.deallocate() }

  var descriptors: [Int32] { session.descriptor < 0 ? [] : [session.descriptor] }
  /// While the device is away, the time between tries.
  var timeout: Int32 {
    if session.descriptor < 0 { return reconnection?.period ?? 0 }
    return asksForStates != nil || !pending.isEmpty ? 0 : -1
  }
  var gathering: Int32 { 0 }
  /// The kernel keeps eight packets of the device at least (`evdev_compute_buffer_size` in drivers/input/evdev.c).
  var capacity: Int { 4_096 }

  func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError) {
    guard try isThere() else { return }
    if !pending.isEmpty { return takePending(limit, into: &batch) }
    let wanted = UnsafeMutableRawBufferPointer(rebasing: bytes[..<min(limit * Self.size, bytes.count)])
    let count = readOnce(session.descriptor, wanted)
    guard count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR)) else {
      return try lose(count == 0 ? ENODEV : errno)
    }
    for start in stride(from: 0, through: count - Self.size, by: Self.size) {
      take(UnsafeRawBufferPointer(rebasing: wanted[start..<start + Self.size]), into: &batch)
    }
    if let flags = asksForStates, !isDropping, count < wanted.count {
      askForStates(flags)
      takePending(limit - batch.count, into: &batch)
    }
  }

  private func take(_ event: UnsafeRawBufferPointer, into batch: inout [Reading]) {
    let word = MemoryLayout<Int>.size
    let seconds = Int64(event.loadUnaligned(as: Int.self))
    let microseconds = Int64(event.loadUnaligned(fromByteOffset: word, as: Int.self))
    let time = epoch.time(monotonic: UInt64(bitPattern: seconds &* 1_000_000_000 &+ microseconds &* 1_000))
    let type = event.loadUnaligned(fromByteOffset: 2 * word, as: UInt16.self)
    let number = event.loadUnaligned(fromByteOffset: 2 * word + 2, as: UInt16.self)
    let value = event.loadUnaligned(fromByteOffset: 2 * word + 4, as: Int32.self)
    newest = max(newest, time)
    guard type > 0 else { return synchronise(number, at: time) }
    guard !isDropping, let type = InputEventType(rawValue: type) else { return }
    let code = InputCode(type: type, number: number)
    if code == .slot { slot = value }
    if let place = places[code] { batch.append(reading(time, place, code.isOfContact ? slot : 0, value)) }
  }

  /// EV_SYN: SYN_REPORT ends a packet. SYN_DROPPED says that the kernel's queue was full.
  private func synchronise(_ number: UInt16, at time: Int64) {
    if number == 3 {
      losses.add(.full, at: time)
      isDropping = true
      markGap()
    } else if number == 0 {
      isDropping = false
    }
  }

  private func markGap() {
    for place in gaps.indices { gaps[place] = true }
    asksForStates = asksForStates ?? []
  }

  private func reading(_ time: Int64, _ place: Int, _ slot: Int32, _ value: Int32) -> Reading {
    last[place][slot] = value
    var values = Values(Int64(value))
    if session.slots > 0, session.codes[place].isOfContact { values.append(ExactDecimal(significand: Int64(slot))) }
    defer { gaps[place] = false }
    return Reading(
      time: time, stream: StreamID(base.index &+ UInt16(truncatingIfNeeded: place)), values: values,
      flags: gaps[place] ? .gapBefore : [])
  }

  /// Makes readings of the states that differ from the last values, or of all states at the start.
  private func askForStates(_ flags: Reading.Flags) {
    asksForStates = nil
    if session.slots > 0 { slot = session.slot }
    for state in session.states() where !flags.isEmpty || isChanged(state) {
      var reading = reading(newest, state.place, state.slot, state.value)
      reading.flags.formUnion(flags)
      pending.append(reading)
    }
  }

  /// Whether a state differs from the last value. A key that repeats has the value 2, and the state 1.
  private func isChanged(_ state: (place: Int, slot: Int32, value: Int32)) -> Bool {
    let value = last[state.place][state.slot]
    return (session.codes[state.place].type == .key ? value.map { min($0, 1) } : value) != state.value
  }

  private func takePending(_ limit: Int, into batch: inout [Reading]) {
    batch += pending.prefix(limit)
    pending = pending.dropFirst(limit)
  }

  // MARK: Removal

  private func lose(_ code: Int32) throws(SluiceError) {
    guard code == ENODEV else {
      throw SluiceError("read", session.device.title, errno: code, remedy: SysfsFolder.driverRemedy)
    }
    let removed = SluiceError(
      .disconnected, "read", session.device.title, because: "the device was removed",
      remedy: "connect it and start the recording again, or let --reconnect wait for it", errno: code)
    guard reconnection != nil else { throw removed }
    session.close()
    losses.add(.removed, at: epoch.now)
    losses.set(isAway: true)
    isDropping = false
    markGap()
    reconnection?.begin(removed)
  }

  private func isThere() throws(SluiceError) -> Bool {
    guard session.descriptor < 0 else { return true }
    guard let again = try reconnection?.reopened() else { return false }
    session = again
    newest = epoch.now
    losses.set(isAway: false)
    reconnection?.report(nil)
    return true
  }

  func finish(limit: Int, into batch: inout [Reading]) { takePending(limit, into: &batch) }

  func close() { session.close() }
}

/// Opens an input device, and opens it again after a removal.
struct InputSetup {
  let device: String
  let codes: [String]
  let hasInitialState: Bool
  let roots: DeviceRoots
  let request: DeviceRequest
  let whenRemoved: (@Sendable (SluiceError?) -> Void)?

  func session(like before: InputSession? = nil) throws(SluiceError) -> InputSession {
    let found = try InputDevice.find(device, roots: roots)
    let other = SluiceError(
      .unsupported, "go on with", found.title, because: "it came back with other keys or axes",
      remedy: "start the recording again")
    // A device without the wanted keys is there, and not one to wait for: another may have taken the number of its event.
    if before != nil { do throws(SluiceError) { _ = try found.codes(named: codes) } catch { throw other } }
    let session = try InputSession(found, codes: codes, roots, request)
    guard before.map({ $0.codes == session.codes && $0.slots == session.slots }) ?? true else { throw other }
    return session
  }
}

/// Calls read(2), because a method there has the same name.
private func readOnce(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, bytes.baseAddress, bytes.count)
}
