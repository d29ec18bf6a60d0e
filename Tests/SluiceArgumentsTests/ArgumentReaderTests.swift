import SluiceReadings
import XCTest

@testable import SluiceArguments

final class ArgumentReaderTests: XCTestCase {
  private func sort(_ line: String) throws -> SortCommand { try SortCommand.parse(words(line)) }

  private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

  private func fault(_ line: String) -> Fault? {
    do throws(Fault) { _ = try SortCommand.parse(words(line)) } catch { return error }
    return nil
  }

  func testAllWaysToWriteAnOption() throws {
    for line in ["a --count 3", "a --count=3", "a -n 3", "a -n3", "a -n=3", "--count 3 a", "a -qn3", "a -qn 3"] {
      XCTAssertEqual(try sort(line).count, 3, line)
      XCTAssertEqual(try sort(line).first, "a", line)
      XCTAssertEqual(try sort(line).quick, line.contains("q"), line)
    }
    let joined = try sort("a -qsc red")
    XCTAssertTrue(joined.quick && joined.paint.shiny && joined.paint.colour == .red)
    XCTAssertEqual(try sort("a --tag=").tags, [""])
    XCTAssertEqual(try sort("a --tag=x=y").tags, ["x=y"])
  }

  func testAnArrayTakesAllValuesAndAnotherPlaceOne() throws {
    XCTAssertEqual(try sort("a -t 1 --tag 2 -t3").tags, ["1", "2", "3"])
    XCTAssertEqual(fault("a -n 1 --count 2"), .twice(option: "--count", remedy: nil))
    XCTAssertEqual(fault("a --order up --order down"), .twice(option: "--order", remedy: "there is one order"))
    XCTAssertEqual(try sort("a --coats 20").paint.coats.value, 20)
    XCTAssertEqual(fault("a --coats 20 --coats 20"), .twice(option: "--coats", remedy: nil))
    XCTAssertNil(fault("a -q -q --live --no-live"))
    XCTAssertEqual(try sort("a --live --no-live").live, false)
    XCTAssertEqual(try sort("a --no-live --live").live, true)
  }

  /// What begins with a dash is a value unless it is an option of the command, or looks like a misspelt one.
  func testTheWordBehindAnOptionIsItsValue() throws {
    XCTAssertEqual(try sort("a --count -3").count, -3)
    XCTAssertEqual(try sort("a -t -x -t -").tags, ["-x", "-"])
    XCTAssertEqual(fault("a --tag --frob"), .unknownOption("--frob"))
    XCTAssertEqual(try sort("a --tag=--frob").tags, ["--frob"])
    for option in ["--count", "-n", "-n3", "-qn", "--live", "--no-live", "-q", "--tag=1", "--"] {
      XCTAssertEqual(fault("a --tag \(option)"), .noValue(option: "--tag", form: "TEXT", next: option), option)
    }
    XCTAssertEqual(fault("a -t"), .noValue(option: "-t", form: "TEXT", next: nil))
    XCTAssertEqual(try sort("a --tag=--count").tags, ["--count"])
  }

  func testWordsWithoutAnOption() throws {
    let command = try sort("a -n 1 b -q c")
    XCTAssertEqual([command.first] + command.others, ["a", "b", "c"])
    XCTAssertEqual(try sort("a -- -n --count --").others, ["-n", "--count", "--"])
    XCTAssertEqual(try sort("-").first, "-")
    XCTAssertEqual(fault("-n 1"), .missing(form: "<FIRST>"))
    XCTAssertEqual(try SortCommand.parse([""]).first, "")
    XCTAssertThrowsError(try ThingCommand.parse(["nut"])) {
      XCTAssertEqual("\($0)", "missing argument '--output <DIR>'")
    }
    XCTAssertThrowsError(try ThingCommand.parse(["nail", "-o", "d"])) {
      XCTAssertEqual("\($0)", "there is no thing nail; the names are nut, bolt")
    }
  }

  func testTheRestIsForSomebodyElse() throws {
    let command = try PassCommand.parse(["--quick", "n", "--quick", "-x", "--", "y"])
    XCTAssertEqual(command.words, ["--quick", "-x", "--", "y"])
    XCTAssertTrue(command.quick)
    XCTAssertEqual(command.to, "n")
    XCTAssertEqual(try PassCommand.parse(["n"]).words, [])
  }

  func testAnOptionThatMayStandAlone() throws {
    XCTAssertEqual(try sort("a --order").order, "up")
    XCTAssertEqual(try sort("a --order=down").order, "down")
    XCTAssertEqual(try sort("a --order -q").order, "up")
    XCTAssertTrue(try sort("a --order -q").quick)
    XCTAssertEqual(try sort("a --order -x").order, "-x", "any text is an order")
    var options = try AloneOptions.parse(["--colour", "--size", "20", "x"])
    XCTAssertEqual(options.colour, .green)
    XCTAssertEqual(options.files, ["x"])
    options = try AloneOptions.parse(["--colour", "red", "--size", "x"])
    XCTAssertEqual(options.colour, .red)
    XCTAssertEqual(options.size?.value, 0)
    XCTAssertEqual(options.files, ["x"])
    XCTAssertThrowsError(try AloneOptions.parse(["--colour=blue"])) {
      XCTAssertEqual("\($0)", "--colour takes red or green, not blue")
    }
  }

  func testWhatIsNoValue() {
    XCTAssertEqual(fault("a -n x"), .unfit(option: "-n", form: "N", value: "x", why: nil))
    XCTAssertEqual(fault("a --coats 15"), .unfit(option: "--coats", form: "N", value: "15", why: "its last digit is 0"))
    XCTAssertEqual(fault("a --quick=yes"), .valueOfFlag(option: "--quick", value: "yes"))
    // The first one is said.
    XCTAssertEqual(fault("a -n x --coats 15 -c blue"), .unfit(option: "-n", form: "N", value: "x", why: nil))
  }

  /// It may be the cause of all others.
  func testAnUnknownOptionComesFirst() {
    XCTAssertEqual(fault("-n x --frob=3"), .unknownOption("--frob"))
    XCTAssertEqual(fault("a -x"), .unknownOption("-x"))
    XCTAssertEqual(fault("a -qx"), .unknownOption("-x"))
    XCTAssertEqual(fault("a -xq"), .unknownOption("-xq"))
    XCTAssertEqual(fault("a -count 3"), .unknownOption("-count"))
    XCTAssertEqual(fault("a --coun 3"), .unknownOption("--coun"), "nothing is abbreviated")
    XCTAssertEqual(fault("a --no-quick"), .unknownOption("--no-quick"))
    XCTAssertEqual(fault("a --"), nil)
  }

  func testAGroupChecksItself() throws {
    XCTAssertEqual(fault("a --shiny"), Fault("--shiny is for a colour; give --colour too"))
    XCTAssertEqual(fault("--shiny"), .missing(form: "<FIRST>"), "the first row comes first")
    XCTAssertNil(fault("a --shiny --colour green"))
  }

  func testNoticesAreSaidOnce() throws {
    var notices: [String] = []
    _ = try SortCommand.parse(["a", "--coats=90"], notices: &notices)
    XCTAssertEqual(notices, ["90 coats are many"])
    _ = try SortCommand.parse(["a", "--coats=80"], notices: &notices)
    XCTAssertEqual(notices.count, 1)
  }

  /// Random words never trap, and are read the same twice.
  func testRandomWords() {
    let parts = [
      "a", "-", "--", "-n", "-n3", "--count", "--count=3", "=", "-q", "-qs", "--tag", "--order", "", "é", "--=", "-=",
      "---",
    ]
    var state: UInt64 = 1
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    for _ in 0..<5_000 {
      let words = (0..<random(7)).map { _ in parts[random(parts.count)] }
      let first = Result { try SortCommand.parse(words) }, second = Result { try SortCommand.parse(words) }
      XCTAssertEqual("\(first)", "\(second)", "\(words)")
    }
  }
}

private struct AloneOptions: ArgumentGroup {
  var colour: Colour?
  var size: Ten?
  var files: [String] = []

  static var rows: [ArgumentRow<Self>] {
    [
      .option("colour", "red|green", "The colour.", \.colour, alone: "green"),
      .option("size", "N", "The size.", \.size, alone: "0"), .argument("FILE", "Files.", \.files, isNeeded: false),
    ]
  }
}
