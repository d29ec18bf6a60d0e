#if SLUICE_CURL
  import Foundation
  import TestFiles
  import XCTest

  @testable import SluicePipeline

  /// What is said without a server: Tests/Fleet has the rest.
  final class ResendCommandTests: CommandTestCase {
    func testWrongUsage() throws {
      for (arguments, part) in [
        ("", "resend --spool DIR"), ("--spool s --to 5", "give --from too"),
        ("--spool s --from 5 --to 4", "is before --from 5"),
        ("--spool s --spool-full block", "sluice record and replay have it"),
        ("--spool s --from 4611686018427387904", "up to 4611686018427387903"),
        ("--spool s --from 0 --to 18446744073709551615", "up to 4611686018427387903"),
      ] {
        let said = try run("resend \(arguments)", status: 64)
        XCTAssertTrue(said.contains(part), "\(arguments): \(said)")
      }
      XCTAssertTrue(try run("resend --spool nowhere", status: 1).contains("cannot read the spool nowhere"))
      try FileManager.default.createDirectory(atPath: "\(folder)/empty", withIntermediateDirectories: false)
      XCTAssertTrue(try run("resend --spool empty", status: 1).contains("there is no spool"))
    }

    /// The help is a text, because making it from the table would cost each start.
    func testTheHelpNamesEachSetting() throws {
      let help = try run("help --server").split(whereSeparator: \.isWhitespace).joined(separator: " ")
      for setting in SendingPlan.serverKeys { XCTAssertTrue(help.contains(setting.key), setting.key) }
    }

    func testOptionsOfServersNeedOne() throws {
      XCTAssertTrue(
        try run("record sim:imu -o a.csv --spool s", status: 64).contains("for an output that is a server"))
      let said = try run("record sim:imu -o http://h/write --server tokenfile=x", status: 64)
      XCTAssertTrue(said.contains("did you mean token-file?"), said)
      XCTAssertTrue(try run("doctor --probe", status: 64).contains("are for a server"))
    }

    /// The port 9 of this machine has nobody.
    func testAServerThatIsAway() throws {
      let said = try run(
        "record sim:meter --count 2 -o http://127.0.0.1:9/write?db=x --spool s --server board=b")
      XCTAssertTrue(said.contains("there is no connection to 127.0.0.1, port 9"), said)
      XCTAssertTrue(said.contains("2 readings wait in s/http_127.0.0.1_9_write_db_x-"), said)
      XCTAssertTrue(try run("resend --spool s --from 7", status: 1).contains("nothing is to be sent"))
      let last = try run("resend --spool s --from 4611686018427387903", status: 1)
      XCTAssertTrue(last.contains("does not have number 4611686018427387903"), last)
      // Other streams do not prevent a start.
      let aside = try run("record sim:imu --count 2 -o http://127.0.0.1:9/write?db=x --spool s")
      XCTAssertTrue(aside.contains("it has 2 readings of other streams"), aside)
      XCTAssertTrue(aside.contains(".old-1"), aside)
      for option in ["--spool-size 99999999999999999999G", "--server send-timeout=99999999999999999999s"] {
        _ = try run("record sim:imu --count 2 -o http://127.0.0.1:9/write?db=x --spool s \(option)", status: 64)
      }
      XCTAssertTrue(try run("doctor http://127.0.0.1:9/write?db=x", status: 1).contains("there is no connection"))
    }

    #if SLUICE_MQTT
      func testABrokerThatIsAway() throws {
        try InstalledLibrary.mosquitto.needed()
        let said = try run("record sim:meter --count 2 -o mqtt://127.0.0.1:9/plant --spool s --server board=b")
        XCTAssertTrue(said.contains("there is no connection to 127.0.0.1, port 9"), said)
        XCTAssertTrue(said.contains("2 readings wait in s/mqtt_127.0.0.1_9_plant-"), said)
        XCTAssertTrue(try run("resend --spool s --from 7", status: 1).contains("nothing is to be sent"))
        XCTAssertTrue(try run("doctor mqtt://127.0.0.1:9/plant", status: 1).contains("there is no connection"))
      }

      func testWhatABrokerDoesNotTake() throws {
        for (arguments, status, part) in [
          ("-o mqtt://127.0.0.1:9", Int32(64), "does not say the topic"),
          ("-o mqtt://127.0.0.1:9/a/#", 64, "+ or #"),
          ("-o mqtt://127.0.0.1:9/t --format jsonl", 1, "such a server takes csv"),
          ("-o mqtt://127.0.0.1:9/t --time iso", 64, "--time is for CSV and JSON Lines"),
          ("-o mqtt://127.0.0.1:9/t --header-units", 64, "--header-units is for CSV"),
          ("-o mqtt://127.0.0.1:9/t --layout long", 64, "--layout is for CSV"),
          ("-o mqtt://127.0.0.1:9/t --rotate 1h", 1, "it is no file"),
          ("-o mqtt://127.0.0.1:9/t --server token-file=x", 64, "login-file="),
          ("-o mqtt://127.0.0.1:9/t --server login-file=nowhere", 1, "login-file"),
          ("-o mqtt://127.0.0.1:9/t --server mqtt=4", 64, "mqtt takes 5, 3.1.1"),
        ] {
          let said = try run("record sim:meter --count 1 \(arguments)", status: status)
          XCTAssertTrue(said.contains(part), "\(arguments): \(said)")
        }
      }
    #endif
  }
#endif
