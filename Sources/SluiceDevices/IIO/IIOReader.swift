import SluiceReadings
import SluiceSystem

/// Makes readings from the scans of a buffer.
final class IIOReader: DescriptorReader {
  private let connection: DeviceConnection<IIOCapture>
  private let stream: StreamID
  private let fifo: FIFOLevel
  private var losses: DeviceLosses { connection.losses }
  private let epoch: EpochClock
  private let decoder: ScanDecoder
  private let bytes: UnsafeMutableRawBufferPointer
  private var kept = 0  // the bytes of an incomplete scan
  private let hasTimes: Bool
  private var timing: ScanTiming
  private var gap = false  // whether the next scan follows a gap, whatever its time
  private var overflow: ScanOverflow
  private var times: ScanTimes  // for scans without times
  private var scanGathering: ScanGathering?
  private let now: () -> UInt64

  /// - Parameter now: The time in nanoseconds by a clock that is never set back.
  init(
    _ connection: DeviceConnection<IIOCapture>, _ stream: StreamID, _ fifo: FIFOLevel,
    _ epoch: EpochClock = EpochClock(),
    now: @escaping () -> UInt64 = { kernelTime(CLOCK_MONOTONIC) }
  ) {
    self.epoch = epoch
    self.now = now
    self.connection = connection
    self.stream = stream
    self.fifo = fifo
    let capture = connection.session
    decoder = ScanDecoder(capture.layout)
    bytes = .allocate(byteCount: capture.layout.size * DescriptorSource.batchLimit, alignment: 8)
    hasTimes = capture.layout.timestamp != nil
    timing = ScanTiming(rate: capture.isTimed ? capture.rate : nil)
    overflow = ScanOverflow(
      capacity: capture.isSoftware ? fifo.capacity : 0, findsGaps: capture.layout.timestamp == nil)
    times = ScanTimes(rate: capture.isTimed ? capture.rate : nil, from: epoch.time(monotonic: capture.began))
    scanGathering = capture.gathering
  }

  deinit { bytes.deallocate() }

  var descriptors: [Int32] { connection.descriptors }

  /// The timeout of poll(2), because scans below the watermark do not wake it.
  var timeout: Int32 {
    guard let scanGathering, !connection.isAway else { return connection.idleTimeout }
    return min(connection.idleTimeout, scanGathering.timeout(at: now()))
  }

  var gathering: Int32 { scanGathering?.pause(at: now()) ?? 0 }
  var capacity: Int { fifo.capacity }

  func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError) {
    let wasAway = connection.isAway
    guard try connection.isThere() else { return }
    if wasAway {
      times.begin(at: epoch.time(monotonic: connection.session.began))
      scanGathering = connection.session.gathering
    }
    let began = now()
    let size = decoder.size
    let wanted = UnsafeMutableRawBufferPointer(rebasing: bytes[kept..<min(limit * size, bytes.count)])
    let moment = hasTimes ? 0 : epoch.now
    guard let count = try connection.read(into: wanted, wasReady: ready.first == true) else { return interrupt() }
    // A FIFO of the kernel gives whole scans. Another source of the descriptor may not.
    let filled = kept + count
    kept = filled % size
    let waiting = look(read: filled / size, of: min(limit, DescriptorSource.batchLimit))
    let scans = UnsafeRawBufferPointer(rebasing: bytes[..<filled])
    if hasTimes { decode(scans, into: &batch) } else { interpolate(scans, at: moment, waiting, into: &batch) }
    if kept > 0, let base = bytes.baseAddress { memmove(base, base + filled - kept, kept) }
    var ends: (Int64, Int64)?
    if hasTimes, let oldest = batch.first, let newest = batch.last { ends = (oldest.time, newest.time) }
    scanGathering?.read(filled / size, at: began, times: ends, isAll: count < wanted.count)
  }

  /// Notes the fill of the FIFO. A full read may have left scans behind. The kernel reports how many; few of them have
  /// come since the read.
  /// - Returns: The number of scans that the read left behind, as far as it is known.
  private func look(read count: Int, of limit: Int) -> Int {
    let waiting = count < limit ? 0 : connection.session.waiting
    if let waiting { fifo.add(level: count + waiting) } else { fifo.add(read: count, of: limit) }
    if overflow.read(count, waiting: waiting ?? 0) { losses.add(.full, at: epoch.now) }
    return waiting ?? 0
  }

  private func decode(_ scans: UnsafeRawBufferPointer, into batch: inout [Reading]) {
    let (epoch, isMonotonic, losses) = (epoch, connection.session.isMonotonic, losses)
    var (timing, gap) = (timing, gap)
    decoder.decode(scans, of: stream, into: &batch) { reading, time in
      if gap { reading.flags = .gapBefore }
      gap = false
      // The time is beyond 2^63.
      guard let time else {
        reading.time = epoch.now
        return
      }
      reading.time = isMonotonic ? epoch.time(monotonic: UInt64(bitPattern: time)) : time
      if timing.add(reading.time, lost: { losses.add(.late, $0, at: $1) }) { reading.flags = .gapBefore }
    }
    (self.timing, self.gap) = (timing, gap)
  }

  /// Makes readings from scans without times. If the times do not show the losses of a full FIFO, the scan after its
  /// content is flagged.
  private func interpolate(
    _ scans: UnsafeRawBufferPointer, at moment: Int64, _ waiting: Int, into batch: inout [Reading]
  ) {
    var (times, overflow, gap, rest) = (times, overflow, gap, scans.count / decoder.size)
    times.read(rest, waiting: waiting, at: moment, isHeld: overflow.isHeld)
    decoder.decode(scans, of: stream, into: &batch) { reading, _ in
      let isAfterFull = overflow.next()
      if isAfterFull { times.read(rest, waiting: waiting, at: moment, isHeld: overflow.isHeld) }
      if gap || isAfterFull { reading.flags = .gapBefore }
      (gap, rest) = (false, rest - 1)
      reading.time = times.next()
    }
    (self.times, self.overflow, self.gap) = (times, overflow, gap)
  }

  /// Notes that the device was removed.
  private func interrupt() {
    timing.interrupt { losses.add(.late, $0, at: $1) }
    overflow.interrupt()
    (kept, gap, scanGathering) = (0, true, nil)
  }

  func close() {
    timing.interrupt { losses.add(.late, $0, at: $1) }
    connection.close()
  }
}
