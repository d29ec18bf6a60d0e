#if SLUICE_GPIO
  import CGPIO
  import SluiceReadings
  import SluiceSystem

  /// Makes readings from the edges of a request. With a reconnection, it makes the next request when a removed chip is
  /// back.
  final class GPIOReader: DescriptorReader {
    private struct Line {
      let stream: StreamID
      var loss: EdgeLoss
      /// The level at the request, until the first edge; nil if it is not known.
      var initialLevel: Bool?
      /// Whether the chip was away before the next reading of the line.
      var isAfterRemoval = false
    }

    private struct Edge {
      let edge: cgpio_edge
      let source: Int
      /// Whether the kernel's FIFO was full before it, and may have lost edges that nothing else shows.
      let isAfterFull: Bool
    }

    /// The longest delay of the interrupt thread on a loaded board. 20 ms was too short for a debug build on the
    /// virtual board.
    private static let window: UInt64 = 50_000_000

    private var request: GPIORequest
    private var reconnection: DeviceReconnection<GPIORequest>?
    private let losses: DeviceLosses
    private let fifo: FIFOLevel
    private let epoch: EpochClock
    private var lines: [Line] = []
    private var places: [UInt32: Int] = [:]  // indices in `lines`, by offset
    private var edges: [cgpio_edge]
    private var ordering: EdgeOrdering<Edge>
    private var held: [Int] = []  // the number of edges in `ordering`, by descriptor
    private var fullness: [FIFOFullness] = []  // of each descriptor
    private var isAfterFull: [Bool] = []  // whether the next edge follows a full FIFO, by descriptor
    private var gaps = NumberGaps()
    private var skipped = 0  // the part of `gaps` that lines show
    private var pause: EdgeGathering
    private var initialLevels: Range<Int> = 0..<0  // the part of `lines` whose initial levels are not published yet
    private var removal: SluiceError?  // set while there is no request
    private(set) var descriptors: [Int32] = []

    init(
      _ request: GPIORequest, _ base: StreamID, _ losses: DeviceLosses, _ fifo: FIFOLevel,
      _ epoch: EpochClock = EpochClock(), reconnection: DeviceReconnection<GPIORequest>? = nil
    ) {
      self.epoch = epoch
      self.request = request
      self.reconnection = reconnection
      self.losses = losses
      self.fifo = fifo
      pause = EdgeGathering(capacity: request.capacity)
      edges = Array(repeating: cgpio_edge(), count: request.batchLimit)
      ordering = Self.ordering(of: request)
      for index in request.lines.indices {
        lines.append(
          Line(
            stream: StreamID(base.index &+ UInt16(truncatingIfNeeded: index)),
            loss: EdgeLoss(alternates: request.options.edges == .both)))
      }
      begin()
    }

    /// Resets the numbers for a new request.
    private func begin() {
      descriptors = request.descriptors
      held = descriptors.map { _ in 0 }
      fullness = descriptors.map { _ in FIFOFullness(capacity: request.capacity) }
      isAfterFull = descriptors.map { _ in false }
      (gaps, skipped) = (NumberGaps(), 0)
      ordering = Self.ordering(of: request)
      initialLevels = 0..<(request.initial?.levels.count ?? 0)
      places.removeAll()
      for (index, line) in request.lines.enumerated() {
        places[line.offset] = index
        // Times of a hardware engine cannot be compared with other times.
        lines[index].initialLevel = request.options.clock == .hte ? nil : request.levels?.levels[index]
        lines[index].loss = EdgeLoss(alternates: request.options.edges == .both)
      }
    }

    private static func ordering(of request: GPIORequest) -> EdgeOrdering<Edge> {
      EdgeOrdering(window: window, byNumber: request.options.clock == .realtime)
    }

    /// The time between checks of a chip without edges, in milliseconds. Kernels without `linereq_unregistered_notify`
    /// (drivers/gpio/gpiolib-cdev.c) do not wake a poll(2) for edges when the chip is removed.
    private static let idlePeriod: Int32 = 1_000

    /// The timeout of poll(2): held edges are checked again when they are old enough.
    var timeout: Int32 {
      if !initialLevels.isEmpty { return 0 }
      if let wait = ordering.wait { return wait == 0 ? 0 : Int32(clamping: wait / 1_000_000 + 1) }
      if removal != nil { return reconnection?.period ?? 0 }
      return Self.idlePeriod
    }

    /// The edges that the kernel keeps for all descriptors.
    var capacity: Int { request.capacity * max(1, descriptors.count) }

    var gathering: Int32 { removal == nil ? Int32(clamping: pause.milliseconds) : 0 }

    func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError) {
      guard initialLevels.isEmpty else { return appendInitialLevels(limit: limit, to: &batch) }
      if let removal, ordering.wait == nil { return try reopen(removal) }
      var (most, newest, isAll) = (0, UInt64(0), true)
      let isDue = ordering.isDue
      for index in ready.indices where ready[index] {
        // The oldest edges of all are among the oldest of each descriptor. If an edge is due, reading more than these
        // would let edges pile up. Before that, only a read can make an edge due.
        let room = min(isDue ? limit - min(limit, held[index]) : limit, edges.count)
        if room == 0 { continue }
        fullness[index].begin(at: request.now)
        let count = request.read(index, into: &edges, limit: room)
        if count < 0, errno == EAGAIN || errno == EINTR { continue }  // poll(2) will report new edges
        guard count >= 0 else {
          leave(request.failure(errno, "read"))
          break
        }
        fifo.add(read: count, of: room, most: edges.count)
        most = max(most, count)
        if count == room { isAll = false }
        for edge in edges[..<count] {
          newest = max(newest, edge.time_ns)
          let edge = Edge(edge: edge, source: index, isAfterFull: isAfterFull[index])
          look(edge)
          if lines.count == 1 {
            append(edge, to: &batch)
          } else {
            let number = edge.edge.seqno
            if request.hasNumbers { gaps.add(number) }
            ordering.add(edge, time: edge.edge.time_ns, number: request.hasNumbers ? number : nil)
            held[index] += 1
          }
        }
        fullness[index].end(isEmpty: count < room)
      }
      pause.read(most, newest: newest, isAll: isAll)
      if let wait = ordering.wait {
        if most == 0 { ordering.advance(by: wait) }
      } else if !ready.contains(true) {
        checkChip()
      }
      take(limit: limit, to: &batch)
    }

    /// Checks whether the FIFO was full when this edge was its newest. Without numbers, only this shows its losses: the
    /// FIFO drops new edges (`lineevent_irq_thread` in drivers/gpio/gpiolib-cdev.c), so the gap is after this edge.
    /// With numbers, it drops the oldest (`linereq_put_event`), and the numbers show the place.
    private func look(_ edge: Edge) {
      let finding = fullness[edge.source].take(time: edge.edge.time_ns)
      isAfterFull[edge.source] = finding != nil && !request.hasNumbers
      if finding == .first { losses.add(.full, at: time(edge.edge.time_ns)) }
    }

    private func take(limit: Int, to batch: inout [Reading]) {
      ordering.take(limit: limit - min(limit, batch.count)) { next in
        held[next.source] -= 1
        append(next, to: &batch)
      }
    }

    func finish(limit: Int, into batch: inout [Reading]) {
      appendInitialLevels(limit: limit, to: &batch)
      ordering.advance(by: .max)
      take(limit: limit, to: &batch)
    }

    private func appendInitialLevels(limit: Int, to batch: inout [Reading]) {
      guard let initial = request.initial else { return }
      for index in initialLevels.prefix(limit) {
        append(initial.levels[index], at: time(initial.time), flags: .initialLevel, of: index, to: &batch)
        initialLevels.removeFirst()
      }
    }

    private func append(_ taken: Edge, to batch: inout [Reading]) {
      let edge = taken.edge
      guard let place = places[edge.offset] else { return }
      let seqno = request.hasNumbers ? edge.line_seqno : nil
      if let level = lines[place].initialLevel, let levels = request.levels {
        let isPublished = request.initial != nil
        if isPublished, edge.time_ns < levels.time { return lines[place].loss.pass(seqno: seqno) }
        lines[place].initialLevel = nil
        // A level may be read before the interrupt of the edge that made this level.
        let isRight = edge.time_ns > levels.end + Self.window
        lines[place].loss.begin(level: isPublished || isRight ? level : nil, isRight: isRight && !request.hasNumbers)
        // The edge came while the levels were read, but before the level of its line was read.
        if isPublished, edge.time_ns <= levels.end, edge.rising == level {
          return lines[place].loss.pass(seqno: seqno)
        }
      }
      let finding = lines[place].loss.check(rising: edge.rising, time: edge.time_ns, seqno: seqno)
      let time = time(edge.time_ns)
      losses.add(.skipped, finding.skipped, at: time)
      skipped += finding.skipped
      if finding.mismatched { losses.add(.mismatched, at: time) }
      if finding.repeated { losses.add(.repeated, at: time) }
      var flags: Reading.Flags = finding.repeated ? [.gapBefore, .uncertainLevel] : []
      if finding.skipped > 0 || taken.isAfterFull { flags.insert(.gapBefore) }
      append(edge.rising, at: time, flags: flags, of: place, to: &batch)
    }

    private func append(
      _ level: Bool, at time: Int64, flags: Reading.Flags, of place: Int, to batch: inout [Reading]
    ) {
      var flags = flags
      if lines[place].isAfterRemoval {
        flags.insert(.gapBefore)
        lines[place].isAfterRemoval = false
      }
      batch.append(Reading(time: time, stream: lines[place].stream, values: Values(level ? 1 : 0), flags: flags))
    }

    private func time(_ nanoseconds: UInt64) -> Int64 {
      request.options.clock == .realtime
        ? Int64(truncatingIfNeeded: nanoseconds) : epoch.time(monotonic: nanoseconds)
    }

    // MARK: Removal

    private func checkChip() {
      do throws(SluiceError) { try request.check() } catch { leave(error) }
    }

    /// Notes that the chip was removed. Held edges are passed on first.
    private func leave(_ error: SluiceError) {
      removal = error
      if reconnection != nil, error.code == .disconnected { losses.set(isAway: true) }
      descriptors = []
      ordering.advance(by: .max)
    }

    /// Ends the stream, or tries to open the chip again every period, after the held edges were passed on.
    private func reopen(_ error: SluiceError) throws(SluiceError) {
      guard reconnection != nil, error.code == .disconnected else { throw error }
      if request.isOpen {
        countAtTheEnd()
        request.release()
        for index in lines.indices { lines[index].isAfterRemoval = true }
        reconnection?.begin(error, losses, at: epoch.now)
      }
      guard let again = try reconnection?.reopened() else { return }
      request = again
      guard request.lines.count == lines.count else {
        throw SluiceError(
          .failed, "go on with", request.chipName, because: "it has come back with other lines",
          remedy: "start the recording again")
      }
      removal = nil
      begin()
      reconnection?.end(losses)
    }

    /// Counts the losses that show only when no edge of the request is still to come.
    private func countAtTheEnd() {
      losses.add(.unassigned, gaps.missing - skipped, at: epoch.now)
      guard let now = request.now else { return }
      for index in lines.indices where lines[index].loss.settle(at: now, after: Self.window) {
        losses.add(.mismatched, at: epoch.now)
      }
    }

    func close() {
      // These edges are dropped, but their numbers are not missing.
      var rest: [Reading] = []
      finish(limit: .max, into: &rest)
      if request.isOpen { countAtTheEnd() }
      request.release()
    }
  }
#endif
