import SluiceReadings
import SluiceSystem

/// Makes readings from the events of an input device.
final class InputEventReader: DescriptorReader {
  private let connection: DeviceConnection<InputSession>
  private let base: StreamID
  private let epoch: EpochClock
  private let places: [InputCode: Int]
  private var gaps: GapFlags
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

  /// `struct input_event`. The time is two words of the kernel's `long`.
  private struct Event {
    var seconds, microseconds: Int
    var type, code: UInt16
    var value: Int32
  }

  static var size: Int { MemoryLayout<Event>.size }

  init(_ session: InputSession, _ setup: InputSetup, _ losses: DeviceLosses, _ base: StreamID, _ epoch: EpochClock) {
    (self.base, self.epoch, newest) = (base, epoch, epoch.now)
    connection = DeviceConnection(
      session, losses, epoch,
      reconnection: setup.whenRemoved.map {
        // Its name is not there until it is.
        DeviceReconnection(report: $0, isAbsence: { $0.code == .notFound }) { () throws(SluiceError) in
          try setup.session(like: session)
        }
      })
    places = Dictionary(uniqueKeysWithValues: session.codes.enumerated().map { ($1, $0) })
    gaps = GapFlags(streams: session.codes.count)
    last = Array(repeating: [:], count: session.codes.count)
    slot = session.slot
    // After a loss, the states are compared with these.
    for state in session.states() { last[state.place][state.slot] = state.value }
    if setup.hasInitialState { asksForStates = .initialLevel }
  }

  deinit { bytes.deallocate() }

  private var session: InputSession { connection.session }
  var descriptors: [Int32] { connection.descriptors }
  var timeout: Int32 { connection.timeout(asksForStates != nil || !pending.isEmpty ? 0 : -1) }
  /// The kernel keeps eight packets of the device at least (`evdev_compute_buffer_size` in drivers/input/evdev.c).
  var capacity: Int { 4_096 }

  func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError) {
    let wasAway = connection.isAway
    guard try connection.isThere() else { return }
    if wasAway { newest = epoch.now }
    if !pending.isEmpty { return finish(limit: limit, into: &batch) }
    let wanted = UnsafeMutableRawBufferPointer(rebasing: bytes[..<min(limit * Self.size, bytes.count)])
    guard let count = try connection.read(into: wanted, wasReady: ready.first == true) else {
      isDropping = false
      return markGap()
    }
    for start in stride(from: 0, through: count - Self.size, by: Self.size) {
      take(wanted.loadUnaligned(fromByteOffset: start, as: Event.self), into: &batch)
    }
    if let flags = asksForStates, !isDropping, count < wanted.count {
      askForStates(flags)
      finish(limit: limit - batch.count, into: &batch)
    }
  }

  private func take(_ event: Event, into batch: inout [Reading]) {
    let nanoseconds = Int64(event.seconds) &* 1_000_000_000 &+ Int64(event.microseconds) &* 1_000
    let time = epoch.time(monotonic: UInt64(bitPattern: nanoseconds))
    newest = max(newest, time)
    guard event.type > 0 else { return synchronise(event.code, at: time) }
    guard !isDropping, let type = InputEventType(rawValue: event.type) else { return }
    let code = InputCode(type: type, number: event.code)
    if code == .slot { slot = event.value }
    if let place = places[code] { batch.append(reading(time, place, code.isOfContact ? slot : 0, event.value)) }
  }

  /// EV_SYN: SYN_REPORT ends a packet. SYN_DROPPED says that the kernel's queue was full.
  private func synchronise(_ number: UInt16, at time: Int64) {
    if number == 3 {
      connection.losses.add(.full, at: time)
      isDropping = true
      markGap()
    } else if number == 0 {
      isDropping = false
    }
  }

  private func markGap() {
    gaps.mark()
    asksForStates = asksForStates ?? []
  }

  private func reading(_ time: Int64, _ place: Int, _ slot: Int32, _ value: Int32) -> Reading {
    last[place][slot] = value
    var values = Values(Int64(value))
    if session.slots > 0, session.codes[place].isOfContact { values.append(ExactDecimal(significand: Int64(slot))) }
    return Reading(
      time: time, stream: StreamID(base.index &+ UInt16(truncatingIfNeeded: place)), values: values,
      flags: gaps.take(place) ? .gapBefore : [])
  }

  /// Makes readings of the states that differ from the last values, or of all states at the start.
  private func askForStates(_ flags: Reading.Flags) {
    asksForStates = nil
    slot = session.slot
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

  func finish(limit: Int, into batch: inout [Reading]) {
    batch += pending.prefix(limit)
    pending = pending.dropFirst(limit)
  }

  func close() { connection.close() }
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
