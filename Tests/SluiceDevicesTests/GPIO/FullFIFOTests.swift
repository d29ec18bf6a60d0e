#if SLUICE_GPIO
  import Dispatch
  import Sluice
  import SluiceReadings
  import XCTest

  @testable import SluiceDevices

  /// What a reader of edges makes of a FIFO of the kernel's that was full.
  final class FullFIFOTests: GPIOReaderTestCase {
    /// A descriptor a line with sixteen events each, as libgpiod 1 has them.
    private func makeOld(_ count: Int, _ losses: DeviceLosses, _ edges: GPIOOptions.Edges = .rising) -> (
      reader: GPIOReader, feeding: [Int32]
    ) {
      let ends = (0..<count).map { _ in makeEnds() }
      var options = GPIOOptions()
      options.edges = edges
      let lines = (1...UInt32(count)).map {
        GPIOLineInfo(offset: $0, name: nil, consumer: nil, isOutput: false, isActiveLow: false)
      }
      let request = GPIORequest(
        descriptors: ends.map(\.reading), lines: lines, options: options, chipName: "fixture", capacity: 16,
        hasNumbers: false)
      return (
        GPIOReader(request, StreamID(0), losses, FIFOLevel(capacity: 16)), ends.map(\.feeding)
      )
    }

    /// It threw away what came after these sixteen, and nothing else tells.
    func testWithoutNumbersTheGapIsBehindAFullFIFO() throws {
      let losses = DeviceLosses(coverage: .none, countsAll: false)
      let (reader, feeding) = makeOld(1, losses)
      events(feeding[0], (1...15).map { (UInt64($0), true, 1, 0) })
      XCTAssertEqual(try read(reader).filter { $0.flags != [] }, [])
      XCTAssertEqual(losses.all, [])
      events(feeding[0], (21...36).map { (UInt64($0), true, 1, 0) })
      XCTAssertEqual(try read(reader).filter { $0.flags != [] }, [])
      XCTAssertEqual(losses.all.map { [$0.sign.rawValue, $0.count] }, [[DeviceLosses.Sign.full.rawValue, 1]])
      XCTAssertEqual(losses[.full].first, losses[.full].last)
      XCTAssertTrue(losses.mayHaveUncountedLosses)
      events(feeding[0], [(41, true, 1, 0), (42, true, 1, 0)])
      XCTAssertEqual(try read(reader).map(\.flags), [.gapBefore, []])
      reader.close()
      close(feeding[0])
    }

    /// Of several lines the one whose FIFO was full, wherever its next edge comes in the order of times.
    func testOnlyTheLineWhoseFIFOWasFullHasTheGap() throws {
      let losses = DeviceLosses()
      let (reader, feeding) = makeOld(2, losses)
      events(feeding[0], (1...16).map { (UInt64($0), true, 1, 0) })
      events(feeding[1], [(5, true, 2, 0)])
      _ = try read(reader)
      events(feeding[0], [(30, true, 1, 0), (50, true, 1, 0)])
      events(feeding[1], [(20, true, 2, 0), (40, true, 2, 0)])
      var readings = try read(reader)
      reader.finish(limit: .max, into: &readings)
      XCTAssertEqual(readings.count, 21)
      let flagged = readings.filter { $0.flags == .gapBefore }
      XCTAssertEqual(flagged.map(\.stream.index), [0])
      XCTAssertEqual(flagged.first.map { $0.time - readings[0].time }, 29)
      XCTAssertEqual(losses[.full].count, 1)
      reader.close()
      for end in feeding { close(end) }
    }

    /// Taken one at a time, as somebody asks for them.
    func testLittleDemandFindsAFullFIFOAsWell() throws {
      let losses = DeviceLosses()
      let (reader, feeding) = makeOld(1, losses)
      for time in 1...16 { events(feeding[0], [(UInt64(time), true, 1, 0)]) }
      for _ in 1...16 { XCTAssertEqual(try read(reader, limit: 1).map(\.flags), [[]]) }
      XCTAssertEqual(losses[.full].count, 1)
      events(feeding[0], [(40, true, 1, 0)])
      XCTAssertEqual(try read(reader, limit: 1).map(\.flags), [.gapBefore])
      reader.close()
      close(feeding[0])
    }

    /// What came after the reads began was not in the FIFO then, however much was read in a row.
    func testABurstThatIsReadAsItComesIsNoFullFIFO() throws {
      let losses = DeviceLosses()
      let (reader, feeding) = makeOld(1, losses)
      for _ in 0..<40 {
        let now = kernelTime(CLOCK_MONOTONIC) + 3_600_000_000_000
        events(feeding[0], (0..<8).map { (now + $0, true, 1, 0) })
        XCTAssertEqual(try read(reader, limit: 8).map(\.flags), Array(repeating: [], count: 8))
      }
      XCTAssertEqual(losses.all, [])
      reader.close()
      close(feeding[0])
    }

    /// With numbers the same is a hint: they count what is missing, and say where.
    func testWithNumbersAFullFIFOFlagsNothing() throws {
      let ends = makeEnds()
      let losses = DeviceLosses()
      let lines = [GPIOLineInfo(offset: 1, name: nil, consumer: nil, isOutput: false, isActiveLow: false)]
      let request = GPIORequest(
        descriptors: [ends.reading], lines: lines, options: GPIOOptions(), chipName: "fixture", capacity: 64)
      let reader = GPIOReader(request, StreamID(0), losses, FIFOLevel(capacity: 64))
      events(ends.feeding, (1...64).map { (UInt64($0), $0 % 2 == 1, 1, UInt32($0)) })
      XCTAssertEqual(try read(reader).filter { $0.flags != [] }, [])
      XCTAssertEqual(losses.all.map(\.sign), [.full])
      XCTAssertFalse(losses.mayHaveUncountedLosses)
      reader.close()
      close(ends.feeding)
    }

    func testWhatEdgesShowIsSaidWithWhatWouldHelp() {
      let (reader, feeding) = makeOld(1, DeviceLosses())
      var options = GPIOOptions()
      options.edges = .falling
      let losses = GPIORequest(
        descriptors: [], lines: [], options: options, chipName: "fixture", hasNumbers: false
      ).losses
      XCTAssertEqual(losses.coverage, .none)
      XCTAssertEqual(losses.coverageRemedy, "record both edges, or use libgpiod 2 (Debian 13 has it)")
      XCTAssertTrue(losses.coverageReason?.hasSuffix(" and edges of one direction") == true)
      for (edges, hasNumbers) in [(GPIOOptions.Edges.both, false), (.rising, true)] {
        options.edges = edges
        let losses = GPIORequest(
          descriptors: [], lines: [], options: options, chipName: "fixture", hasNumbers: hasNumbers
        ).losses
        XCTAssertEqual(losses.coverage, .some)
        XCTAssertNil(losses.coverageRemedy)
        losses.add(.full, at: 1)
        XCTAssertEqual(losses.mayHaveUncountedLosses, !hasNumbers)
      }
      reader.close()
      close(feeding[0])
    }
  }
#endif
