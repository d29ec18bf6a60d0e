import SluiceDevices
import SluiceReadings
import SluiceRecording

/// Decodes a dump of an IIO buffer.
final class RawScansDecoder: TraceDecoder {
  /// The number of scans per call of `fill()`.
  private static let batch = 512

  private let bytes: TraceBytes
  private let scans: ScanDecoder
  private let clock: ScanClock?
  private let warn: (String) -> Void
  private let buffer: UnsafeMutableRawBufferPointer
  private var start = 0  // the offset of the next scan in the buffer
  private var end = 0  // the end of the bytes that were read
  private var atEnd = false
  private var count: UInt64 = 0  // the number of decoded scans
  private var readings: [Reading] = []
  private var taken = 0  // the number of readings that were passed on
  private var failure: SluiceError?  // an error after the readings

  init(_ bytes: TraceBytes, _ scans: RawScans, stem: String, warn: @escaping (String) -> Void) {
    self.bytes = bytes
    self.scans = ScanDecoder(scans.scan)
    clock = scans.clock
    self.warn = warn
    buffer = .allocate(byteCount: max(64 << 10, scans.scan.size), alignment: 8)
    list = StreamList([StreamDescription(name: stem, channels: scans.channels)])
  }

  deinit { buffer.deallocate() }

  let list: StreamList
  var hasNext: Bool { taken < readings.count || failure != nil || atEnd || end - start >= scans.size || !mayWait }
  var mayWait: Bool { bytes.mayWait }

  func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
    var given = 0
    while given < target.count {
      if taken == readings.count {
        if failure != nil || (given > 0 && !hasNext) { break }
        do throws(SluiceError) { try fill() } catch { failure = error }
        if readings.isEmpty { break }
      }
      while taken < readings.count, given < target.count {
        target[given] = readings[taken]
        taken += 1
        given += 1
      }
    }
    if given == 0, let failure { throw failure }
    return given
  }

  /// Decodes the next scans. At the end of the file there are none.
  private func fill() throws(SluiceError) {
    readings.removeAll(keepingCapacity: true)
    taken = 0
    while end - start < scans.size {
      guard !atEnd else { return }
      if start > 0 {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[start..<end])
        buffer.copyMemory(from: rest)
        (start, end) = (0, end - start)
      }
      let count = try bytes.fill(UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
      end += count
      atEnd = count == 0
      if atEnd { sayRest() }
    }
    let size = min((end - start) / scans.size, Self.batch) * scans.size
    decode(UnsafeRawBufferPointer(rebasing: buffer[start..<start + size]))
    start += size
  }

  private func decode(_ bytes: UnsafeRawBufferPointer) {
    var good = 0
    var isGood = true
    let (clock, first) = (clock, count)
    scans.decode(bytes, of: StreamID(0), into: &readings) { reading, time in
      let time = clock.map { $0.time(of: first + UInt64(good)) } ?? time
      guard isGood, let time else {
        isGood = false
        return
      }
      reading.time = time
      good += 1
    }
    count += UInt64(good)
    guard !isGood else { return }
    readings.removeLast(readings.count - good)
    let cause = clock == nil ? "its timestamp needs" : "its time needs"
    failure = SluiceError(
      .malformed, "read", self.bytes.name,
      because: "scan \(count + 1), at byte \(place): \(cause) more than 63 bits",
      remedy: "check --scan-layout\(clock == nil ? "" : " and --sample-rate")")
  }

  /// The byte offset of the next scan in the file.
  private var place: UInt64 { count &* UInt64(scans.size) }

  private func sayRest() {
    guard end > start else { return }
    let rest = end - start == 1 ? "its last byte, at" : "its last \(end - start) bytes, from"
    let verb = end - start == 1 ? "is" : "are"
    warn(
      "\(bytes.name): \(rest) byte \(place), \(verb) not a whole scan of \(scans.size) bytes and \(verb) left out; if the file is whole, check --scan-layout"
    )
  }
}

extension RawScans {
  /// Opens a file of these scans.
  var opener: OpenTrace.Opener {
    { (file, options) throws(SluiceError) -> OpenTrace in
      if let clock, !clock.isExact {
        options.warn("\(file.name): times are rounded to nanoseconds")
      }
      let decoder = RawScansDecoder(
        TraceBytes(file, options), self, stem: file.stem, warn: options.warn)
      return OpenTrace(decoder: decoder, metadata: nil, inputs: [file.input])
    }
  }
}
