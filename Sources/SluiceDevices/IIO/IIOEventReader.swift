import Dispatch
import SluiceRecording

/// Makes readings of the events of a device.
final class IIOEventReader: DescriptorReader {
  private let connection: IIOConnection<IIOEventCapture>
  private let losses: DeviceLosses
  private let teardown: DispatchGroup
  private let epoch: EpochClock
  private var decoder: IIOEventDecoder
  private let bytes = UnsafeMutableRawBufferPointer.allocate(
    byteCount: IIOEventDecoder.size * DescriptorSource.batchLimit, alignment: 8)

  init(
    _ connection: IIOConnection<IIOEventCapture>, _ base: StreamID, _ losses: DeviceLosses, _ teardown: DispatchGroup,
    _ epoch: EpochClock = EpochClock()
  ) {
    self.epoch = epoch
    self.connection = connection
    self.losses = losses
    self.teardown = teardown
    decoder = IIOEventDecoder(connection.session.events.map(\.name), from: base)
    teardown.enter()
  }

  deinit { bytes.deallocate() }

  var descriptors: [Int32] { connection.descriptors }
  var timeout: Int32 { connection.timeout }
  var gathering: Int32 { 0 }
  var capacity: Int { 16 }  // events (`IIO_EVENT_QUEUE` in drivers/iio/industrialio-event.c)

  func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError) {
    guard try connection.isThere() else { return }
    let wanted = UnsafeMutableRawBufferPointer(rebasing: bytes[..<min(limit * IIOEventDecoder.size, bytes.count)])
    guard let count = try connection.read(into: wanted, wasReady: ready.first == true) else {
      losses.add(.removed, at: epoch.now)
      return decoder.markGap()
    }
    decoder.decode(UnsafeRawBufferPointer(rebasing: wanted[..<count])) { reading in
      var reading = reading
      if connection.session.isMonotonic { reading.time = epoch.time(monotonic: UInt64(bitPattern: reading.time)) }
      batch.append(reading)
    }
  }

  func finish(limit: Int, into batch: inout [Reading]) {}

  func close() {
    connection.close()
    teardown.leave()
  }
}
