import Foundation
import SluiceReadings
import XCTest

@testable import SluiceDevices

final class GPIOLinesTests: XCTestCase {
  private func chip(_ number: Int, _ names: [String?]) -> GPIOChipInfo {
    GPIOChipInfo(
      path: "/dev/gpiochip\(number)", name: "gpiochip\(number)", label: "test",
      lines: names.enumerated().map {
        GPIOLineInfo(offset: UInt32($0), name: $1, consumer: nil, isOutput: false, isActiveLow: false)
      })
  }

  private var board: GPIOChips.Scan {
    GPIOChips.Scan(chips: [chip(0, ["METER", nil, "LED", "LED"]), chip(1, ["DOOR", "METER", "WINDOW"])])
  }

  private func refusal(_ body: () throws(SluiceError) -> Void) -> SluiceError? {
    do throws(SluiceError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  func testNamesAreFoundOnAnyChip() throws {
    let found = try GPIOLines.locate(["WINDOW", "DOOR"], in: board)
    XCTAssertEqual(found.map(\.chip.name), ["gpiochip1", "gpiochip1"])
    XCTAssertEqual(found.map(\.line.offset), [2, 0])
  }

  func testWhatIsAmbiguousIsRefusedWithBothPlaces() {
    let board = board
    for (name, places) in [("METER", "gpiochip0:0 and gpiochip1:1"), ("LED", "gpiochip0:2 and gpiochip0:3")] {
      let error = refusal { () throws(SluiceError) in _ = try GPIOLines.locate([name], in: board) }
      XCTAssertEqual(error?.code, .usage)
      XCTAssertTrue(error?.cause.contains(places) == true, error?.description ?? "")
    }
    let error = refusal { () throws(SluiceError) in _ = try GPIOLines.resolve(["LED"], in: board.chips[0]) }
    XCTAssertTrue(error?.cause.contains("gpiochip0:2 and gpiochip0:3") == true, error?.description ?? "")
  }

  func testAnUnknownNameGetsTheNearest() {
    let board = board
    let error = refusal { () throws(SluiceError) in _ = try GPIOLines.locate(["windov"], in: board) }
    XCTAssertEqual(error?.code, .notFound)
    XCTAssertEqual(error?.remedy, "did you mean WINDOW?")
    let far = refusal { () throws(SluiceError) in _ = try GPIOLines.locate(["PUMP"], in: board) }
    XCTAssertEqual(far?.remedy, "there are METER, LED, LED, DOOR, METER, WINDOW")
    let offset = refusal { () throws(SluiceError) in _ = try GPIOLines.resolve(["9"], in: board.chips[1]) }
    XCTAssertTrue(offset?.remedy?.contains("0 to 2") == true)
    let near = refusal { () throws(SluiceError) in _ = try GPIOLines.resolve(["DORR"], in: board.chips[1]) }
    XCTAssertEqual(near?.remedy, "did you mean DOOR?")
  }

  func testAChipThatCannotBeLookedAtIsTheReason() {
    var board = board
    board.refusals = [SluiceError("open", "/dev/gpiochip2", errno: EACCES)]
    let error = refusal { [board] () throws(SluiceError) in _ = try GPIOLines.locate(["PUMP"], in: board) }
    XCTAssertEqual(error?.code, .permissionDenied)
    XCTAssertEqual(error?.object, "/dev/gpiochip2")
  }

  func testALineIsNamedOnce() {
    let board = board
    let error = refusal { () throws(SluiceError) in _ = try GPIOLines.locate(["DOOR", "DOOR"], in: board) }
    XCTAssertEqual(error?.code, .usage)
    XCTAssertEqual(error?.remedy, "name it once")
    let other = refusal { () throws(SluiceError) in _ = try GPIOLines.resolve(["0", "METER"], in: board.chips[0]) }
    XCTAssertEqual(other?.code, .usage)
    XCTAssertEqual(other?.remedy, "name it once")
  }

  func testThereAreNoRanges() {
    let chip = board.chips[0]
    for (range, remedy) in [
      ("0-3", "name each line: 0,1,2,3"),
      ("5-99", "name each line: 5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20 and so on"),
    ] {
      let error = refusal { () throws(SluiceError) in _ = try GPIOLines.resolve([range], in: chip) }
      XCTAssertEqual(error?.code, .usage)
      XCTAssertEqual(error?.cause, "there are no ranges")
      XCTAssertEqual(error?.remedy, remedy)
    }
    for name in ["3-0", "0-", "-3", "a-3", "0-3-5", "1"] {
      let error = refusal { () throws(SluiceError) in _ = try GPIOLines.resolve([name], in: self.chip(0, [nil])) }
      XCTAssertEqual(error?.code, .notFound, name)
    }
  }

  /// That its lines are missing is told where the chip is there, and where it is not there is nothing to tell.
  func testWhatSaysNoMoreThanThatTheyAreNotThere() {
    let (ofChip, byName) = (GPIOLines(chip: "sim8", lines: ["0"]), GPIOLines(names: ["METER"]))
    let scan = GPIOChips.Scan(chips: [])
    let noLine = refusal { () throws(SluiceError) in _ = try GPIOLines.resolve(["9"], in: self.chip(0, [nil])) }
    let noName = refusal { () throws(SluiceError) in _ = try GPIOLines.locate(["METER"], in: scan) }
    XCTAssertEqual(noLine.map(ofChip.isAbsence), false)
    XCTAssertEqual(noName.map(byName.isAbsence), true)
    XCTAssertTrue(ofChip.isAbsence(SluiceError("open", "/dev/gpiochip0", errno: ENOENT)))
    XCTAssertTrue(ofChip.isAbsence(SluiceError("open", "/dev/gpiochip0", errno: ENODEV)))
    XCTAssertFalse(ofChip.isAbsence(SluiceError("open", "/dev/gpiochip0", errno: EACCES)))
  }

  func testARequestTakesSixtyFourLines() throws {
    let names = (0..<65).map { "L\($0)" }
    let scan = GPIOChips.Scan(chips: [chip(0, names)])
    XCTAssertEqual(try GPIOLines.locate(Array(names.dropLast()), in: scan).count, 64)
    let error = refusal { () throws(SluiceError) in _ = try GPIOLines.locate(names, in: scan) }
    XCTAssertEqual(error?.remedy, "name 1 to 64 lines")
    XCTAssertEqual(error?.cause, "there are 65")
  }
}
