#if SLUICE_HTTP
  import Foundation
  import SluiceArguments
  import TestFiles
  import SluiceReadings
  import XCTest

  @testable import SluiceTool

  final class ViewerOptionsTests: CommandTestCase {
    private func refusal(_ arguments: String) -> String {
      let arguments = arguments.split(separator: " ").map(String.init)
      do {
        _ = try parsed(arguments)
        return ""
      } catch {
        return (error as? Fault)?.text ?? "\(error)"
      }
    }

    func testWhatIsRefused() {
      let record = "record timer:1ms -o -"
      for option in ["--http-token t", "--http-origin https://a", "--http-control"] {
        let name = option.prefix { $0 != " " }
        XCTAssertEqual(
          refusal("\(record) \(option)"), "\(name) is for --http; give --http too; see 'sluice record --help'")
      }
      for address in ["x", "80808", "board:80", "unix:", "1.2.3:4"] {
        XCTAssertTrue(refusal("\(record) --http \(address)").hasPrefix("--http takes a port"), address)
      }
      for address in ["80", "0.0.0.0:80", "[::1]:80", "unix:/tmp/s", "localhost:1"] {
        XCTAssertEqual(refusal("\(record) --http \(address)"), "", address)
      }
      XCTAssertTrue(refusal("replay a.csv -o b.csv --http 80").contains("give --rate too"))
      XCTAssertEqual(refusal("replay a.csv -o b.csv --http 80 --rate 1"), "")
    }

    func testNothingIsWrittenIfItCannotListen() throws {
      let said = try run("record timer:1ms --count 3 -o t.csv --http 0.0.0.0:0", status: 64)
      XCTAssertTrue(said.contains("give a token with --http-token"), said)
      XCTAssertTrue(
        try run("record timer:1ms --count 3 -o t.csv --http 0 --http-token t", status: 1).contains("head -c 24"))
      XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder), [])
    }

    func testARecordingIsTheSameWithViewers() throws {
      let version = try run("--version")
      try XCTSkipUnless(version.contains("libwebsockets"), "this build has no libwebsockets; see make demo")
      try InstalledLibrary.websockets.needed()
      let said = try run("record sim:imu@500,seed=4 --count 300 -o t.csv --http 0")
      XCTAssertTrue(said.contains("watch it at http://127.0.0.1:"), said)
      XCTAssertTrue(said.contains("300 written, nothing lost"), said)
      let quiet = try run("record sim:imu@500,seed=4 --count 3 -o u.csv --quiet --http unix:\(folder)/socket")
      XCTAssertEqual(quiet, "")
      XCTAssertFalse(FileManager.default.fileExists(atPath: "\(folder)/socket"))
    }

    func testAConversionHasNoViewers() throws {
      XCTAssertTrue(refusal("convert a.csv -o b.csv --http 80").hasPrefix("unknown option '--http'"))
    }
  }
#endif
