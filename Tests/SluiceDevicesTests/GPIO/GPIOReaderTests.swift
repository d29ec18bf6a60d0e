#if SLUICE_GPIO
  import Dispatch
  import Sluice
  import SluiceReadings
  import SluiceTesting
  import XCTest

  @testable import SluiceDevices

  /// Edges through a descriptor in the kernel's event format: a socket of packets, which like the kernel never gives a
  /// part of an event, and holds what is not read.
  final class GPIOReaderTests: GPIOReaderTestCase {
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
      let request = GPIORequest(descriptors: [ends[0]], lines: lines, options: options, chipName: "fixture")
      let (wake, teardown) = (try WakePipe(), DispatchGroup())
      DescriptorSource.attach(
        "GPIOEdges", GPIOReader(request, StreamID(0), losses, FIFOLevel(capacity: request.capacity)), wake: wake,
        teardown: teardown, to: subscriber)
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
      let request = GPIORequest(descriptors: [ends[0]], lines: [line], options: GPIOOptions(), chipName: "fixture")
      let reader = GPIOReader(request, StreamID(0), DeviceLosses(), FIFOLevel(capacity: 9))
      var batch: [Reading] = []
      try reader.read(ready: [true], limit: 9, into: &batch)
      XCTAssertEqual(batch.count, 0)
      feed(ends[1], 0..<1)
      try reader.read(ready: [true], limit: 9, into: &batch)
      XCTAssertEqual(batch.count, 1)
      reader.close()
      close(ends[1])
    }

    func testInitialLevelsComeFirstAndEdgesBeforeThemNever() throws {
      let ends = makeEnds()
      let losses = DeviceLosses()
      let reader = GPIOReader(
        request(ends.reading, lines: [1, 2], initial: [true, false]), StreamID(4), losses, FIFOLevel(capacity: 9))
      XCTAssertEqual(reader.timeout, 0)
      let first = try read(reader, limit: 1)
      let second = try read(reader)
      XCTAssertEqual((first + second).map(\.stream.index), [4, 5])
      XCTAssertEqual((first + second).map { $0.values[0].significand }, [1, 0])
      XCTAssertEqual((first + second).map(\.flags), [.initialLevel, .initialLevel])
      // The first was before the levels were read; that of line 2 does not follow its level.
      events(ends.feeding, [(400, true, 1, 1), (600, false, 1, 2), (700, false, 2, 3)])
      let edges = try read(reader)
      XCTAssertEqual(edges.map(\.stream.index), [4, 5])
      XCTAssertEqual(edges.map(\.flags), [[], [.gapBefore, .uncertainLevel]])
      reader.close()
      XCTAssertEqual(losses.all.map { [$0.sign.rawValue, $0.count] }, [[DeviceLosses.Sign.repeated.rawValue, 1]])
      close(ends.feeding)
    }

    /// An edge from while the levels were read has made the level of its line what it is, or has changed it since.
    func testAnEdgeThatTheInitialLevelKnowsOfIsLeftOut() throws {
      let ends = makeEnds()
      let losses = DeviceLosses()
      let reader = GPIOReader(
        request(ends.reading, lines: [1, 2, 3], initial: [true, true, true]), StreamID(0), losses,
        FIFOLevel(capacity: 9))
      XCTAssertEqual(try read(reader).count, 3)
      // The second edge of line 3 is one too many.
      events(
        ends.feeding,
        [
          (510, true, 1, 1), (511, false, 2, 2), (512, true, 3, 3), (513, false, 1, 4), (514, true, 2, 5),
          (515, true, 3, 6),
        ])
      let edges = try read(reader)
      XCTAssertEqual(edges.map(\.stream.index), [1, 0, 1, 2])
      XCTAssertEqual(edges.map { $0.values[0].significand }, [0, 0, 1, 1])
      XCTAssertEqual(edges.map(\.flags), [[], [], [], [.gapBefore, .uncertainLevel]])
      reader.close()
      XCTAssertEqual(losses[.skipped].count, 0)
      XCTAssertEqual(losses[.repeated].count, 1)
      close(ends.feeding)
    }

    /// Without numbers, what is said to be lost follows from the levels at the request and when a line was still.
    func testWithoutNumbersTheLevelsShowLosses() throws {
      for isPublished in [false, true] {
        let (end, losses) = (makeEnds(), DeviceLosses())
        var options = GPIOOptions()
        options.hasInitialLevel = isPublished
        let line = GPIOLineInfo(offset: 1, name: nil, consumer: nil, isOutput: false, isActiveLow: false)
        let request = GPIORequest(
          descriptors: [end.reading], lines: [line], options: options, chipName: "fixture",
          initial: GPIORequest.InitialLevels(time: 500, end: 520, levels: [false]), hasNumbers: false)
        let reader = GPIOReader(request, StreamID(0), losses, FIFOLevel(capacity: 16))
        if isPublished { XCTAssertEqual(try read(reader).map(\.flags), [.initialLevel]) }
        let (start, second) = (UInt64(100_000_000), UInt64(1_000_000_000))
        // The second edge was read late.
        events(end.feeding, [(start, true, 1, 0), (start + 1, true, 1, 0), (start + 2, true, 1, 0)])
        // One was lost after the line was still, and one before it was still again.
        events(end.feeding, [(start + 3 * second, true, 1, 0), (start + 6 * second, true, 1, 0)])
        var readings: [Reading] = []
        for _ in 0..<2 { readings += try read(reader) }
        XCTAssertEqual(losses[.mismatched].count, 1)
        XCTAssertEqual(readings.map(\.flags), [[]] + Array(repeating: [.gapBefore, .uncertainLevel], count: 4))
        reader.close()
        XCTAssertEqual(losses[.mismatched].count, 2, "the machine has run for longer than seven seconds")
        XCTAssertEqual(losses[.repeated].count, 4)
        close(end.feeding)
      }
    }

    /// An edge right after the request may have made the level that was read there.
    func testALevelThatAnEdgeMayHaveMadeShowsNothing() throws {
      for (delay, repeated) in [(UInt64(50_000_000), 0), (50_000_001, 1)] {
        let (end, losses) = (makeEnds(), DeviceLosses())
        let line = GPIOLineInfo(offset: 1, name: nil, consumer: nil, isOutput: false, isActiveLow: false)
        let request = GPIORequest(
          descriptors: [end.reading], lines: [line], options: GPIOOptions(), chipName: "fixture",
          initial: GPIORequest.InitialLevels(time: 500, end: 520, levels: [true]), hasNumbers: false)
        let reader = GPIOReader(request, StreamID(0), losses, FIFOLevel(capacity: 16))
        events(end.feeding, [(520 + delay, true, 1, 0)])
        XCTAssertEqual(try read(reader).count, 1)
        reader.close()
        XCTAssertEqual(losses[.repeated].count, repeated)
        XCTAssertEqual(losses[.mismatched].count, repeated)
        close(end.feeding)
      }
    }

    /// With numbers, only these count.
    func testWithNumbersTheLevelsShowNoLosses() throws {
      let (end, losses) = (makeEnds(), DeviceLosses())
      let reader = GPIOReader(
        request(end.reading, lines: [1], initial: [true]), StreamID(0), losses, FIFOLevel(capacity: 16))
      XCTAssertEqual(try read(reader).count, 1)
      let start = UInt64(100_000_000)
      events(end.feeding, [(start, true, 1, 1), (start + 9_000_000_000, true, 1, 2)])
      XCTAssertEqual(try read(reader).map(\.flags), Array(repeating: [.gapBefore, .uncertainLevel], count: 2))
      reader.close()
      XCTAssertEqual(losses.all.map(\.sign), [.repeated])
      close(end.feeding)
    }

    /// A descriptor a line, as libgpiod 1 has them, and readings taken one at a time: what is not wanted stays in the
    /// kernel, and comes in order all the same.
    func testWithADescriptorALineLittleIsReadForALittleDemand() throws {
      let (ends, count) = ([makeEnds(), makeEnds()], 100)
      let reader = GPIOReader(
        request(ends[0].reading, ends[1].reading, lines: [1, 2]), StreamID(0), DeviceLosses(), FIFOLevel(capacity: 16))
      for number in 1...count {
        for (index, period) in [1, 100].enumerated() {
          let time = UInt64(number * period) * 1_000_000
          events(ends[index].feeding, [(time, number % 2 == 1, UInt32(index + 1), 0)])
        }
      }
      func unread(_ index: Int) -> Int {
        var bytes: Int32 = 0
        XCTAssertEqual(ioctl(ends[index].reading, UInt(FIONREAD), &bytes), 0)
        return Int(bytes) / MemoryLayout<KernelEvent>.size
      }
      var batch: [Reading] = []
      var readings: [Reading] = []
      for _ in 0..<2 * count {
        try reader.read(ready: [unread(0) > 0, unread(1) > 0], limit: 1, into: &batch)
        XCTAssertEqual(batch.count, 1)
        readings += batch
        batch = []
        // None of the second line was due until then.
        if readings.count == count { XCTAssertGreaterThanOrEqual(unread(1), count - 5) }
      }
      XCTAssertEqual(readings.map(\.time), readings.map(\.time).sorted())
      reader.close()
      for end in ends { close(end.feeding) }
    }

    func testNumbersThatNoLineMissesAreCountedAtTheEnd() throws {
      let ends = makeEnds()
      let losses = DeviceLosses()
      let reader = GPIOReader(
        request(ends.reading, lines: [1, 2]), StreamID(0), losses, FIFOLevel(capacity: 9))
      events(ends.feeding, [(100, true, 1, 1), (200, true, 2, 2), (300, false, 1, 5)])
      XCTAssertEqual(try read(reader).count, 2)
      reader.close()
      XCTAssertEqual(losses[.unassigned].count, 2)
      XCTAssertEqual(losses[.skipped].count, 0)
      close(ends.feeding)
    }

    func testNumbersGoAroundByWayOfZero() throws {
      let ends = makeEnds()
      let losses = DeviceLosses()
      let reader = GPIOReader(
        request(ends.reading, lines: [1, 2]), StreamID(0), losses, FIFOLevel(capacity: 9))
      let numbers: [UInt32] = [1, .max / 2, .max - 1, .max, 0, 1, 2]
      let packet = numbers.enumerated().map { index, number in
        KernelEvent(
          timestamp: UInt64(100 + index), id: index % 2 == 0 ? 1 : 2, offset: 1, seqno: number, lineSeqno: number)
      }
      _ = packet[..<4].withUnsafeBytes { write(ends.feeding, $0.baseAddress, $0.count) }
      var readings = try read(reader)
      for _ in 0..<3 { readings += try read(reader, ready: false) }
      XCTAssertEqual(readings.count, 4)
      let before = losses.all
      _ = packet[4...].withUnsafeBytes { write(ends.feeding, $0.baseAddress, $0.count) }
      XCTAssertEqual(try read(reader).count, 3, "at once")
      XCTAssertEqual(losses.all, before)
      reader.close()
      XCTAssertEqual(losses[.unassigned].count, 0)
      close(ends.feeding)
    }

    /// What was held back comes before the chip is waited for; the next request's numbers begin again.
    func testAChipThatComesBackGoesOn() throws {
      let (old, new) = (makeEnds(), makeEnds())
      let (losses, reports, isThere) = (DeviceLosses(), Locked([SluiceError?]()), Locked(false))
      let next = request(new.reading, lines: [1, 2])
      let reconnection = DeviceReconnection<GPIORequest>(
        period: 70, report: { report in reports.withLock { $0.append(report) } },
        open: { () throws(SluiceError) in
          guard isThere.withLock({ $0 }) else { throw SluiceError("open", "fixture", errno: ENOENT) }
          return next
        })
      let reader = GPIOReader(
        request(old.reading, lines: [1, 2]), StreamID(0), losses, FIFOLevel(capacity: 9),
        reconnection: reconnection)
      events(old.feeding, [(100, true, 1, 1), (300, true, 2, 3)])
      XCTAssertEqual(try read(reader).count, 1)
      close(old.feeding)
      XCTAssertEqual(try read(reader).count, 1, "held back for number 2")
      XCTAssertEqual(reader.descriptors, [])
      XCTAssertEqual(try read(reader), [])
      XCTAssertEqual(reader.timeout, 70)
      XCTAssertEqual(try read(reader), [])
      XCTAssertEqual(losses[.removed].count, 1)
      XCTAssertEqual(losses[.unassigned].count, 1)
      XCTAssertEqual(reports.withLock { $0 }.map { $0?.code }, [.disconnected])
      isThere.withLock { $0 = true }
      XCTAssertEqual(try read(reader), [])
      XCTAssertEqual(reader.descriptors, [new.reading])
      XCTAssertEqual(reports.withLock { $0.count }, 2)
      events(new.feeding, [(900, true, 1, 1), (910, false, 1, 2), (920, true, 2, 3)])
      let readings = try read(reader)
      XCTAssertEqual(readings.map(\.stream.index), [0, 0, 1])
      XCTAssertEqual(readings.map(\.flags), [.gapBefore, [], .gapBefore])
      reader.close()
      XCTAssertEqual(losses[.skipped].count, 0)
      XCTAssertEqual(losses[.repeated].count, 0)
      close(new.feeding)
    }

    func testAnErrorThatWillNotPassEndsTheWait() throws {
      let ends = makeEnds()
      let reconnection = DeviceReconnection<GPIORequest>(
        period: 1, report: { _ in },
        open: { () throws(SluiceError) in throw SluiceError(.unsupported, "use", "fixture", because: "no") })
      let reader = GPIOReader(
        request(ends.reading, lines: [1]), StreamID(0), DeviceLosses(), FIFOLevel(capacity: 9),
        reconnection: reconnection)
      close(ends.feeding)
      XCTAssertEqual(try read(reader), [])
      XCTAssertThrowsError(try read(reader)) { XCTAssertEqual(($0 as? SluiceError)?.code, .unsupported) }
      reader.close()
    }

    /// A cause that lasts is told, once; what only says that the chip is not there is not.
    func testWhatKeepsAChipFromBeingUsedAgainIsTold() throws {
      let ends = makeEnds()
      let codes = [ENOENT, EACCES, EACCES, EACCES, EBUSY, EACCES, EINVAL, EINVAL]
      let (reports, errors) = (Locked([SluiceError?]()), Locked(codes.map { SluiceError("open", "it", errno: $0) }))
      let reconnection = DeviceReconnection<GPIORequest>(
        period: 1, report: { report in reports.withLock { $0.append(report) } },
        open: { () throws(SluiceError) in throw errors.withLock { $0.removeFirst() } })
      let reader = GPIOReader(
        request(ends.reading, lines: [1]), StreamID(0), DeviceLosses(), FIFOLevel(capacity: 9),
        reconnection: reconnection)
      close(ends.feeding)
      XCTAssertEqual(try read(reader), [])
      while !errors.withLock({ $0.isEmpty }) { XCTAssertEqual(try read(reader), []) }
      XCTAssertEqual(reports.withLock { $0.map { $0?.errno } }, [ENODEV, EACCES, EINVAL])
      reader.close()
    }

    /// Also after the stream has been finished.
    func testAChipThatNeverComesBackIsAway() throws {
      let ends = makeEnds()
      let losses = DeviceLosses()
      let reconnection = DeviceReconnection<GPIORequest>(
        period: 1, report: { _ in },
        open: { () throws(SluiceError) in throw SluiceError("open", "fixture", errno: ENOENT) })
      let reader = GPIOReader(
        request(ends.reading, lines: [1]), StreamID(0), losses, FIFOLevel(capacity: 9),
        reconnection: reconnection)
      XCTAssertFalse(losses.isAway)
      close(ends.feeding)
      XCTAssertEqual(try read(reader), [])
      XCTAssertTrue(losses.isAway)
      XCTAssertEqual(try read(reader), [])
      reader.close()
      XCTAssertTrue(losses.isAway)
    }

    // MARK: Errors

    /// Only ENODEV says so: EIO is an expander's bus, and a read of edges asks no bus at all.
    func testOnlyENODEVIsARemoval() {
      let request = GPIORequest(descriptors: [], lines: [], options: GPIOOptions(), chipName: "fixture")
      XCTAssertEqual(request.failure(ENODEV, "read").code, .disconnected)
      for code in [EIO, EBADF, ETIMEDOUT, EREMOTEIO] {
        let error = request.failure(code, "read")
        XCTAssertEqual(error.code, .failed)
        XCTAssertFalse(error.description.contains("removed"), error.description)
      }
      XCTAssertTrue(
        request.failure(EIO, "read").description.hasPrefix("cannot read fixture: input/output error; check"))
    }

    func testTheKernelsFIFOIsAPowerOfTwo() {
      for (asked, kept) in [(1, 2), (2, 2), (3, 4), (64, 64), (65, 128), (1_024, 1_024), (9_999, 1_024)] {
        XCTAssertEqual(GPIORequest.capacity(asked: UInt32(asked)), kept)
      }
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
