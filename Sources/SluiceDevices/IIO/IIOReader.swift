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
  private var bytes: [UInt8]
  private var kept = 0  // bytes of a scan that was not read whole

  /// Scans that one read takes at most.
  private static let batch = 1_024

  init(_ capture: IIOCapture, _ stream: StreamID, _ fifo: FIFOLevel, _ teardown: DispatchGroup) {
    self.capture = capture
    self.stream = stream
    self.fifo = fifo
    self.teardown = teardown
    bytes = Array(repeating: 0, count: capture.layout.size * Self.batch)
    teardown.enter()
  }

  var descriptors: [Int32] { [capture.descriptor] }
  var timeout: Int32 { -1 }
  var gathering: Int32 { 0 }  // the watermark does it

  func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError) {
    guard ready.first == true else { return }
    let size = capture.layout.size
    let wanted = min(limit, Self.batch) * size - kept
    let kept = kept
    let count = bytes.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map { Glibc.read(capture.descriptor, $0 + kept, wanted) } ?? 0
    }
    guard count >= 0 else {
      let code = errno
      if code == EAGAIN || code == EINTR { return }
      throw failure(code)
    }
    // A kernel FIFO gives whole scans; whoever else feeds the descriptor may not.
    let filled = kept + count
    if count == 0 { throw failure(ENODEV) }
    fifo.add(read: filled / size, of: min(limit, Self.batch))
    bytes.withUnsafeBytes { buffer in
      for start in stride(from: 0, through: filled - size, by: size) {
        batch.append(reading(UnsafeRawBufferPointer(rebasing: buffer[start..<start + size])))
      }
    }
    self.kept = filled % size
    if self.kept > 0 { bytes.replaceSubrange(0..<self.kept, with: Array(bytes[filled - self.kept..<filled])) }
  }

  private func reading(_ scan: UnsafeRawBufferPointer) -> Reading {
    let time =
      switch capture.layout.time(scan) {
      case nil: epoch.now
      case let time? where capture.isMonotonic: epoch.time(monotonic: UInt64(bitPattern: time))
      case let time?: time
      }
    return Reading(time: time, stream: stream, values: capture.layout.values(scan))
  }

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
