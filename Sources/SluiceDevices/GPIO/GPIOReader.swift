#if SLUICE_GPIO
  import CGPIO
  import Dispatch
  import SluiceRecording

  #if canImport(Glibc)
    @preconcurrency import Glibc
  #elseif canImport(Musl)
    @preconcurrency import Musl
  #endif

  /// Makes readings of the edges of a request.
  final class GPIOReader: DescriptorReader {
    private struct Line {
      let stream: StreamID
      var loss: EdgeLoss
    }

    /// As long as a loaded board keeps the interrupt thread waiting: 20 ms was too short for a debug build on the virtual
    /// board.
    private static let window: UInt64 = 50_000_000

    private let request: GPIORequest
    private let losses: DeviceLosses
    private let fifo: FIFOLevel
    private let epoch = EpochClock()
    private var lines: [Line] = []
    private var places: [UInt32: Int] = [:]  // in `lines`, by offset
    private var edges = Array(repeating: cgpio_edge(), count: 256)
    private var ordering = EdgeOrdering<cgpio_edge>(window: window)
    private var pause: EdgeGathering
    private let teardown: DispatchGroup
    let descriptors: [Int32]

    init(
      _ request: GPIORequest, _ base: StreamID, _ losses: DeviceLosses, _ fifo: FIFOLevel,
      _ teardown: DispatchGroup
    ) {
      self.request = request
      self.losses = losses
      self.fifo = fifo
      self.teardown = teardown
      descriptors = request.descriptors
      pause = EdgeGathering(capacity: request.capacity)
      for (index, line) in request.lines.enumerated() {
        places[line.offset] = index
        lines.append(
          Line(
            stream: StreamID(base.index &+ UInt16(truncatingIfNeeded: index)),
            loss: EdgeLoss(alternates: request.options.edges == .both)))
      }
      teardown.enter()
    }

    /// Edges that are held back are looked at again when they are old enough.
    var timeout: Int32 { ordering.wait.map { Int32(clamping: $0 / 1_000_000 + 1) } ?? -1 }

    var gathering: Int32 { Int32(clamping: pause.milliseconds) }

    func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError) {
      var (most, newest) = (0, UInt64(0))
      for index in ready.indices where ready[index] {
        let count = request.read(index, into: &edges, limit: limit)
        if count < 0, errno == EAGAIN || errno == EINTR { return }  // poll(2) says when there is something
        guard count >= 0 else { throw failure() }
        fifo.add(read: count, of: min(limit, edges.count), most: edges.count)
        most = max(most, count)
        for edge in edges[..<count] {
          newest = max(newest, edge.time_ns)
          if lines.count == 1 {
            append(edge, to: &batch)
          } else {
            ordering.add(edge, time: edge.time_ns, number: edge.seqno)
          }
        }
      }
      pause.read(most, newest: newest, isAll: most < min(limit, edges.count))
      if most == 0, let wait = ordering.wait { ordering.advance(by: wait) }
      ordering.take(limit: limit) { append($0, to: &batch) }
    }

    func finish(limit: Int, into batch: inout [Reading]) {
      ordering.advance(by: .max)
      ordering.take(limit: limit) { append($0, to: &batch) }
    }

    private func append(_ edge: cgpio_edge, to batch: inout [Reading]) {
      guard let place = places[edge.offset] else { return }
      let finding = lines[place].loss.check(rising: edge.rising, seqno: edge.line_seqno)
      let time =
        request.options.clock == .realtime
        ? Int64(truncatingIfNeeded: edge.time_ns) : epoch.time(monotonic: edge.time_ns)
      losses.add(.skipped, finding.skipped, at: time)
      if finding.repeated { losses.add(.repeated, at: time) }
      batch.append(
        Reading(
          time: time, stream: lines[place].stream, values: Values(edge.rising ? 1 : 0),
          flags: finding.skipped > 0 || finding.repeated ? .gapBefore : []))
    }

    private func failure() -> SluiceError {
      let code = errno
      guard code == ENODEV || code == EIO || code == EBADF else {
        return SluiceError("read", request.chipName, errno: code)
      }
      return SluiceError(
        .disconnected, "read", request.chipName, because: "the chip was removed",
        remedy: "connect it again and start anew",
        errno: code)
    }

    func close() {
      request.release()
      teardown.leave()
    }
  }
#endif
