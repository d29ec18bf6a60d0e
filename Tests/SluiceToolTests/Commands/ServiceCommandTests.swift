import Foundation
import TestFiles
import XCTest

/// The command with programs in the place of systemd's.
final class ServiceCommandTests: CommandTestCase {
  /// Puts a script with this name before the real programs.
  private func stand(in name: String, _ script: String) throws {
    let path = "\(folder)/bin/\(name)"
    try put("bin/\(name)", "#!/bin/sh\necho \"\(name) $*\" >>'\(folder)/called'\n\(script)")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  private func sluice(_ arguments: String, status: Int32 = 0, line: UInt = #line) throws -> String {
    try runShell(
      "PATH='\(folder)/bin:/usr/bin:/bin'; export PATH; \"$SLUICE\" \(arguments) 2>&1", status: status, line: line)
  }

  private var called: [String] { (try? rows("called")) ?? [] }

  func testItIsSaidAndThenDone() throws {
    try runShell("\"$SLUICE\" plan json record udp:9000 --append -o room.csv >room.json")
    let plan = try String(contentsOfFile: "\(folder)/room.json", encoding: .utf8)
    let said = try sluice("service install room.json --root \(folder)/tree/")
    XCTAssertTrue(said.hasSuffix("nothing is changed; --yes does it\n"), said)
    XCTAssertTrue(said.hasPrefix("would write \(folder)/tree/etc/sluice/room.json"), said)
    XCTAssertFalse(FileManager.default.fileExists(atPath: "\(folder)/tree"))

    try stand(in: "systemctl", "exit 0")
    let done = try sluice("service install room.json --root \(folder)/tree/ --yes")
    XCTAssertEqual(said.replacingOccurrences(of: "would ", with: ""), done + "nothing is changed; --yes does it\n")
    XCTAssertEqual(try String(contentsOfFile: "\(folder)/tree/etc/sluice/room.json", encoding: .utf8), plan)
    XCTAssertTrue(
      try rows("tree/etc/systemd/system/sluice-record@room.service.d/sluice.conf").contains(
        "RestrictAddressFamilies=AF_INET AF_INET6"))
    XCTAssertEqual(called, ["systemctl --root=\(folder)/tree enable sluice-record@room.service"])
    let again = try sluice("service install room.json --root \(folder)/tree/")
    XCTAssertTrue(again.hasPrefix("would keep "), again)
  }

  func testWhatCannotBeInstalled() throws {
    try runShell("\"$SLUICE\" plan json record timer:1s -o room.csv >room.json")
    XCTAssertEqual(
      try sluice("service install room.json --yes", status: 64),
      "sluice: cannot install room.json: room.csv is not appended to, so the second start would fail; record it with --append\n"
    )
    try write("broken.json", "{")
    _ = try sluice("service install broken.json", status: 64)
    _ = try sluice("service install none.json", status: 1)
    _ = try sluice("service install 'a b.json'", status: 64)
    XCTAssertEqual(called, [])
    try runShell("\"$SLUICE\" plan json record timer:1s --append -o room.csv >room.json")
    try stand(in: "systemctl", "echo denied >&2; exit 1")
    XCTAssertTrue(
      try sluice("service install room.json --yes --root \(folder)", status: 1).hasSuffix(
        "denied\nsluice: cannot run systemctl --root=\(folder) enable sluice-record@room.service: it has failed; what it said is above; sluice service status shows the journal\n"
      ))
  }

  func testStatus() throws {
    try stand(
      in: "systemctl",
      """
      case $1 in
      list-units) echo 'sluice-record@room.service loaded active running Record' ;;
      list-unit-files) echo 'sluice-record@.service disabled enabled'; echo 'sluice-record@roof.service enabled enabled' ;;
      show) for unit; do :; done
        case $unit in
        *room*) printf 'Id=%s\\nLoadState=loaded\\nActiveState=active\\nMainPID=7\\nStatusText=5 readings\\nUnitFileState=enabled\\n' $unit ;;
        *) printf 'Id=%s\\nLoadState=loaded\\nActiveState=inactive\\nUnitFileState=enabled\\n' $unit ;;
        esac ;;
      esac
      """)
    try stand(
      in: "journalctl", "case $* in *room*) echo '2026-11-24T08:00:12+0000 sluice[7]: sluice: imu was removed' ;; esac")
    XCTAssertEqual(
      try sluice("service status", status: 1),
      """
      sluice-record@roof.service: not running
      sluice-record@room.service: running, process 7
        5 readings
        2026-11-24T08:00:12+0000 sluice[7]: sluice: imu was removed

      """)
    XCTAssertEqual(
      try sluice("service status room --lines 0"), "sluice-record@room.service: running, process 7\n  5 readings\n")
    _ = try sluice("service status ../room", status: 64)
  }

  func testNoServiceAndNoSystemd() throws {
    XCTAssertTrue(
      try runShell("SLUICE_PATH=\"$SLUICE\"; PATH='\(folder)'; \"$SLUICE_PATH\" service status 2>&1", status: 1)
        .hasSuffix(
          "this needs systemd\n"))
    try stand(in: "systemctl", "exit 0")
    XCTAssertEqual(
      try sluice("service status", status: 1),
      "there is no service of sluice; sluice service install FILE makes one\n")
  }

  /// What the unit runs.
  func testRun() throws {
    try InstalledLibrary.yaml.needed()
    try runShell(
      "mkdir etc; \"$SLUICE\" plan json record sim:imu@1000 --append --count 5 -o room.csv >etc/room.json")
    for _ in 1...2 { try runShell("CONFIGURATION_DIRECTORY='\(folder)/etc' \"$SLUICE\" service run room") }
    XCTAssertEqual(try rows("room.csv").count, 11)
    XCTAssertEqual(
      try runShell("CONFIGURATION_DIRECTORY='\(folder)/etc' \"$SLUICE\" service run roof 2>&1", status: 1),
      "sluice: cannot run the service roof: there is no roof.yaml or roof.json in \(folder)/etc; sluice service install FILE puts it there\n"
    )
    try runShell("\"$SLUICE\" service run ../etc/room", status: 64)
    try runShell("\"$SLUICE\" plan station record --plan etc/room.json >etc/room.yaml")
    let both = try runShell("CONFIGURATION_DIRECTORY='\(folder)/etc' \"$SLUICE\" service run room 2>&1", status: 64)
    XCTAssertTrue(both.contains("both exist; remove one of them"), both)
    try runShell("rm etc/room.json; CONFIGURATION_DIRECTORY='\(folder)/etc' \"$SLUICE\" service run room")
    XCTAssertEqual(try rows("room.csv").count, 16)
  }
}
