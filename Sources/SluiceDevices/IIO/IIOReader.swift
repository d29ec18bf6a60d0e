import Dispatch
import SluiceRecording

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// Makes readings of the scans of a buffer.
final class IIOReader: DescriptorReader {
  private var capture: IIOCapture
  private let setup: IIOSetup
  private let stream: StreamID
  private let fifo: FIFOLevel
  private let losses: DeviceLosses
  private let teardown: DispatchGroup
  private let epoch = EpochClock()
  private let decoder: ScanDecoder
  private let bytes: UnsafeMutableRawBufferPointer
  private var kept = 0  // bytes of a scan that was not read whole
  private var timing: ScanTiming
  private let slot: DescriptorSlot
  private var isAway = false
  private var gap = false  // before the next scan, whatever its time

  init(
    _ capture: IIOCapture, _ setup: IIOSetup, _ stream: StreamID, _ fifo: FIFOLevel, _ losses: DeviceLosses,
    _ teardown: DispatchGroup
  ) {
    self.capture = capture
    self.setup = setup
    self.stream = stream
    self.fifo = fifo
    self.losses = losses
    self.teardown = teardown
    decoder = ScanDecoder(capture.layout)
    bytes = .allocate(byteCount: capture.layout.size * DescriptorSource.batchLimit, alignment: 8)
    timing = ScanTiming(rate: capture.isTimed ? capture.rate : nil)
    slot = DescriptorSlot(capture.takeDescriptor())
    teardown.enter()
  }

  deinit { bytes.deallocate() }

  var descriptors: [Int32] { [slot.descriptor] }
  /// A device that was removed wakes those who wait for it, and then does not become readable (`iio_buffer_poll` in
  /// drivers/iio/industrialio-buffer.c): only a read tells. While it is away, somebody has to look for it.
  var timeout: Int32 { isAway ? 200 : 1_000 }
  var gathering: Int32 { 0 }  // the watermark does it

  func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError) {
    if isAway {
      guard try comesBack() else { return }
    }
    let size = decoder.size
    let wanted = min(limit * size, bytes.count) - kept
    guard let base = bytes.baseAddress else { return }
    let count = Glibc.read(slot.descriptor, base + kept, wanted)
    if count < 0 { return try failed(errno) }
    if count == 0 { return ready.first == true ? try failed(ENODEV) : () }
    // A kernel FIFO gives whole scans; whoever else feeds the descriptor may not.
    let filled = kept + count
    kept = filled % size
    fifo.add(read: filled / size, of: min(limit, DescriptorSource.batchLimit))
    decode(UnsafeRawBufferPointer(start: base, count: filled), into: &batch)
    if kept > 0 { memmove(base, base + filled - kept, kept) }
  }

  private func decode(_ scans: UnsafeRawBufferPointer, into batch: inout [Reading]) {
    let (stream, epoch, isMonotonic, losses) = (stream, epoch, capture.isMonotonic, losses)
    var (timing, gap) = (timing, gap)
    decoder.decode(scans) { time, values in
      var flags: Reading.Flags = gap ? .gapBefore : []
      gap = false
      guard let time else {
        batch.append(Reading(time: epoch.now, stream: stream, values: values, flags: flags))
        return
      }
      let reading = isMonotonic ? epoch.time(monotonic: UInt64(bitPattern: time)) : time
      if timing.add(reading, lost: { losses.add(.late, $0, at: $1) }) { flags = .gapBefore }
      batch.append(Reading(time: reading, stream: stream, values: values, flags: flags))
    }
    (self.timing, self.gap) = (timing, gap)
  }

  func finish(limit: Int, into batch: inout [Reading]) {}

  // MARK: Removal

  private func failed(_ code: Int32) throws(SluiceError) {
    if code == EAGAIN || code == EINTR { return }
    let name = "\(capture.device.name) (\(capture.device.id))"
    guard code == ENODEV else { throw SluiceError("read", name, errno: code, remedy: "see what dmesg says of it") }
    guard setup.options.reconnects else {
      throw SluiceError(
        .disconnected, "read", name, because: "the device was removed",
        remedy: "connect it again and start anew, or let --reconnect wait for it", errno: code)
    }
    losses.add(.removed, at: epoch.now)
    timing.interrupt { losses.add(.late, $0, at: $1) }
    kept = 0
    isAway = true
    try slot.empty()
    capture.tearDown()
  }

  /// Sets the device up as it was, once it is there.
  private func comesBack() throws(SluiceError) -> Bool {
    guard let again = try setup.capture(like: capture) else { return false }
    try slot.put(again.takeDescriptor())
    capture = again
    (isAway, gap) = (false, true)
    return true
  }

  func close() {
    timing.interrupt { losses.add(.late, $0, at: $1) }
    slot.close()
    capture.tearDown()
    teardown.leave()
  }
}
