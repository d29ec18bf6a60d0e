import Foundation
import SluicePipeline
import SluiceRecording
import SluiceSystem
import TestFiles
import XCTest

@testable import SluiceTool

final class ServiceInstallationTests: XCTestCase {
  private func needs(_ sources: [String], _ outputs: [OutputPlan]) throws -> ServiceNeeds {
    ServiceNeeds(
      RecordingPlan(sources: try sources.map { try SourceSpec($0) }, outputs: outputs), folder: "/var/lib/sluice/room")
  }

  private func output(_ path: String) -> OutputPlan { OutputPlan(path, existing: .append) }

  private func steps(
    _ needs: ServiceNeeds, file: String = "room.json", root: String = "", existing: [String: String] = [:]
  ) throws -> [String] {
    ServiceInstallation(
      try ServiceName(file: file), file: file, contents: Array("plan".utf8), needs: needs, root: root,
      existing: { existing[$0].map { Array($0.utf8) } }
    ).steps.map(\.text)
  }

  func testADeviceOfTheGroupsOfTheUnitNeedsNothing() throws {
    let needs = try needs(
      ["gpio:gpiochip0:3", "iio:bmi160"], [output("room.csv"), output("/var/lib/sluice/room/a/b.csv")])
    XCTAssertEqual(needs.faults, [])
    XCTAssertNil(needs.dropIn)
    XCTAssertEqual(
      try steps(needs),
      [
        "write /etc/sluice/room.json:\n  | plan", "run systemctl daemon-reload",
        "run systemctl enable sluice-record@room.service", "run systemctl start sluice-record@room.service",
      ])
  }

  func testWhatASourceOrAnOutputNeeds() throws {
    let needs = try needs(
      [
        "serial:/dev/ttyUSB0@9600", "pps:0", "input:gpio-keys", "udp:9000", "tcp:gps:2947", "can:can0",
        "exec:./sensor.py",
      ],
      [output("/mnt/data 100%/\"a\".csv"), output("/srv/runs/"), output("/srv/runs/all.csv")])
    XCTAssertEqual(needs.faults, [])
    XCTAssertEqual(
      needs.dropIn,
      """
      # What this recording needs beyond sluice-record@.service.
      [Service]
      SupplementaryGroups=dialout input
      RestrictAddressFamilies=AF_INET AF_INET6 AF_CAN AF_NETLINK
      IPAddressDeny=
      MemoryDenyWriteExecute=no
      ReadWritePaths="/mnt/data 100%%"
      ReadWritePaths="/srv/runs"

      """)
  }

  /// systemd would take what follows as a line of the unit, and run it as root.
  func testAFolderWithALineFeedIsRefused() throws {
    var needs = try needs(["sim:imu@10"], [output("/srv/x\nExecStartPre=+/bin/sh -c id\n#/a.csv")])
    needs.add(isServed: false, textfile: "/srv/y\u{2028}z/a.prom", program: nil)
    XCTAssertEqual(needs.faults.count, 2)
    XCTAssertTrue(needs.faults.allSatisfy { $0.hasSuffix("has a line feed or another control character") })
    XCTAssertNil(needs.dropIn)
  }

  func testWhatIsNotForAService() throws {
    let needs = try needs(["lines:-"], [OutputPlan("a.csv"), output("-"), output("/home/me/b.csv")])
    XCTAssertEqual(
      needs.faults,
      [
        "lines:- reads standard input, and a service has none",
        "a.csv is not appended to, so the second start would fail; record it with --append",
        "an output is standard output, which is the journal of a service",
        "/home/me/b.csv is in a folder of users, which a service does not see; give a path below /var/lib/sluice/room",
      ])
  }

  /// The second time only what differs is written, and the service starts anew.
  func testItIsInstalledAgain() throws {
    let udp = try needs(["udp:9000"], [output("room.csv")])
    let dropIn = "/etc/systemd/system/sluice-record@room.service.d/sluice.conf"
    let there = ["/etc/sluice/room.json": "plan", dropIn: try XCTUnwrap(udp.dropIn)]
    XCTAssertEqual(
      try steps(udp, existing: there),
      [
        "keep /etc/sluice/room.json, which is the same", "keep \(dropIn), which is the same",
        "run systemctl daemon-reload", "run systemctl enable sluice-record@room.service",
        "run systemctl restart sluice-record@room.service",
      ])
    XCTAssertEqual(
      try steps(needs(["timer:1s"], [output("room.csv")]), existing: there)[1], "remove \(dropIn), which is not needed")
  }

  func testAnotherTree() throws {
    let needs = try needs(["timer:1s"], [output("room.csv")])
    XCTAssertEqual(
      try steps(needs, root: "/mnt"),
      ["write /mnt/etc/sluice/room.json:\n  | plan", "run systemctl --root=/mnt enable sluice-record@room.service"])
  }

  func testNames() throws {
    for name in ["room", "room-2", "a.b_C", String(repeating: "x", count: 41)] {
      XCTAssertEqual(try ServiceName(file: "plans/\(name).json").text, name)
    }
    for name in ["", ".hidden", "a b", "a%n", "café", "a@b", "a:b", "-a", String(repeating: "x", count: 42)] {
      XCTAssertThrowsError(try ServiceName(name), name)
    }
    XCTAssertThrowsError(try ServiceName("a/b"))
    XCTAssertThrowsError(try ServiceName(file: "room.csv")) {
      XCTAssertEqual("\($0)", "cannot install room.csv: its name does not end in .yaml or .json")
    }
  }

  /// A station file in the place of a plan: the service runs with the old one.
  func testAnotherFormOfTheFile() throws {
    XCTAssertEqual(
      try steps(needs([], [output("a.csv")]), file: "room.yaml", existing: ["/etc/sluice/room.json": "old"]),
      [
        "write /etc/sluice/room.yaml:\n  | plan", "remove /etc/sluice/room.json, which is not needed",
        "run systemctl daemon-reload", "run systemctl enable sluice-record@room.service",
        "run systemctl restart sluice-record@room.service",
      ])
  }

  #if SLUICE_CURL
    func testAServerNeedsTheNetworkAndItsSpool() throws {
      var plan = RecordingPlan(input: .sources([]), outputs: [OutputPlan("http://db.example/write?db=x")])
      plan.sending = SendingPlan(spool: "/mnt/data/spool")
      let needs = ServiceNeeds(plan, folder: "/var/lib/sluice/room")
      XCTAssertEqual(needs.faults, [])
      XCTAssertEqual(needs.families, ["AF_INET", "AF_INET6"])
      XCTAssertEqual(needs.folders, ["/mnt/data/spool"])
      plan.sending = SendingPlan(spool: "/home/me/spool")
      XCTAssertEqual(ServiceNeeds(plan, folder: "/var/lib/sluice/room").faults.count, 1)
    }
  #endif

  #if SLUICE_MQTT
    func testABrokerNeedsTheNetwork() {
      let plan = RecordingPlan(input: .sources([]), outputs: [OutputPlan("mqtts://broker.example/plant")])
      XCTAssertEqual(
        ServiceNeeds(plan, folder: "/var/lib/sluice/room").families, ["AF_INET", "AF_INET6"])
    }
  #endif

  /// Without it in the drop-in, the service may not write there.
  func testTheFolderOfASpill() throws {
    var plan = RecordingPlan(input: .sources([]), outputs: [output("a.csv")])
    plan.pauseMode = .spill
    plan.spill = SpillPlan(folder: "/mnt/stick/spill")
    let needs = ServiceNeeds(plan, folder: "/var/lib/sluice/room")
    XCTAssertEqual(needs.faults, [])
    XCTAssertEqual(needs.folders, ["/mnt/stick/spill"])
    for folder in [nil, "waiting", "/var/lib/sluice/room/waiting"] {
      plan.spill = SpillPlan(folder: folder)
      XCTAssertNil(ServiceNeeds(plan, folder: "/var/lib/sluice/room").dropIn)
    }
  }

  func testWhatOptionsNeed() throws {
    var needs = try needs([], [output("a.csv")])
    needs.add(isServed: false, textfile: nil, program: nil)
    XCTAssertNil(needs.dropIn)
    needs.add(isServed: true, textfile: "/var/lib/node/room.prom", program: "/usr/local/bin/tell")
    XCTAssertEqual(
      needs.dropIn,
      """
      # What this recording needs beyond sluice-record@.service.
      [Service]
      RestrictAddressFamilies=AF_INET AF_INET6
      IPAddressDeny=
      MemoryDenyWriteExecute=no
      ReadWritePaths="/var/lib/node"

      """)
  }

  func testTheOptionsOfAService() {
    func words(_ text: String) -> [String] { ServiceOptions(text).words }
    XCTAssertEqual(words(""), [])
    XCTAssertEqual(words("# OPTIONS=--http 1\nTZ=UTC\n"), [])
    XCTAssertEqual(
      words("OPTIONS=--http 8080  --on-event /bin/tell \n"), ["--http", "8080", "--on-event", "/bin/tell"])
    XCTAssertEqual(words("OPTIONS=--http 1\nOPTIONS=\"--http 2\"\n"), ["--http", "2"])
    XCTAssertEqual(words("OPTIONS='--http \\\n 8080'\n"), ["--http", "8080"])
  }

  /// Somebody else may have made the card, and root of this machine writes to it.
  func testNoLinkOfATreeIsFollowed() throws {
    for link in ["etc", "etc/sluice", "etc/systemd/system", "etc/systemd/system/sluice-record@room.service.d"] {
      let (card, outside) = (temporaryFolder().path, temporaryFolder().path)
      try FileManager.default.createDirectory(
        atPath: folder(of: "\(card)/\(link)"), withIntermediateDirectories: true)
      XCTAssertEqual(symlink(outside, "\(card)/\(link)"), 0)
      let installation = ServiceInstallation(
        try ServiceName(file: "room.json"), file: "room.json", contents: Array("plan".utf8),
        needs: try needs(["serial:/dev/ttyUSB0@9600"], [output("a.csv")]), root: card, existing: { _ in nil })
      XCTAssertThrowsError(try installation.run { _ in }) {
        XCTAssertTrue("\($0)".contains("\(card)/\(link) is a link"), "\($0)")
      }
      XCTAssertEqual(try FileManager.default.subpathsOfDirectory(atPath: outside), [])
      XCTAssertEqual(
        try FileManager.default.subpathsOfDirectory(atPath: card).filter { $0.hasSuffix("room.json") }, [])
    }
  }
}
