import SluiceArguments
import SluiceReadings
import XCTest

@testable import SluiceTool

final class WrongUsageTests: XCTestCase {
  private func sentence(_ arguments: String...) throws -> String { try sentence(arguments) }

  private func sentence(_ arguments: [String]) throws -> String {
    do {
      _ = try parsed(arguments)
    } catch let fault as Fault {
      return fault.text
    }
    return "it is right"
  }

  func testAnUnknownCommand() throws {
    XCTAssertEqual(
      try sentence("recrod", "timer:1ms"), "there is no command recrod; did you mean record? See 'sluice --help'")
    XCTAssertTrue(
      try sentence("frobnicate").hasPrefix("there is no command frobnicate; the commands are record, replay,"))
  }

  func testADateThatIsNone() throws {
    for date in ["2300-01-01", "2026-13-01"] {
      XCTAssertEqual(
        try sentence("info", "t.csv", "--from", date),
        "--from takes T, not \(date): a date is of 1678 to 2261, in a form such as 2026-11-21T12:00:00Z; see 'sluice info --help'"
      )
    }
  }

  /// What a misspelt option was to say is missing, which is found out first.
  func testAMisspeltOptionIsNamedFirst() throws {
    XCTAssertEqual(
      try sentence("record", "timer:1ms", "--ouput", "t.csv"),
      "unknown option '--ouput'; did you mean '--output'? See 'sluice record --help'")
    XCTAssertEqual(try sentence("record", "--frobnicate"), "unknown option '--frobnicate'; see 'sluice record --help'")
    XCTAssertTrue(try sentence("record", "timer:1ms").hasPrefix("say where to write"))
    XCTAssertEqual(
      try sentence("help", "recrod"),
      "there is no command and no option recrod; did you mean 'sluice help record'? See 'sluice --help'")
  }

  func testUnknownOptions() throws {
    XCTAssertEqual(
      try sentence("record", "timer:1ms", "--duraton", "5s", "-o", "-"),
      "unknown option '--duraton'; did you mean '--duration'? See 'sluice record --help'")
    XCTAssertEqual(
      try sentence("record", "iio:dummy0", "-s", "100", "-o", "-"),
      "unknown option '-s'; for -s of iio_readdev, give --count; see 'sluice record --help'")
    XCTAssertEqual(
      try sentence("record", "iio:dummy0", "-u", "ip:board", "-o", "-"),
      "unknown option '-u'; sluice reads the devices of its own machine: run it there, for example with ssh;"
        + " see 'sluice record --help'")
  }

  func testWhatStandsInThePlaceOfSomethingElse() throws {
    XCTAssertEqual(
      try sentence("record", "timer:1ms", "-o", "-", "--plot"),
      "unknown option '--plot'; plot is a command of its own: sluice plot; see 'sluice record --help'")
    XCTAssertEqual(
      try sentence("record", "s.yaml"),
      "s.yaml is a file that describes a whole recording: give it with --station s.yaml; see 'sluice record --help'")
    XCTAssertTrue(try sentence("record", "s.json").contains("give it with --plan s.json"))
  }

  /// What had two names has one.
  func testEarlierNames() throws {
    XCTAssertEqual(
      try sentence("replay", "a.csv", "--start", "5s", "-o", "-"),
      "unknown option '--start'; its name is now --from; see 'sluice replay --help'")
    XCTAssertEqual(
      try sentence("plot", "a.csv", "--channels", "x"),
      "unknown option '--channels'; its name is now --select; see 'sluice plot --help'")
    XCTAssertFalse(try sentence("record", "timer:1ms", "--start", "5s", "-o", "-").contains("--from"))
  }

  /// A suggestion is near, or the option of another command.
  func testOptionsOfOtherCommands() throws {
    XCTAssertEqual(
      try sentence("replay", "a.csv", "--si", "-o", "-"),
      "unknown option '--si'; si is a key behind a source of sluice record; see 'sluice replay --help'")
    let json = try sentence("record", "timer:1ms", "--json", "-o", "-")
    XCTAssertTrue(json.hasPrefix("unknown option '--json'; sluice info, diff, "), json)
    XCTAssertTrue(json.hasSuffix(" have it; see 'sluice record --help'"), json)
    XCTAssertEqual(
      try sentence("plot", "a.csv", "--tp"), "unknown option '--tp'; did you mean '--to'? See 'sluice plot --help'")
    XCTAssertEqual(try sentence("plot", "a.csv", "--qq"), "unknown option '--qq'; see 'sluice plot --help'")
  }

  func testHelpOfOneOption() throws {
    let text = try XCTUnwrap(page(["help", "throttle"]))
    XCTAssertTrue(text.hasPrefix("sluice record, sluice replay:\n  --throttle <T[:first]>"), text)
    XCTAssertFalse(text.contains("--every"), text)
    XCTAssertEqual(try page(["help", "--throttle"]), text)
    XCTAssertTrue(try page(["help", "-o"])?.contains("sluice plot:\n  -o, --output <FILE.svg|.png|.pdf|->") ?? false)
    XCTAssertThrowsError(try page(["help", "throtle"]))
  }

  func testValuesWithAMinusSign() throws {
    for (arguments, end) in [
      (["--count", "-1"], "--count takes N, not -1: N is a whole number of 1 or more"),
      (["--max-loss", "-1"], "--max-loss takes N, not -1: N is a whole number of 0 or more"),
      (["--duration", "-1s"], "--duration takes T, not -1s: a time is more than zero"),
      (["--every", "0"], "--every takes N, not 0: N is a whole number, 1 or more"),
      (["--collect", "0"], "--collect takes N or T or N,T, not 0: it is more than 0"),
    ] {
      XCTAssertEqual(
        try sentence(["record", "timer:1ms", "-o", "-"] + arguments), "\(end); see 'sluice record --help'")
    }
    XCTAssertNoThrow(try parsed(["record", "sim:imu", "--where", "-1 < accel_x", "-o", "-"]))
  }

  func testATimeWithoutItsUnit() throws {
    XCTAssertEqual(
      try sentence("record", "timer:1ms", "--duration", "5", "-o", "-"),
      "--duration takes T, not 5: a time has a unit, such as 5ms, 5s or 5m; see 'sluice record --help'")
    XCTAssertEqual(
      try sentence("replay", "x", "--settle", "door=5", "-o", "-"),
      "--settle takes [LINE=]T, not door=5: a time has a unit, such as 5ms, 5s or 5m; see 'sluice replay --help'")
    XCTAssertEqual(
      try sentence("replay", "x", "--reduce", "5w:min", "-o", "-"),
      "--reduce takes T[:min,mean,max,count], not 5w:min: the units of time are ns, us, ms, s, m, h and d; see 'sluice replay --help'"
    )
    XCTAssertEqual(
      try sentence("replay", "x", "--resample", "0s", "-o", "-"),
      "--resample takes T[:mean|last|linear], not 0s: a time is more than zero; see 'sluice replay --help'")
    XCTAssertEqual(
      try sentence("replay", "x", "--resample", "1s:median", "-o", "-"),
      "--resample takes T[:mean|last|linear], not 1s:median; see 'sluice replay --help'")
  }

  func testSizesAndShortOptionsAsElsewhere() throws {
    XCTAssertEqual(
      try sentence("record", "timer:1ms", "--min-free", "100", "-o", "-"),
      "--min-free takes SIZE, not 100: a size has a unit, such as 100k, 100M or 100G; see 'sluice record --help'")
    XCTAssertTrue(try sentence("record", "iio:adc", "-b", "256", "-o", "-").contains("IIO device is length=; see"))
    let command = try parsed(["record", "timer:1ms", "-n10", "-o", "-"]) as? RecordCommand
    XCTAssertEqual(command?.output.plan.limits.count, 10)
    let misspelt = try sentence("record", "timer:1ms", "--quiet=yes", "-o", "-")
    XCTAssertFalse(misspelt.contains(".;"), misspelt)
  }

  /// Nothing is written into sysfs that no driver can parse.
  func testARateInHertz() throws {
    for rate in ["200Hz", "1kHz", "-5", "0", "0.0", "1e3", ".5", "5.", "1.2.3", "x"] {
      let sentence = try sentence("record", "iio:adc", "--sample-rate=\(rate)", "-o", "-")
      XCTAssertTrue(sentence.contains("HZ is a number of hertz, such as 200 or 12.5"), sentence)
    }
    for rate in ["200", "12.5", "0.001"] {
      XCTAssertNoThrow(try parsed(["record", "iio:adc", "--sample-rate", rate, "-o", "-"]))
    }
  }

  func testOtherValues() throws {
    XCTAssertEqual(
      try sentence("record", "timer:1ms", "--pause-mode", "sleep", "-o", "-"),
      "--pause-mode takes hold or discard or spill, not sleep; see 'sluice record --help'")
    XCTAssertEqual(
      try sentence("list", "frob"),
      "there is no kind frob; the names are gpio, iio, input, pps, serial, hwmon, thermal, can; see 'sluice list --help'"
    )
    XCTAssertEqual(
      try sentence("record", "timer:1ms", "--pause-mode", "", "-o", "-"),
      "--pause-mode takes hold or discard or spill, not an empty text; see 'sluice record --help'")
  }

  func testOptionsWithoutTheirValues() throws {
    for (arguments, end) in [
      (["--throttle", "--collect", "5"], "--throttle takes T[:first]; --collect is an option"),
      (["--throttle", "--count=3"], "--throttle takes T[:first]; --count=3 is an option"),
      (["--throttle"], "--throttle takes T[:first], and nothing follows it"),
      (["-n"], "-n takes N, and nothing follows it"),
      (["--throttle", "--", "x"], "--throttle takes T[:first]; -- ends the options"),
      (["--throttle", "-5"], "--throttle takes T[:first], not -5"),
      (["--quiet=yes"], "--quiet takes no value; leave out =yes"),
      (["-nq"], "-n takes N, not q: N is a whole number of 1 or more"),
      (["-output", "x"], "unknown option '-output'; did you mean '--output'? See 'sluice record --help'"),
      (["-qx"], "unknown option '-x'"),
      (["-count"], "unknown option '-count'; did you mean '--count'? See 'sluice record --help'"),
    ] {
      XCTAssertEqual(
        try sentence(["record", "timer:1ms", "-o", "-"] + arguments),
        end.hasSuffix("'sluice record --help'") ? end : "\(end); see 'sluice record --help'")
    }
  }

  func testAnOptionWithOneValueIsGivenOnce() throws {
    for (arguments, end) in [
      (["--reduce", "1s", "--reduce=2s"], "--reduce is given twice, and takes one value"),
      (
        ["--while", "x > 1", "--while", "y > 1"],
        "--while is given twice, and takes one value; join the conditions with or, such as 'door == 1 or window == 1'"
      ),
      (["-n", "1", "-n2"], "-n is given twice, and takes one value"),
      (["-n", "1", "--count", "2"], "--count is given twice, and takes one value"),
    ] {
      XCTAssertEqual(
        try sentence(["record", "sim:imu", "-o", "a.csv"] + arguments), "\(end); see 'sluice record --help'")
    }
    for arguments in [["-o", "b.csv"], ["--where", "accel_x > 1", "--where", "accel_y > 1"], ["--force", "--force"]] {
      XCTAssertNoThrow(try parsed(["record", "sim:imu", "-o", "a.csv"] + arguments))
    }
  }

  func testWordsBehindACommandWithCommands() throws {
    XCTAssertEqual(
      try sentence("service", "instal", "a.yaml"),
      "service has no command instal; did you mean install? See 'sluice service --help'")
    XCTAssertEqual(
      try sentence("service", "install"), "missing argument '<FILE>'; see 'sluice service install --help'")
    XCTAssertEqual(try sentence("replay", "a", "b", "-o", "x"), "unexpected argument 'b'; see 'sluice replay --help'")
    XCTAssertEqual(try sentence("--frobnicate"), "unknown option '--frobnicate'; see 'sluice --help'")
  }

  func testWhatIsMissing() throws {
    XCTAssertEqual(try sentence("replay"), "missing argument '<TRACE>'; see 'sluice replay --help'")
    XCTAssertEqual(
      try sentence("record", "timer:1ms"), "say where to write: -o FILE, -o DIR/ or -o -; see 'sluice record --help'")
  }
}
