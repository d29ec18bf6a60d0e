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

    /// As long as a loaded board keeps the interrupt thread waiting: 20 ms was too short for a
    /// debug build on the virtual board.
    private static let window: UInt64 = 50_000_000

    private let request: GPIORequest
    private let losses: DeviceLosses
    private let fifo: FIFOLevel
    private let epoch = EpochClock()
    private var lines: [UInt32: Line] = [:]
    private var edges: [cgpio_edge]
    private var ordering = EdgeOrdering<cgpio_edge>(window: window)
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
      edges = Array(repeating: cgpio_edge(), count: 256)
      for (index, line) in request.lines.enumerated() {
        lines[line.offset] = Line(
          stream: StreamID(base.index &+ UInt16(truncatingIfNeeded: index)),
          loss: EdgeLoss(alternates: request.options.edges == .both))
      }
      teardown.enter()
    }

    /// Edges that are held back are looked at again when they are old enough.
    var timeout: Int32 { ordering.isEmpty ? -1 : 5 }

    /// One wake-up for all edges of 4 ms instead of one each: on the virtual board that is half the CPU time. With
    /// libgpiod 1 the kernel holds 16 edges a line, the edges of 4 ms at 4 kHz.
    var gathering: Int32 { 4 }

    func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError) {
      for index in ready.indices where ready[index] {
        let count = request.read(index, into: &edges, limit: limit)
        guard count >= 0 else { throw failure() }
        fifo.add(read: count, of: min(limit, edges.count))
        if lines.count == 1 {
          for edge in edges[..<count] { append(edge, to: &batch) }
        } else {
          for edge in edges[..<count] { ordering.add(edge, time: edge.time_ns, number: edge.seqno) }
        }
      }
      if ordering.isEmpty { return }
      for edge in ordering.take(olderThan: Self.now(), limit: limit) { append(edge, to: &batch) }
    }

    private func append(_ edge: cgpio_edge, to batch: inout [Reading]) {
      guard let finding = lines[edge.offset]?.loss.check(rising: edge.rising, seqno: edge.line_seqno),
        let stream = lines[edge.offset]?.stream
      else { return }
      losses.add(skipped: finding.skipped, repeated: finding.repeated ? 1 : 0)
      let time =
        request.options.clock == .realtime
        ? Int64(truncatingIfNeeded: edge.time_ns) : epoch.time(monotonic: edge.time_ns)
      batch.append(
        Reading(
          time: time, stream: stream, values: Values(edge.rising ? 1 : 0),
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

    private static func now() -> UInt64 {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    func close() {
      request.release()
      teardown.leave()
    }
  }
#endif
