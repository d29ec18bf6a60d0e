import SluiceLog
import SluiceReadings
import TestDisk
import XCTest

@testable import SluiceSend

final class EqualTimesTests: XCTestCase {
  private func reading(_ time: Int64, _ stream: UInt16 = 0) -> Reading {
    Reading(time: time, stream: StreamID(stream), values: Values(1))
  }

  func testOnlyReadingsOfOneStreamAndOneTimeAreNumbered() {
    var times = EqualTimes()
    let ordinals = times.ordinals(
      of: [
        reading(1), reading(1), reading(1, 1), reading(2), reading(1), reading(2, 1), reading(2),
      ], first: 0)
    XCTAssertEqual(ordinals.places.map(\.place), [1, 4, 6])
    XCTAssertEqual(ordinals.places.map(\.ordinal), [1, 2, 1])
    // Over the border of two batches.
    XCTAssertEqual(times.ordinals(of: [reading(2)], first: 7).places.map(\.ordinal), [2])
  }

  /// Whatever the order of the times, no two readings of a stream have the same time and the same ordinal.
  func testNoTwoReadingsAreTheSamePoint() {
    var generator = SeededGenerator(3)
    for span: Int64 in [3, 40, 900, 5_000] {
      var times = EqualTimes()
      var points: Set<[Int64]> = []
      var now: Int64 = 0
      for number in 0..<20_000 as Range<UInt64> {
        now += Int64.random(in: 0...3, using: &generator)
        let time =
          now - (Int.random(in: 0..<10, using: &generator) == 0 ? Int64.random(in: 0...span, using: &generator) : 0)
        let ordinals = times.ordinals(of: [reading(time)], first: number)
        let ordinal = ordinals.places.first?.ordinal ?? 0
        XCTAssertTrue(points.insert([time, Int64(ordinal)]).inserted, "\(time), \(ordinal)")
      }
    }
  }

  /// Runs with the times of earlier ones: no two readings are the same point, and a run has few ordinals.
  func testRunsWithTheSameTimes() {
    var points: Set<[Int64]> = []
    var number: UInt64 = 0
    for run in 0..<5 as Range<UInt32> {
      var times = EqualTimes(after: run == 0 ? [] : [999], run: run)
      var ordinals: Set<UInt32> = []
      for time in 0..<1_000 as Range<Int64> {
        for _ in 0..<2 {
          let ordinal = times.ordinals(of: [reading(time)], first: number).places.first?.ordinal ?? 0
          XCTAssertTrue(points.insert([time, Int64(ordinal)]).inserted, "\(run): \(time), \(ordinal)")
          ordinals.insert(ordinal)
          number += 1
        }
      }
      XCTAssertEqual(ordinals.count, 2)
      XCTAssertEqual(times.ordinals(of: [reading(1_000)], first: number).places.count, 0, "its time is new")
    }
  }
}
