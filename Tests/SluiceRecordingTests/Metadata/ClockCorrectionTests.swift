import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

final class ClockCorrectionTests: XCTestCase {
  private typealias Change = TraceMetadata.ClockChange

  private func correction(
    _ isSynchronised: Bool?, offset: Int64? = 100, _ changes: Change...
  ) -> ClockCorrection {
    ClockCorrection(
      TraceMetadata.Clocks(began: 1_000, offset: offset, isSynchronised: isSynchronised, changes: changes))
  }

  func testARunThatWasNotSynchronisedHasTheFirstOffset() {
    let correction = correction(
      false, Change(time: 5_000, cause: .set, offset: 4_100), Change(time: 6_000, cause: .synchronised, offset: 9_100))
    XCTAssertEqual([1_000, 5_000, 7_000].map(correction.corrected), [5_000, 9_000, 11_000])
    XCTAssertTrue(correction.isMeasured)
  }

  func testOneThatWasKeepsItsOffset() {
    let correction = correction(true, Change(time: 5_000, cause: .set, offset: 4_100))
    XCTAssertEqual(correction.corrected(6_000), 6_000)
    XCTAssertTrue(correction.isNothing)
    XCTAssertTrue(correction.isMeasured)
  }

  func testSuspendsBeforeAndAfterTheMeasurement() {
    let correction = correction(
      false, Change(time: 2_000, cause: .suspend, offset: 110, suspended: 10),
      Change(time: 3_000, cause: .set, offset: 1_110),
      Change(time: 4_000, cause: .suspend, offset: 1_140, suspended: 30))
    XCTAssertEqual(correction.corrected(1_999), 1_999 + 1_000)
    XCTAssertEqual(correction.corrected(2_000), 2_000 + 1_010)
    XCTAssertEqual(correction.corrected(3_999), 3_999 + 1_010)
    XCTAssertEqual(correction.corrected(4_000), 4_000 + 1_040)
  }

  func testWithoutAMeasurementOnlySuspendsAreKnown() {
    let correction = correction(false, Change(time: 2_000, cause: .suspend, offset: 110, suspended: 10))
    XCTAssertEqual([1_999, 2_000].map(correction.corrected), [1_999, 2_010])
    XCTAssertFalse(correction.isMeasured)
    for nothing in [self.correction(nil), self.correction(true, offset: nil), ClockCorrection(nil)] {
      XCTAssertEqual(nothing.corrected(5), 5)
      XCTAssertTrue(nothing.isNothing)
    }
  }

  /// What a damaged file may have.
  func testLargeNumbersDoNotTrap() {
    let correction = correction(
      false, offset: .min, Change(time: .max, cause: .suspend, offset: .max, suspended: .max),
      Change(time: .min, cause: .suspend, offset: 0, suspended: .min), Change(time: 0, cause: .set, offset: .max))
    for time in [Int64.min, 0, .max] { _ = correction.corrected(time) }
  }

  /// A machine with random suspends, whose clock is set at a random moment, and the readings of a run on it.
  func testEveryReadingGetsTheTimeThatItHad() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      let offset = Int64.random(in: -1_000...1_000, using: &random)
      /// What the wall clock should have said when the monotonic clock was 0.
      let truth = Int64.random(in: -1_000_000...1_000_000, using: &random)
      let isSynchronised = Bool.random(using: &random)
      var clocks = TraceMetadata.Clocks(
        began: offset, offset: isSynchronised ? truth : offset, isSynchronised: isSynchronised)
      let run = clocks.offset ?? 0
      var (monotonic, slept): (Int64, Int64) = (0, 0)
      var readings: [(recorded: Int64, true: Int64)] = []
      let steps = Int.random(in: 1...30, using: &random)
      let measured = Int.random(in: 0..<steps, using: &random)
      for step in 0..<steps {
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          readings.append((monotonic + run, monotonic + slept + truth))
          monotonic += .random(in: 1...100, using: &random)
        }
        monotonic += 1
        if step == measured {
          clocks.changes.append(
            Change(
              time: monotonic + run, cause: Bool.random(using: &random) ? .set : .synchronised, offset: truth + slept))
        } else if Bool.random(using: &random) {
          let length = Int64.random(in: 1...1_000, using: &random)
          slept += length
          clocks.changes.append(
            Change(
              time: monotonic + run, cause: .suspend, offset: .random(in: 0...9, using: &random), suspended: length))
        } else if step > measured {
          // Somebody sets it to something else, later.
          clocks.changes.append(
            Change(time: monotonic + run, cause: .set, offset: .random(in: 0...9, using: &random)))
        }
      }
      let correction = ClockCorrection(clocks)
      XCTAssertEqual(readings.map { correction.corrected($0.recorded) }, readings.map(\.true), "\(clocks)")
    }
  }

  // MARK: What is said

  private func sentence(_ runs: TraceMetadata.Run...) -> String? {
    var metadata = TraceMetadata(path: "a.csv-metadata.json")
    metadata.runs = runs
    return metadata.notCorrected("a.csv")
  }

  private func run(_ isSynchronised: Bool?, _ changes: Change...) -> TraceMetadata.Run {
    .init(clocks: .init(began: 0, offset: 100, isSynchronised: isSynchronised, changes: changes))
  }

  func testWhatIsSaidOfTimesThatStay() {
    let set = Change(time: 5, cause: .set, offset: 200)
    let suspend = Change(time: 5, cause: .suspend, offset: 200, suspended: 100)
    XCTAssertNil(sentence(run(false, set)))
    XCTAssertNil(sentence(run(true), run(false, set)))
    XCTAssertNil(sentence(run(true, suspend)))
    XCTAssertEqual(
      sentence(run(true)), "no time of a.csv is corrected, because its clock was right from the beginning")
    XCTAssertEqual(
      sentence(run(false)),
      "no time of a.csv is corrected, because its clock was not synchronised, and was not set during the recording")
    XCTAssertEqual(
      sentence(.init()),
      "no time of a.csv is corrected, because its metadata does not say whether the clock was right")
    XCTAssertEqual(
      sentence(run(false, suspend)),
      "the times of a.csv are corrected for suspends only, because its clock was not synchronised, and was not set "
        + "during the recording")
    XCTAssertEqual(
      sentence(.init(), run(false, set)),
      "the times of 1 of the 2 runs in a.csv are not corrected, because their metadata does not say whether the clock "
        + "was right")
  }
}
