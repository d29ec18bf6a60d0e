import Dispatch
import SluiceRecording

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// Makes readings of the scans of a buffer.
final class IIOReader: DescriptorReader {
  private let capture: IIOCapture
  private let stream: StreamID
  private let fifo: FIFOLevel
  private let teardown: DispatchGroup
  private let epoch = EpochClock()
  private let decoder: ScanDecoder
  private let bytes: UnsafeMutableRawBufferPointer
  private var kept = 0  // bytes of a scan that was not read whole

  init(_ capture: IIOCapture, _ stream: StreamID, _ fifo: FIFOLevel, _ teardown: DispatchGroup) {
    self.capture = capture
    self.stream = stream
    self.fifo = fifo
    self.teardown = teardown
    decoder = ScanDecoder(capture.layout)
    bytes = .allocate(byteCount: capture.layout.size * DescriptorSource.batchLimit, alignment: 8)
    teardown.enter()
  }

  deinit { bytes.deallocate() }

  var descriptors: [Int32] { [capture.descriptor] }
  var timeout: Int32 { -1 }
  var gathering: Int32 { 0 }  // the watermark does it

  func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError) {
    guard ready.first == true else { return }
    let size = decoder.size
    let wanted = min(limit * size, bytes.count) - kept
    guard let base = bytes.baseAddress else { return }
    let count = Glibc.read(capture.descriptor, base + kept, wanted)
    guard count >= 0 else {
      let code = errno
      if code == EAGAIN || code == EINTR { return }
      throw failure(code)
    }
    if count == 0 { throw failure(ENODEV) }
    // A kernel FIFO gives whole scans; whoever else feeds the descriptor may not.
    let filled = kept + count
    kept = filled % size
    fifo.add(read: filled / size, of: min(limit, DescriptorSource.batchLimit))
    let (stream, epoch, isMonotonic) = (stream, epoch, capture.isMonotonic)
    decoder.decode(UnsafeRawBufferPointer(start: base, count: filled)) { time, values in
      let time =
        switch time {
        case nil: epoch.now
        case let time? where isMonotonic: epoch.time(monotonic: UInt64(bitPattern: time))
        case let time?: time
        }
      batch.append(Reading(time: time, stream: stream, values: values))
    }
    if kept > 0 { memmove(base, base + filled - kept, kept) }
  }

  func finish(limit: Int, into batch: inout [Reading]) {}

  private func failure(_ code: Int32) -> SluiceError {
    guard code == ENODEV else {
      return SluiceError("read", "\(capture.device.name) (\(capture.device.id))", errno: code)
    }
    return SluiceError(
      .disconnected, "read", "\(capture.device.name) (\(capture.device.id))", because: "the device was removed",
      remedy: "connect it again and start anew", errno: code)
  }

  func close() {
    capture.tearDown()
    teardown.leave()
  }
}
