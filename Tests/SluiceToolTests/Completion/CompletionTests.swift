import Foundation
import SluiceArguments
import SluicePipeline
import SluiceReadings
import XCTest

@testable import SluiceDevices
@testable import SluiceTool

/// What the command answers to the scripts of shells. Tests/Packages/completions asks the shells themselves.
final class CompletionTests: CommandTestCase {
  private func makeDevices() throws {
    let device = "sys/bus/iio/devices/iio:device0"
    for (file, text) in [
      ("name", "bmi160"), ("in_temp_raw", "7"), ("in_temp_input", "7"), ("buffer/enable", "0"),
      ("scan_elements/in_accel_x_en", "0"), ("scan_elements/in_accel_x_index", "0"),
      ("scan_elements/in_accel_x_type", "le:s16/16>>0"), ("scan_elements/in_accel_y_en", "0"),
      ("scan_elements/in_accel_y_index", "1"), ("scan_elements/in_accel_y_type", "le:s16/16>>0"),
      ("events/in_accel_x_thresh_rising_en", "1"), ("events/in_accel_x_thresh_rising_value", "300"),
    ] { try put("\(device)/\(file)", text) }
    try put("sys/bus/iio/devices/trigger0/name", "tick")
    for chip in 0...1 {
      try put("sys/class/hwmon/hwmon\(chip)/name", "ina219")
      try put("sys/class/hwmon/hwmon\(chip)/in1_input", "48500")
    }
    try put("sys/class/thermal/thermal_zone0/type", "cpu-thermal")
    try put("sys/class/thermal/thermal_zone0/temp", "47774")
  }

  /// Asks as the script of a shell does: the words behind `sluice record`, the last one with the cursor at its end.
  private func complete(
    _ words: String..., shell: String = "bash", command: [String] = ["record", "--root", "."]
  ) throws -> [String] {
    let all = ["---complete", shell] + command + words
    let answer = try runShell("$SLUICE " + all.map { "'\($0)'" }.joined(separator: " "))
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    XCTAssertEqual(answer.first, "words")
    return answer.dropFirst().dropLast().map { $0 }
  }

  func testKindsComeFirst() throws {
    let kinds = SourceKinds.names.map { "\($0):" }
    XCTAssertEqual(try complete(""), kinds)
    XCTAssertEqual(try complete("door=g"), kinds.map { "door=\($0)" })
    XCTAssertEqual(try complete("there is none:"), [])
  }

  func testDevicesAndTheirParts() throws {
    try makeDevices()
    XCTAssertEqual(try complete("iio:"), ["iio:bmi160", "iio:bmi160:"])
    XCTAssertEqual(
      try complete("walk=iio:bmi160:"), ["walk=iio:bmi160:accel_x", "walk=iio:bmi160:accel_y"])
    XCTAssertEqual(
      try complete("iio:iio:device0:accel_"), ["iio:iio:device0:accel_x", "iio:iio:device0:accel_y"])
    XCTAssertEqual(
      try complete("iio-events:bmi160:"), ["iio-events:bmi160:accel_x_thresh_rising"])
    XCTAssertEqual(
      try complete("poll:"),
      [
        "poll:iio:bmi160:temp@", "poll:hwmon:hwmon0:in1@", "poll:hwmon:hwmon1:in1@", "poll:thermal:cpu-thermal@",
      ])
    XCTAssertEqual(try complete("poll:thermal:cpu-thermal@").last, "poll:thermal:cpu-thermal@1s")
    XCTAssertEqual(try complete("sim:"), ["sim:imu", "sim:meter"])
  }

  func testWhatWasGivenIsNotOfferedAgain() throws {
    try makeDevices()
    let words = try complete("iio:bmi160:accel_x,watermark=4,")
    XCTAssertTrue(words.contains("iio:bmi160:accel_x,watermark=4,accel_y"), "\(words)")
    XCTAssertTrue(words.contains("iio:bmi160:accel_x,watermark=4,trigger="), "\(words)")
    XCTAssertTrue(words.contains("iio:bmi160:accel_x,watermark=4,si"), "\(words)")
    XCTAssertFalse(words.contains { $0.hasSuffix("accel_x") || $0.hasSuffix(",watermark=") }, "\(words)")
    XCTAssertEqual(
      try complete("iio:bmi160,trigger="), ["iio:bmi160,trigger=tick", "iio:bmi160,trigger=hrtimer:"])
    XCTAssertEqual(
      try complete("gpio:gpiochip0:3,edges=").map { $0.split(separator: "=").last },
      [
        "both", "rising", "falling",
      ])
  }

  func testAPlanTakesWhatTheCommandTakes() throws {
    try makeDevices()
    XCTAssertEqual(try complete("", command: ["plan", "check"]), ["record", "replay", "convert"])
    XCTAssertEqual(
      try complete("iio:bmi160:", command: ["plan", "json", "record", "--root", "."]), try complete("iio:bmi160:"))
    XCTAssertEqual(try complete("sim:", command: ["plan", "json"]), ["sim:imu", "sim:meter"])
    XCTAssertTrue(try complete("--thr", command: ["plan", "explain", "replay", "a.csv"]).contains("--throttle"))
    XCTAssertTrue(try complete("", command: ["plan"]).contains("explain"))
    XCTAssertEqual(try runShell("$SLUICE ---complete bash plan check wal"), "files\n\nyaml\nyml\njson\n")
  }

  func testNamesOfCommandsAndOptions() throws {
    XCTAssertTrue(try complete("re", command: []).contains("record"))
    XCTAssertEqual(try complete("", command: ["service"]), ["install", "status", "run"])
    let options = try complete("--", command: ["record", "--count", "3", "-o", "a.csv"])
    XCTAssertTrue(options.contains("--throttle") && options.contains("--no-live") && options.contains("--output"))
    XCTAssertFalse(options.contains("--count"), "it is given")
    XCTAssertEqual(try complete("", command: ["record", "--layout"]), ["wide", "long"])
    XCTAssertFalse(options.contains("--edges") || options.contains("--gpio"), "old forms are not offered")
    XCTAssertTrue(try complete("", command: ["help", "record"]).contains("stages"))
    XCTAssertTrue(try complete("", command: ["record", "--", "--count"]).contains("sim:"))
  }

  func testFilesAreTheShells() throws {
    for (words, answer) in [
      ("record sim:imu -o wal", "files\n\n"), ("record sim:imu --output=wal", "files\n--output=\n"),
      ("record sim:imu -owal", "files\n-o\n"), ("record --station x", "files\n\nyaml\nyml\n"),
      ("record --wait-on-disk=", "folders\n--wait-on-disk=\n"), ("replay a", "files\n\n"),
      ("convert a.csv ''", "files\n\n"),
      ("replay a.csv ''", "words\n"), ("convert --join hold a", "files\n\n"),
      ("convert --join ex", "words\nhold\nexact\n"),
      ("service run n -", "words\n"),
    ] {
      #if !SLUICE_YAML
        if words.contains("--station") { continue }
      #endif
      XCTAssertEqual(try runShell("$SLUICE ---complete bash \(words)"), answer, words)
    }
  }

  func testShellsHaveFormsOfTheirOwn() throws {
    try makeDevices()
    XCTAssertEqual(try complete("iio:", shell: "fish"), ["iio:bmi160\t2 channels", "iio:bmi160:\t2 channels"])
    XCTAssertEqual(try complete("iio:", shell: "zsh"), ["iio\\:bmi160:2 channels", "iio\\:bmi160\\::2 channels"])
  }

  func testWithoutDevicesThereIsNothingToOffer() throws {
    for word in ["gpio:", "gpio:gpiochip0:", "gpio-name:", "gpio-values:", "iio:", "iio:0:", "iio-events:", "poll:"] {
      XCTAssertEqual(try complete(word), [], word)
    }
    // As if the folder could not be read.
    try put("sys/bus/iio/devices", "no folder")
    XCTAssertEqual(try complete("iio:"), [])
    XCTAssertEqual(try complete("gpio:a:b:c=,@,,=:"), [])
  }

  func testLinesThatAreFreeByNameAndNumber() {
    func line(_ offset: UInt32, _ name: String?, _ consumer: String? = nil, isOutput: Bool = false) -> GPIOLineInfo {
      GPIOLineInfo(offset: offset, name: name, consumer: consumer, isOutput: isOutput, isActiveLow: false)
    }
    let chip = GPIOChipInfo(
      path: "/dev/gpiochip0", name: "gpiochip0", label: "board",
      lines: [
        line(0, "METER"), line(1, "LED", "leds"), line(2, nil), line(3, "RELAY", isOutput: true), line(4, "A,B"),
        line(5, "$(reboot)"), line(6, "two\nlines"), line(7, "TWICE"), line(8, "TWICE"),
      ])
    let completion = SourceCompletion(roots: DeviceRoots(), kinds: [Chips(listing: GPIOListing(chips: [chip]))])
    func words(_ word: String) -> [String] { completion.candidates(word).compactMap { $0.text(for: .bash) } }
    XCTAssertEqual(words("gpio:"), ["gpio:gpiochip0:"])
    XCTAssertEqual(
      words("gpio:gpiochip0:").map { $0.dropFirst("gpio:gpiochip0:".count) },
      ["METER", "$(reboot)", "0", "2", "4", "5", "6", "7", "8"])
    XCTAssertEqual(
      words("gpio:board:METER,0,2,4,5,6,").prefix(3).map { $0.split(separator: ",").last }, ["$(reboot)", "7", "8"])
    XCTAssertEqual(words("gpio-values:gpiochip0:M").first, "gpio-values:gpiochip0:METER@")
    XCTAssertEqual(words("gpio-name:"), ["gpio-name:METER", "gpio-name:$(reboot)"])
    XCTAssertEqual(words("gpio-name:METER,").first, "gpio-name:METER,$(reboot)")
  }
}

private struct Chips: DeviceKind {
  let name = "gpio"
  let title = "GPIO"
  let sources: [any SourceKind.Type] = [GPIOSource.self, GPIONameSource.self, GPIOValuesSource.self]
  let listing: GPIOListing

  func list(_ roots: DeviceRoots) -> any DeviceListing { listing }

  /// A label may be any text. Its commas and equals signs cannot be written in a source.
  func testNamesThatCannotBeWrittenAreNotOffered() {
    let completion = SourceCompletion(roots: DeviceRoots(), kinds: [LabelledKind()])
    XCTAssertEqual(completion.candidates("gpio:").map(\.word), ["gpio:gpiochip7:"])
    // This trapped: the label stands before a comma that does not end it.
    XCTAssertEqual(completion.candidates("gpio:a,b:3,").filter { !$0.word.hasSuffix(",DOOR") }, settings)
    XCTAssertEqual(completion.candidates("gpio:gpiochip7:3,").map(\.word).first, "gpio:gpiochip7:3,DOOR")
  }

  private var settings: [Candidate] {
    GPIOSource.keys.map { Candidate(word: "gpio:a,b:3,\($0.isFlag ? $0.name : "\($0.name)=")") }
  }
}

private struct LabelledKind: DeviceKind {
  let name = "gpio"
  let title = "GPIO"
  let sources: [any SourceKind.Type] = [GPIOSource.self]

  func list(_ roots: DeviceRoots) -> any DeviceListing { LabelledListing() }
}

private struct LabelledListing: DeviceListing {
  var blocks: [[String]] { [] }
  var devices: [ListedDevice] { [] }
  var members: [(String, JSON)] { [] }
  var failures: [SluiceError] { [] }
  var sources: [ListedSource] {
    let parts = ["3", "DOOR", "x,y"].map { ListedSource.Part(name: $0, what: "line") }
    return [
      ListedSource(GPIOSource.self, ["gpiochip7", "a,b"], "8 lines", parts),
      ListedSource(GPIOSource.self, ["c=d", "gpiochip8"], "8 lines", parts),
    ]
  }
}
