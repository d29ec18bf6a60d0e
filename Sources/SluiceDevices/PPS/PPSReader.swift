import SluiceReadings

/// Makes readings from the pulses of a device.
final class PPSReader: DescriptorReader {
  private let session: PPSSession
  private let losses: DeviceLosses
  private let base: StreamID
  private let now: () -> WallTimes.Look
  private var times: WallTimes
  /// By edge, the sequence number of the last one; nil before the first read.
  private var sequences: [UInt32?]

  init(
    _ session: PPSSession, _ losses: DeviceLosses, _ base: StreamID, _ clock: EpochClock,
    now: @escaping () -> WallTimes.Look = { .now }
  ) {
    (self.session, self.losses, self.base, self.now) = (session, losses, base, now)
    times = WallTimes(clock, now: now())
    sequences = session.edges.map { _ in nil }
  }

  /// No `poll(2)`: many versions of Linux always say that there is a pulse to read (`pps_cdev_poll` in
  /// drivers/pps/pps.c). So a read waits, but not for long, because a cancel waits for it.
  var descriptors: [Int32] { [] }
  var timeout: Int32 { 0 }
  var capacity: Int { session.edges.count }
  /// The longest wait, in milliseconds. It is the longest time between two looks at the wall clock, too.
  private static var wait: Int32 { 100 }

  func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError) {
    guard var fetched = try session.fetch(waiting: 0) else { return }
    if !hasNew(fetched) {
      // The next edge may have come between the two requests. The second one does not return it, so a third one
      // follows.
      var later = try session.fetch(waiting: Self.wait)
      if later == nil { later = try session.fetch(waiting: 0) }
      fetched = later ?? fetched
    }
    times.look(now())
    // The kernel keeps the last edge of each kind.
    let edges = session.edges.enumerated().sorted { fetched.time($0.element) < fetched.time($1.element) }
    for (place, edge) in edges where batch.count < limit { take(fetched, edge, place, into: &batch) }
  }

  private func hasNew(_ fetched: PPSSession.Fetched) -> Bool {
    zip(session.edges, sequences).contains { fetched.sequence($0) != $1 }
  }

  private func take(_ fetched: PPSSession.Fetched, _ edge: PPSEdge, _ place: Int, into batch: inout [Reading]) {
    let sequence = fetched.sequence(edge)
    defer { sequences[place] = sequence }
    // The first edge was before the recording.
    guard let last = sequences[place], sequence != last else { return }
    let wall = fetched.time(edge)
    let (time, isUncertain) = times.time(wall)
    let lost = Int(sequence &- last &- 1)
    losses.add(.skipped, lost, at: time)
    let fraction = wall % 1_000_000_000
    var values = Values(Int64(sequence))
    values.append(ExactDecimal(significand: fraction < 500_000_000 ? fraction : fraction - 1_000_000_000))
    var flags: Reading.Flags = lost > 0 ? .gapBefore : []
    if isUncertain { flags.insert(.uncertainTime) }
    batch.append(
      Reading(
        time: time, stream: StreamID(base.index &+ UInt16(truncatingIfNeeded: place)), values: values, flags: flags))
  }

  func close() { session.close() }
}
