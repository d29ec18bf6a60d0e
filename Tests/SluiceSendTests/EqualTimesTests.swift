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
    let ordinals = times.ordinals(of: [
      reading(1), reading(1), reading(1, 1), reading(2), reading(1), reading(2, 1), reading(2),
    ])
    XCTAssertEqual(ordinals.places.map(\.place), [1, 4, 6])
    XCTAssertEqual(ordinals.places.map(\.ordinal), [1, 2, 1])
    // Over the border of two batches.
    XCTAssertEqual(times.ordinals(of: [reading(2)]).places.map(\.ordinal), [2])
  }

  /// Whatever the order of the times, no two readings of a stream have the same time and the same ordinal.
  func testNoTwoReadingsAreTheSamePoint() {
    var generator = SeededGenerator(3)
    for span: Int64 in [3, 40, 900, 5_000] {
      var times = EqualTimes()
      var points: Set<[Int64]> = []
      var now: Int64 = 0
      for _ in 0..<20_000 {
        now += Int64.random(in: 0...3, using: &generator)
        let time =
          now - (Int.random(in: 0..<10, using: &generator) == 0 ? Int64.random(in: 0...span, using: &generator) : 0)
        let ordinals = times.ordinals(of: [reading(time)])
        let ordinal = ordinals.places.first?.ordinal ?? 0
        XCTAssertTrue(points.insert([time, Int64(ordinal)]).inserted, "\(time), \(ordinal)")
      }
    }
  }
}
