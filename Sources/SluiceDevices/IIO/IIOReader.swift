import Dispatch
import SluiceRecording

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// Makes readings of the scans of a buffer.
final class IIOReader: DescriptorReader {
  private let connection: IIOConnection<IIOCapture>
  private let stream: StreamID
  private let fifo: FIFOLevel
  private let losses: DeviceLosses
  private let teardown: DispatchGroup
  private let epoch: EpochClock
  private let decoder: ScanDecoder
  private let bytes: UnsafeMutableRawBufferPointer
  private var kept = 0  // bytes of a scan that was not read whole
  private var timing: ScanTiming
  private var gap = false  // before the next scan, whatever its time

  init(
    _ connection: IIOConnection<IIOCapture>, _ stream: StreamID, _ fifo: FIFOLevel, _ losses: DeviceLosses,
    _ teardown: DispatchGroup, _ epoch: EpochClock = EpochClock()
  ) {
    self.epoch = epoch
    self.connection = connection
    self.stream = stream
    self.fifo = fifo
    self.losses = losses
    self.teardown = teardown
    let capture = connection.session
    decoder = ScanDecoder(capture.layout)
    bytes = .allocate(byteCount: capture.layout.size * DescriptorSource.batchLimit, alignment: 8)
    timing = ScanTiming(rate: capture.isTimed ? capture.rate : nil)
    teardown.enter()
  }

  deinit { bytes.deallocate() }

  var descriptors: [Int32] { connection.descriptors }
  var timeout: Int32 { connection.timeout }
  var gathering: Int32 { 0 }  // the watermark does it
  var capacity: Int { fifo.capacity }

  func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError) {
    guard try connection.isThere() else { return }
    let size = decoder.size
    let wanted = UnsafeMutableRawBufferPointer(rebasing: bytes[kept..<min(limit * size, bytes.count)])
    guard let count = try connection.read(into: wanted, wasReady: ready.first == true) else { return interrupt() }
    // A kernel FIFO gives whole scans; whoever else feeds the descriptor may not.
    let filled = kept + count
    kept = filled % size
    fifo.add(read: filled / size, of: min(limit, DescriptorSource.batchLimit))
    decode(UnsafeRawBufferPointer(rebasing: bytes[..<filled]), into: &batch)
    if kept > 0, let base = bytes.baseAddress { memmove(base, base + filled - kept, kept) }
  }

  private func decode(_ scans: UnsafeRawBufferPointer, into batch: inout [Reading]) {
    let (epoch, isMonotonic, losses) = (epoch, connection.session.isMonotonic, losses)
    var (timing, gap) = (timing, gap)
    decoder.decode(scans, of: stream, into: &batch) { reading, time in
      if gap { reading.flags = .gapBefore }
      gap = false
      guard let time else {
        reading.time = epoch.now
        return
      }
      reading.time = isMonotonic ? epoch.time(monotonic: UInt64(bitPattern: time)) : time
      if timing.add(reading.time, lost: { losses.add(.late, $0, at: $1) }) { reading.flags = .gapBefore }
    }
    (self.timing, self.gap) = (timing, gap)
  }

  /// The device was removed.
  private func interrupt() {
    losses.add(.removed, at: epoch.now)
    timing.interrupt { losses.add(.late, $0, at: $1) }
    (kept, gap) = (0, true)
  }

  func finish(limit: Int, into batch: inout [Reading]) {}

  func close() {
    timing.interrupt { losses.add(.late, $0, at: $1) }
    connection.close()
    teardown.leave()
  }
}
