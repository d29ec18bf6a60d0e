#if SLUICE_GPIO
  import Dispatch
  import Sluice
  import SluiceReadings
  import SluiceSystem
  import XCTest

  @testable import SluiceDevices
  @testable import SluiceExtras

  final class GPIOValuesTests: XCTestCase {
    private let lines = [GPIOLineInfo(offset: 3, name: nil, consumer: nil, isOutput: false, isActiveLow: false)]

    /// A chip whose line is this when it is read, one after the other.
    private func request(_ answers: Result<[Bool], SystemErrno>...) -> GPIORequest {
      let answers = Locked(answers)
      return GPIORequest(
        descriptors: [], lines: lines, options: GPIOOptions(), chipName: "fixture",
        values: { answers.withLock { $0.removeFirst() } })
    }

    private func read(_ poll: ValuePoll, _ told: Locked<[SluiceError]>) throws -> Reading? {
      try poll.read(
        Publishers.Tick(time: .now(), number: 1, missed: 0), StreamID(0), EpochClock(),
        { error in told.withLock { $0.append(error) } })
    }

    private func failure(_ code: Int32) -> Result<[Bool], SystemErrno> { .failure(SystemErrno(code)) }

    /// As on an I2C expander whose bus fails now and then.
    func testAReadThatFailsIsAGapAndNotTheEnd() throws {
      let (losses, told) = (DeviceLosses(coverage: .all), Locked([SluiceError]()))
      let poll = ValuePoll(
        request(.success([true]), failure(EIO), failure(EREMOTEIO), .success([false]), .success([true]), failure(EIO)),
        losses, DispatchGroup(), nil)
      poll.begin()
      XCTAssertEqual(try read(poll, told)?.flags, [])
      XCTAssertNil(try read(poll, told))
      XCTAssertNil(try read(poll, told))
      XCTAssertEqual(told.withLock { $0.map(\.errno) }, [EIO], "the first one")
      let after = try XCTUnwrap(try read(poll, told))
      XCTAssertEqual(after.flags, .gapBefore)
      XCTAssertEqual(after.values[0].significand, 0)
      XCTAssertEqual(try read(poll, told)?.flags, [])
      XCTAssertNil(try read(poll, told))
      XCTAssertEqual(told.withLock { $0.count }, 2)
      XCTAssertEqual(losses.all.map { [$0.sign.rawValue, $0.count] }, [[DeviceLosses.Sign.failed.rawValue, 3]])
      poll.close()
    }

    func testARemovalIsTheEnd() {
      let (losses, told) = (DeviceLosses(coverage: .all), Locked([SluiceError]()))
      let poll = ValuePoll(request(failure(ENODEV)), losses, DispatchGroup(), nil)
      poll.begin()
      XCTAssertThrowsError(try read(poll, told)) { XCTAssertEqual(($0 as? SluiceError)?.code, .disconnected) }
      poll.close()
    }

    func testARemovedChipIsAwayUntilItIsBack() throws {
      let (losses, told) = (DeviceLosses(coverage: .all), Locked([SluiceError]()))
      let (reports, next) = (Locked([SluiceError.Code?]()), Locked([GPIORequest]()))
      let reconnection = DeviceReconnection<GPIORequest>(
        period: 0, report: { report in reports.withLock { $0.append(report?.code) } },
        open: { () throws(SluiceError) in
          guard let request = next.withLock({ $0.popLast() }) else {
            throw SluiceError("open", "fixture", errno: EACCES)
          }
          return request
        })
      let poll = ValuePoll(request(failure(ENODEV)), losses, DispatchGroup(), reconnection)
      poll.begin()
      XCTAssertNil(try read(poll, told))
      XCTAssertTrue(losses.isAway)
      for _ in 0..<4 { XCTAssertNil(try read(poll, told)) }
      XCTAssertEqual(reports.withLock { $0 }, [.disconnected, .permissionDenied], "told once")
      let back = request(.success([true]))
      next.withLock { $0 = [back] }
      XCTAssertEqual(try read(poll, told)?.flags, .gapBefore)
      XCTAssertFalse(losses.isAway)
      XCTAssertEqual(reports.withLock { $0 }, [.disconnected, .permissionDenied, nil])
      XCTAssertEqual(losses.all.map(\.sign), [.removed])
      poll.close()
    }
  }
#endif
