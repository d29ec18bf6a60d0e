#if SLUICE_GPIO
  import Dispatch
  import Sluice
  import SluiceRecording
  import SluiceTesting
  import XCTest

  @testable import SluiceDevices

  /// `struct gpio_v2_line_event` of the kernel's <linux/gpio.h>.
  private struct KernelEvent {
    var timestamp: UInt64 = 0
    var id: UInt32 = 0  // 1 rising, 2 falling
    var offset: UInt32 = 0
    var seqno: UInt32 = 0
    var lineSeqno: UInt32 = 0
    var padding: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0, 0, 0)
  }

  /// Edges through a descriptor in the kernel's event format: a socket of packets, which like the kernel never gives a
  /// part of an event, and holds what is not read.
  final class GPIOReaderTests: XCTestCase {
    private let offsets: [UInt32] = [3, 0, 7, 12]

    private func attach(
      _ subscriber: TestSubscriber<Reading, SluiceError>, losses: DeviceLosses = DeviceLosses(),
      options: GPIOOptions = GPIOOptions()
    ) throws -> (feeding: Int32, wake: WakePipe, teardown: DispatchGroup) {
      var ends: [Int32] = [-1, -1]
      XCTAssertEqual(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends), 0)
      let lines = offsets.map {
        GPIOLineInfo(offset: $0, name: nil, consumer: nil, isOutput: false, isActiveLow: false)
      }
      let request = GPIORequest(descriptor: ends[0], lines: lines, options: options, chipName: "fixture")
      let (wake, teardown) = (try WakePipe(), DispatchGroup())
      DescriptorSource.attach(
        "GPIOEdges", GPIOReader(request, StreamID(0), losses, FIFOLevel(capacity: request.capacity), teardown),
        wake: wake, to: subscriber)
      return (ends[1], wake, teardown)
    }

    /// Toggles the lines in turn, from a number on, with so many events in a packet as one read takes.
    private func feed(_ descriptor: Int32, _ numbers: Range<Int>, skipping skipped: (Int) -> Bool = { _ in false }) {
      var packet: [KernelEvent] = []
      func send() {
        let bytes = packet.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        XCTAssertEqual(bytes, packet.count * MemoryLayout<KernelEvent>.size)
        packet.removeAll(keepingCapacity: true)
      }
      for number in numbers {
        if skipped(number) { continue }
        let toggle = number / offsets.count
        packet.append(
          KernelEvent(
            timestamp: UInt64(1_000_000_000 + number * 5_000), id: toggle % 2 == 0 ? 1 : 2,
            offset: offsets[number % offsets.count], seqno: UInt32(number + 1), lineSeqno: UInt32(toggle + 1)))
        if packet.count == 256 { send() }
      }
      if !packet.isEmpty { send() }
    }

    func testTheKernelsEventIsLaidOutSo() {
      XCTAssertEqual(MemoryLayout<KernelEvent>.size, 48)
    }

    /// 200,000 edges as fast as they can be written, which is a second of them at the rate that their times say.
    func testAFloodArrivesWholeAndInOrder() throws {
      let count = 200_000
      let (got, left) = (expectation(description: "all"), Locked(count))
      let subscriber = TestSubscriber<Reading, SluiceError> { _ in
        let last = left.withLock { left in
          left -= 1
          return left == 0
        }
        if last { got.fulfill() }
        return .none
      }
      let losses = DeviceLosses()
      let (feeding, _, teardown) = try attach(subscriber, losses: losses)
      feed(feeding, 0..<count)
      wait(for: [got], timeout: 300)
      subscriber.cancel()
      teardown.wait()
      close(feeding)
      let readings = subscriber.values
      XCTAssertEqual(readings.map { Int($0.stream.index) }, (0..<count).map { $0 % 4 })
      XCTAssertEqual(readings.map { $0.values[0].significand }, (0..<count).map { $0 / 4 % 2 == 0 ? 1 : 0 })
      XCTAssertEqual(zip(readings.dropFirst(), readings).filter { $0.time - $1.time != 5_000 }.count, 0)
      XCTAssertEqual(losses[.skipped].count, 0)
      XCTAssertEqual(losses[.repeated].count, 0)
      XCTAssertEqual(subscriber.violations, [])
    }

    func testWhatTheKernelLostIsCountedAndFlagged() throws {
      let got = expectation(description: "the last")
      let subscriber = TestSubscriber<Reading, SluiceError> { reading in
        if reading.stream.index == 3, reading.flags.contains(.gapBefore) { got.fulfill() }
        return .none
      }
      let losses = DeviceLosses()
      let (feeding, wake, teardown) = try attach(subscriber, losses: losses)
      feed(feeding, 0..<40) { (8..<16).contains($0) }
      wait(for: [got], timeout: 60)
      wake.finish()
      teardown.wait()
      close(feeding)
      XCTAssertEqual(subscriber.values.count, 32)
      XCTAssertEqual(losses[.skipped].count, 8)
      XCTAssertEqual(losses[.repeated].count, 0)
      XCTAssertEqual(subscriber.values.map { $0.flags == .gapBefore }, (0..<32).map { (8..<12).contains($0) })
      XCTAssertTrue(subscriber.isFinished)
    }

    /// What is held back for an edge that never comes is not lost when the stream is to finish.
    func testWhatIsHeldBackComesWhenItFinishes() throws {
      let got = expectation(description: "the first")
      let subscriber = TestSubscriber<Reading, SluiceError> { reading in
        if reading.stream.index == 0 { got.fulfill() }
        return .none
      }
      let (feeding, wake, teardown) = try attach(subscriber)
      feed(feeding, 0..<3) { $0 == 1 }
      wait(for: [got], timeout: 60)
      wake.finish()
      teardown.wait()
      close(feeding)
      XCTAssertEqual(subscriber.values.map(\.stream.index), [0, 2])
      XCTAssertTrue(subscriber.isFinished)
    }

    func testNothingToReadIsNoError() throws {
      var ends: [Int32] = [-1, -1]
      XCTAssertEqual(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | O_NONBLOCK, 0, &ends), 0)
      let line = GPIOLineInfo(offset: 3, name: nil, consumer: nil, isOutput: false, isActiveLow: false)
      let request = GPIORequest(descriptor: ends[0], lines: [line], options: GPIOOptions(), chipName: "fixture")
      let reader = GPIOReader(request, StreamID(0), DeviceLosses(), FIFOLevel(capacity: 9), DispatchGroup())
      var batch: [Reading] = []
      try reader.read(ready: [true], limit: 9, into: &batch)
      XCTAssertEqual(batch.count, 0)
      feed(ends[1], 0..<1)
      try reader.read(ready: [true], limit: 9, into: &batch)
      XCTAssertEqual(batch.count, 1)
      reader.close()
      close(ends[1])
    }

    func testATornEventAndAnEndAreErrors() throws {
      for (bytes, code) in [(47, SluiceError.Code.failed), (0, .disconnected)] {
        let ended = expectation(description: "ended")
        let subscriber = TestSubscriber<Reading, SluiceError>(ended: { _ in ended.fulfill() })
        let (feeding, _, teardown) = try attach(subscriber)
        if bytes > 0 { XCTAssertEqual(write(feeding, [UInt8](repeating: 1, count: bytes), bytes), bytes) }
        close(feeding)
        wait(for: [ended], timeout: 60)
        teardown.wait()
        XCTAssertEqual(subscriber.failure?.code, code)
        XCTAssertTrue(subscriber.failure?.description.contains("fixture") == true)
      }
    }
  }
#endif
