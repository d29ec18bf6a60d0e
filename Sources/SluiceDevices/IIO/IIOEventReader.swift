import SluiceReadings
import SluiceSystem

/// Makes readings from the events of a device.
final class IIOEventReader: DescriptorReader {
  private let connection: DeviceConnection<IIOEventCapture>
  private var losses: DeviceLosses { connection.losses }
  private let epoch: EpochClock
  private var decoder: IIOEventDecoder
  private var fullness = FIFOFullness(capacity: IIOEventReader.queue)
  private let bytes = UnsafeMutableRawBufferPointer.allocate(
    byteCount: IIOEventDecoder.size * DescriptorSource.batchLimit, alignment: 8)

  init(_ connection: DeviceConnection<IIOEventCapture>, _ base: StreamID, _ epoch: EpochClock) {
    self.epoch = epoch
    self.connection = connection
    decoder = IIOEventDecoder(connection.session.events.map(\.name), from: base)
  }

  deinit { bytes.deallocate() }

  var descriptors: [Int32] { connection.descriptors }
  var timeout: Int32 { connection.idleTimeout }
  var capacity: Int { Self.queue }

  /// The events that the kernel keeps. When there are as many, it drops new events (`iio_push_event` in
  /// drivers/iio/industrialio-event.c).
  private static let queue = 16

  func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError) {
    guard try connection.isThere() else { return }
    let wanted = UnsafeMutableRawBufferPointer(rebasing: bytes[..<min(limit * IIOEventDecoder.size, bytes.count)])
    let isMonotonic = connection.session.isMonotonic
    fullness.begin(at: kernelTime(isMonotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME))
    guard let count = try connection.read(into: wanted, wasReady: ready.first == true) else {
      fullness.end(isEmpty: true)
      return decoder.markGap()
    }
    decode(UnsafeRawBufferPointer(rebasing: wanted[..<count]), isMonotonic, into: &batch)
    fullness.end(isEmpty: count < wanted.count)
  }

  /// Decodes events one by one, because after the content of a full FIFO there may be a gap in any of the streams.
  private func decode(_ events: UnsafeRawBufferPointer, _ isMonotonic: Bool, into batch: inout [Reading]) {
    var rest = events[...]
    while rest.count >= IIOEventDecoder.size {
      let event = UnsafeRawBufferPointer(rebasing: rest.prefix(IIOEventDecoder.size))
      rest = rest.dropFirst(IIOEventDecoder.size)
      var finding: FIFOFullness.Finding?
      decoder.decode(event) { reading in
        var reading = reading
        finding = fullness.take(time: UInt64(bitPattern: reading.time))
        if isMonotonic { reading.time = epoch.time(monotonic: UInt64(bitPattern: reading.time)) }
        if finding == .first { losses.add(.full, at: reading.time) }
        batch.append(reading)
      }
      if finding != nil { decoder.markGap() }
    }
  }

  func close() { connection.close() }
}
