import XCTest

@testable import SluiceDevices

final class ScanGatheringTests: XCTestCase {
  private let millisecond: UInt64 = 1_000_000

  /// A buffer that fills at given moments, and is read as a gathering says. Nothing here takes time.
  private struct Simulation {
    var arrivals: [UInt64]
    var watermark = 50
    var capacity = 1_024
    var latency: Int64 = 50_000_000
    var limit = 1_024
    var isTimed = true
    /// Of the kernel: for each scan that came while the device was waited for, and for each read.
    private(set) var wakes = 0
    private(set) var reads = 0
    private(set) var longestWait: UInt64 = 0
    private(set) var fullest = 0

    init(_ arrivals: [UInt64]) { self.arrivals = arrivals }

    mutating func run() {
      guard var gathering = ScanGathering(watermark: watermark, capacity: capacity, latency: latency) else {
        return XCTFail("nothing gathers")
      }
      var (now, done, come): (UInt64, Int, Int) = (0, 0, 0)
      while done < arrivals.count {
        let pause = gathering.pause(at: now)
        now += UInt64(pause) * 1_000_000
        if pause > 0 { wakes += 1 }
        while come < arrivals.count, arrivals[come] <= now { come += 1 }
        let deadline = now + UInt64(gathering.timeout(at: now)) * 1_000_000
        while come - done < watermark, come < arrivals.count, arrivals[come] <= deadline {
          now = arrivals[come]
          come += 1
          wakes += 1
        }
        if come - done < watermark, now < deadline { (now, wakes) = (deadline, wakes + 1) }
        let count = min(limit, come - done)
        fullest = max(fullest, come - done)
        if count > 0 { longestWait = max(longestWait, now - arrivals[done]) }
        let times = (arrivals[min(done, arrivals.count - 1)], arrivals[max(0, done + count - 1)])
        gathering.read(
          count, at: now, times: isTimed && count > 0 ? (Int64(times.0), Int64(times.1)) : nil, isAll: count < limit)
        (done, reads) = (done + count, reads + 1)
        guard reads < 100_000 else { return XCTFail("it does not get on") }
      }
    }
  }

  /// - Parameter jitter: By which part of the period a scan is early or late at most.
  private func steady(_ count: Int, every period: UInt64, from start: UInt64 = 0, jitter: Double = 0) -> [UInt64] {
    (1...count).map { number in
      // As random as it has to be here.
      let offset = jitter * Double(Int((number &* 7_919) % 201) - 100) / 100 * Double(period)
      return start + UInt64(Double(UInt64(number) * period) + offset)
    }
  }

  // MARK: The decision

  /// - Returns: What to do after a read of `count` scans that are a period apart, right at the last one.
  private func read(
    _ gathering: inout ScanGathering, _ count: Int, every period: UInt64, _ now: inout UInt64, isAll: Bool = true
  ) -> [Int32] {
    let oldest = now + period
    now += UInt64(count) * period
    gathering.read(count, at: now, times: count > 0 ? (Int64(oldest), Int64(now)) : nil, isAll: isAll)
    return [gathering.pause(at: now), gathering.timeout(at: now)]
  }

  func testASteadyRateIsSleptThrough() throws {
    var now = 5_000 * millisecond
    var gathering = try XCTUnwrap(ScanGathering(watermark: 40, capacity: 1_024, latency: 50_000_000))
    XCTAssertEqual([gathering.pause(at: now), gathering.timeout(at: now)], [0, 50], "before the first")
    XCTAssertEqual(read(&gathering, 40, every: millisecond, &now), [0, 50], "nothing to compare it with")
    XCTAssertEqual(read(&gathering, 40, every: millisecond, &now), [40, 0])
    XCTAssertEqual(gathering.pause(at: now + 15 * millisecond), 25, "it takes time to deliver")
    XCTAssertEqual(gathering.pause(at: now + 41 * millisecond), 0)
    XCTAssertEqual(read(&gathering, 40, every: 800_000, &now), [32, 0], "by the rate that was seen")
    XCTAssertEqual(read(&gathering, 40, every: 4 * millisecond, &now), [0, 50], "which has changed")
    XCTAssertEqual(read(&gathering, 10, every: 4 * millisecond, &now), [50, 0], "no longer than the latency")
    XCTAssertEqual(read(&gathering, 10, every: 4 * millisecond, &now, isAll: false), [0, 0], "there may be more")
    XCTAssertEqual(read(&gathering, 0, every: 0, &now), [50, 0], "that was all")
    now += 50 * millisecond
    XCTAssertEqual(read(&gathering, 0, every: 0, &now), [0, 50], "no more come")
    XCTAssertEqual(gathering.timeout(at: now + 49 * millisecond + 1), 1, "rounded up")
    XCTAssertEqual(gathering.timeout(at: now + 60 * millisecond), 0)
  }

  func testHalfTheBufferIsTheMost() throws {
    var now: UInt64 = 0
    var gathering = try XCTUnwrap(ScanGathering(watermark: 60, capacity: 64, latency: 900_000_000))
    _ = read(&gathering, 60, every: millisecond, &now)
    XCTAssertEqual(read(&gathering, 60, every: millisecond, &now), [32, 0])
  }

  func testNothingGathersWhereNothingIsToGather() {
    XCTAssertNil(ScanGathering(watermark: 1, capacity: 1_024, latency: 50_000_000))
    XCTAssertNil(ScanGathering(watermark: 50, capacity: 0, latency: 50_000_000))
    XCTAssertNil(ScanGathering(watermark: 50, capacity: 1_024, latency: 0))
  }

  func testShortTimesAreLeftToTheKernel() throws {
    var now: UInt64 = 0
    var gathering = try XCTUnwrap(ScanGathering(watermark: 10, capacity: 1_024, latency: 300_000))
    for _ in 0..<4 { XCTAssertEqual(read(&gathering, 10, every: 30_000, &now), [0, 1], "and it does not spin") }
  }

  func testTheLongestLatency() throws {
    var now: UInt64 = 0
    var gathering = try XCTUnwrap(ScanGathering(watermark: 1 << 40, capacity: .max, latency: .max))
    XCTAssertEqual(gathering.timeout(at: now), 1_000)
    _ = read(&gathering, 100, every: millisecond, &now)
    XCTAssertEqual(read(&gathering, 100, every: millisecond, &now), [1_000, 0])
  }

  /// By how many came in which time.
  func testScansWithoutTimes() throws {
    var gathering = try XCTUnwrap(ScanGathering(watermark: 50, capacity: 1_024, latency: 50_000_000))
    var pauses: [Int32] = []
    for moment in [0, 20, 40, 60, 100] {
      gathering.read(20, at: UInt64(moment) * millisecond, isAll: true)
      pauses.append(gathering.pause(at: UInt64(moment) * millisecond))
    }
    XCTAssertEqual(pauses, [0, 0, 50, 50, 50])
  }

  /// Times that say something else than the arrival does are not believed.
  func testTimesThatAreNone() throws {
    for times in [(0, 0), (.max, .min), (.min, .max), (100_000_000, 50_000_000), (0, 1 << 60)] as [(Int64, Int64)] {
      var gathering = try XCTUnwrap(ScanGathering(watermark: 50, capacity: 1_024, latency: 50_000_000))
      for number in 1...5 {
        let moment = UInt64(number) * 50 * millisecond
        gathering.read(50, at: moment, times: times, isAll: true)
        XCTAssertEqual([gathering.pause(at: moment), gathering.timeout(at: moment)], [0, 50], "\(times)")
      }
    }
  }

  // MARK: What comes of it

  func testASteadyRateDoesNotWakeForEachScan() {
    for (isTimed, jitter) in [(true, 0), (false, 0), (true, 0.4), (false, 0.4)] {
      var simulation = Simulation(steady(10_000, every: millisecond, jitter: jitter))
      simulation.isTimed = isTimed
      simulation.run()
      XCTAssertLessThanOrEqual(simulation.wakes, 500, "\(isTimed), \(jitter)")
      XCTAssertLessThanOrEqual(simulation.reads, 250)
      XCTAssertLessThanOrEqual(simulation.longestWait, 51 * millisecond)
    }
  }

  /// Other rates than the watermark was made for, one after the other, with pauses.
  func testNoScanWaitsLongerThanTheLatency() {
    var arrivals: [UInt64] = []
    for period: UInt64 in [1, 10, 1, 100, 500, 2, 30, 1, 7_000, 1] {
      arrivals += steady(60, every: period * millisecond, from: (arrivals.last ?? 0) + 333 * millisecond)
    }
    for (isTimed, limit) in [(true, 1_024), (false, 1_024), (true, 1), (false, 1), (true, 7)] {
      var simulation = Simulation(arrivals)
      (simulation.isTimed, simulation.limit) = (isTimed, limit)
      simulation.run()
      XCTAssertLessThanOrEqual(simulation.longestWait, 51 * millisecond, "\(isTimed), \(limit)")
    }
  }

  /// Where each scan is asked for, one read more tells that there is none.
  func testALimitedReadIsFollowedByAnother() {
    var simulation = Simulation(steady(10_000, every: millisecond))
    simulation.limit = 1
    simulation.run()
    XCTAssertLessThanOrEqual(simulation.reads, 10_300)
    XCTAssertLessThanOrEqual(simulation.wakes, 500)
  }

  func testASmallBufferDoesNotFill() {
    var simulation = Simulation(steady(10_000, every: millisecond))
    (simulation.watermark, simulation.capacity, simulation.latency) = (60, 64, .max)
    simulation.run()
    XCTAssertLessThanOrEqual(simulation.fullest, 60, "before the rate is known")
    XCTAssertLessThanOrEqual(simulation.reads, 10_000 / 31 + 3)
  }

  /// Bursts that are larger than the buffer, and come at an even rate on the whole.
  func testBurstsDoNotFillTheBuffer() {
    for isTimed in [true, false] {
      for period: UInt64 in [100_000, 500_000, 1_000_000] {
        var simulation = Simulation((0..<50).flatMap { steady(20, every: period, from: $0 * 100 * millisecond) })
        (simulation.watermark, simulation.capacity, simulation.isTimed) = (8, 16, isTimed)
        simulation.run()
        XCTAssertLessThan(simulation.fullest, 16, "\(isTimed), \(period)")
        XCTAssertLessThanOrEqual(simulation.longestWait, 51 * millisecond)
      }
    }
  }
}
