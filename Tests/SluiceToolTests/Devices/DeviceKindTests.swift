import SluiceAnalysis
import SluiceDevices
import SluicePipeline
import SluiceReadings
import XCTest

@testable import SluiceTool

/// A kind of device that is not there: it is in one place, and list, doctor and bench know of it.
private struct ThereminKind: DeviceKind {
  let name = "theremin"
  let title = "theremin"
  let sources: [any SourceKind.Type] = [SimulatedSource.self, PolledSource.self]

  func list(_ roots: DeviceRoots) -> any DeviceListing { ThereminListing(path: "\(roots.dev)/theremin0") }

  func files(_ surroundings: Surroundings) -> [DeviceFile]? { [.read("\(surroundings.roots.dev)/theremin0")] }

  func findings(_ surroundings: Surroundings, restore: Bool) -> [Finding] {
    [.warning(DeviceCheck.kernel, "no theremin"), .ok("antennas", restore ? "tuned" : "out of tune")]
  }

  func measure(_ source: SourceSpec, _ benchmark: DeviceBenchmark) throws -> FurtherMeasurement {
    let run = try benchmark.record(benchmark.open(source), for: benchmark.duration)
    let octave = Figure("octave", "octave", 4)
    return FurtherMeasurement(
      figures: [octave],
      section: BenchSection(
        key: "theremin_octaves", title: "octaves",
        measurements: [Measurement(name: "fourth", figures: [Figure("lost", "lost", run.lost)])], notes: ["by ear"]))
  }
}

private struct ThereminListing: DeviceListing {
  let path: String

  var blocks: [[String]] { [["theremin0", "  poll \(path)"]] }
  var devices: [ListedDevice] { [ListedDevice(name: "theremin0", what: "two antennas", source: nil)] }
  var members: [(String, JSON)] { [("theremin", .array([.string("theremin0")]))] }
  var failures: [SluiceError] { [SluiceError(.failed, "hear", "theremin1", because: "it is silent")] }
}

final class DeviceKindTests: DoctorTestCase {
  private let kinds: [any DeviceKind] = DeviceKinds.all + [ThereminKind()]

  func testListHasIt() throws {
    try put("sys/class/thermal/thermal_zone0/type", "cpu-thermal\n")
    try put("sys/class/thermal/thermal_zone0/temp", "47774\n")
    let roots = surroundings.roots
    let own = "theremin0\n  poll \(root)/dev/theremin0\n"
    let listing = Listing(roots: roots, kinds: kinds)
    XCTAssertEqual(listing.text, Listing(roots: roots).text + "\n" + own)
    XCTAssertEqual(listing.failures.map(\.description), ["cannot hear theremin1: it is silent"])
    XCTAssertTrue(
      listing.json.text.hasSuffix(
        "], \"theremin\": [\"theremin0\"], \"failures\": [\"cannot hear theremin1: it is silent\"]}"),
      listing.json.text)
    XCTAssertEqual(Listing(["theremin"], roots: roots, kinds: kinds).text, own)
    XCTAssertEqual(Listing(["thermal"], roots: roots, kinds: kinds).text, Listing(["thermal"], roots: roots).text)
  }

  func testDoctorLooksAtItsFiles() throws {
    XCTAssertEqual(
      PermissionCheck.findings(surroundings, kinds: kinds),
      [.ok("permissions", "1 file of GPIO, IIO and theremin devices can be opened")])
    try put("dev/theremin0", mode: 0o600)
    refused["dev/theremin0"] = EACCES
    XCTAssertEqual(
      PermissionCheck.findings(surroundings, kinds: kinds).map(\.meaning),
      ["\(root)/dev/theremin0 cannot be read by pi, only by root"])
  }

  /// What it finds stands with what others find in the same check.
  func testDoctorSaysWhatItFinds() {
    let without = DeviceCheck.findings(surroundings, restore: false)
    XCTAssertEqual(without.map(\.check), ["kernel", "kernel", "libgpiod", "leftovers"])
    var expected = without
    expected.insert(.warning("kernel", "no theremin"), at: 2)
    XCTAssertEqual(
      DeviceCheck.findings(surroundings, restore: false, kinds: kinds), expected + [.ok("antennas", "out of tune")])
    XCTAssertEqual(DeviceCheck.findings(surroundings, restore: true, kinds: kinds).last?.meaning, "tuned")
  }

  /// The timer is of no kind, and a file that is polled may be of several.
  func testBenchMeasuresItsSources() throws {
    try put("number", "7\n")
    let sources = ["timer:1ms", "sim:imu", "poll:\(root)/number@1ms", "b=sim:meter"]
    var sections: [BenchSection] = []
    try DeviceBenchmark(
      sources: sources.map { try BenchSource($0) }, roots: surroundings.roots, duration: TimeSpan(nanoseconds: 1),
      interruption: Interruption(), kinds: kinds
    ).run(into: &sections)
    XCTAssertEqual(sections.map(\.key), ["theremin", "theremin_octaves", "sources"])
    XCTAssertEqual(
      sections.map { $0.measurements.map(\.name) },
      [["sim:imu", "b=sim:meter"], ["fourth", "fourth"], ["timer:1ms", "poll:\(root)/number@1ms"]])
    XCTAssertEqual(sections.map { $0.measurements.first?.figures.last?.key }, ["octave", "lost", "headroom_percent"])
    // In a nanosecond a reading may come or not.
    XCTAssertEqual(sections.map { $0.notes.filter { !$0.hasPrefix("no reading of ") } }, [[], ["by ear"], []])
  }

  func testNoTwoKindsHaveOneName() {
    XCTAssertEqual(
      DeviceKinds.all.map(\.name), ["gpio", "iio", "input", "pps", "serial", "hwmon", "thermal", "can"])
    for kind in DeviceKinds.all { XCTAssertNotNil(DeviceKindArgument(argument: kind.name)) }
    XCTAssertNil(DeviceKindArgument(argument: "theremin"))
  }
}
