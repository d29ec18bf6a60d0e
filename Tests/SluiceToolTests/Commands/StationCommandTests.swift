#if SLUICE_YAML
  import Foundation
  import TestFiles
  import XCTest

  @testable import SluicePipeline
  @testable import SluiceTool

  final class StationCommandTests: CommandTestCase {
    override func setUpWithError() throws {
      try super.setUpWithError()
      try InstalledLibrary.yaml.needed()
    }

    private let station = """
      # The meter in the cellar.
      name: cellar
      sources:
        meter: sim:meter@200,seed=4
      stages: [every: 2]
      outputs: [b.csv, b.jsonl]
      limits: {count: 60}
      meta: {site: here}

      """

    func testAStationRuns() throws {
      try write("cellar.yaml", station)
      let said = try run("record --station cellar.yaml")
      XCTAssertTrue(said.contains("recorded 60 readings"), said)
      XCTAssertEqual(try rows("b.csv").count, 31)
      XCTAssertEqual(try rows("b.jsonl").count, 30)
      let metadata = try rows("b.csv-metadata.json").joined()
      XCTAssertTrue(metadata.contains(#"\"name\": \"cellar\""#), metadata)
      // As of arguments.
      XCTAssertTrue(
        try runShell("\"$SLUICE\" record --station - < cellar.yaml", status: 1).contains("b.csv: file exists"))
    }

    func testPlansArgumentsAndStationsAreTheSame() throws {
      let arguments = "meter=sim:meter@200,seed=4,throttle=1s iio:bmi160,sample-rate=100 --every 2 --count 60 -o b.csv"
      let plan = try run("plan json record \(arguments)")
      try write("a.yaml", try run("plan station record \(arguments)"))
      XCTAssertEqual(try run("plan json record --station a.yaml"), plan)
      try write("a.json", plan)
      XCTAssertEqual(
        try run("plan station record --plan a.json"), try run("plan station record --station a.yaml"))
      for line in ["replay a.csv --rate 2 -o x.csv", "convert a.csv b.csv --select x -o x.csv"] {
        try write("b.yaml", try run("plan station \(line)"))
        XCTAssertEqual(try run("plan json record --station b.yaml"), try run("plan json \(line)"))
      }
    }

    func testACheckOpensNothing() throws {
      try write("cellar.yaml", station)
      XCTAssertEqual(
        try run("plan check record --station cellar.yaml"), "the station file is right: 1 source, 2 outputs\n")
      XCTAssertEqual(
        try run("plan check record gpio:gpiochip99:3 -o no/x.csv"), "the arguments are right: 1 source, 1 output\n")
      let explained = try run("plan explain record --station cellar.yaml")
      XCTAssertTrue(
        explained.hasPrefix("The recording \"cellar\" reads a source:\n  meter: sim:meter@200,seed=4: 200 "), explained)
      XCTAssertTrue(explained.contains("Loss budget: "), explained)
      try write("two.yaml", "sources: [a=timer:1s, a=timer:2s]\noutputs: [x.csv]")
      XCTAssertTrue(try run("plan check record --station two.yaml", status: 64).contains("two streams called \"a\""))
      XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder).sorted(), ["cellar.yaml", "two.yaml"])
    }

    /// What no source has is found before anything is opened, if the source says what it has.
    func testACheckFollowsTheChannels() throws {
      let refused = try run("plan check record w=sim:meter --where temp>5 -o x.csv", status: 1)
      XCTAssertTrue(refused.contains("cannot find temp: there is no channel of this name; the channel is w"), refused)
      try write("w.json", try run("plan json record w=sim:meter --where temp>5 -o x.csv"))
      XCTAssertEqual(try run("plan check record --plan w.json", status: 1), refused)
      XCTAssertTrue(try run("service install w.json", status: 1).contains("there is no channel of this name"))
      try write("w.yaml", "sources: {w: sim:meter}\nstages: [where: temp > 5]\noutputs: {x.csv: {existing: append}}\n")
      for command in ["plan check record --station w.yaml", "record --station w.yaml", "service install w.yaml"] {
        let said = try run(command, status: 64)
        XCTAssertTrue(said.contains("w.yaml:2:17: stages[0].where: cannot find temp: there is no channel"), said)
      }
      // Those of a device that is open only may be any.
      XCTAssertEqual(
        try run("plan check record imu=iio:bmi160 w=sim:meter --where temp>5 -o x.csv"),
        "the arguments are right: 2 sources, 1 output\nimu: its channels are known only when it is open\n")
      // A column of text is left out, and a time may be named by its number: then the stream has a single channel.
      for names in ["id+temp", "t+temp,time=1"] {
        XCTAssertEqual(
          try run("plan check record room=serial:/dev/ttyUSB0,as=csv,names=\(names) --where room>5 -o x.csv"),
          "the arguments are right: 1 source, 1 output\nroom: its channels are known only when it is open\n")
      }
      for source in [
        "room=poll:thermal:cpu-thermal@1s --where value>5", "room=poll:thermal:cpu-thermal@1s --where room>5",
        "t=timer:1s --where t>5", "door=gpio:gpiochip0:3 --where level>0", "door=gpio:gpiochip0:3 --pulses door=1:l",
        "sim:imu --where accel_x>1", "room=udp:9000,as=numbers,names=temp+hum --where temp>room.hum",
        "room=udp:9000,names=temp --where room>5",
      ] {
        XCTAssertEqual(
          try run("plan check record \(source) -o x.csv"), "the arguments are right: 1 source, 1 output\n", source)
      }
      XCTAssertFalse(FileManager.default.fileExists(atPath: "\(folder)/x.csv"))
    }

    func testEveryFaultIsALine() throws {
      try write("cellar.yaml", "sources:\n  meter: tmier:1s\noutputs:\n  b.csv: {keep: 7d}\nlimits: {count: no}\n")
      for command in ["record --station", "plan check", "plan explain", "plan json", "plan station"] {
        XCTAssertEqual(
          try run("\(command) cellar.yaml", status: 64),
          """
          sluice: cannot use the station file cellar.yaml: it has 3 faults
          cellar.yaml:2:10: sources.meter: tmier:1s: there is no kind of source "tmier"; did you mean timer?
          cellar.yaml:4:17: outputs["b.csv"].keep is for parts: give "rotate" too
          cellar.yaml:5:17: limits.count takes a whole number of 1 or more, not "no"

          """)
      }
      XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder), ["cellar.yaml"])
    }

    func testFilesThatAreNoStations() throws {
      try write("big.yaml", "# " + String(repeating: "x", count: 1 << 20))
      XCTAssertTrue(
        try run("record --station big.yaml", status: 1).contains("the station file big.yaml: it is larger than 1 MiB"))
      XCTAssertTrue(
        try run("record --station none.yaml", status: 1).contains("the station file none.yaml: no such file"))
      XCTAssertTrue(try run("record --station \(folder)", status: 1).contains("it is not a regular file"))
      try runShell("mkfifo fifo")
      XCTAssertTrue(try run("record --station fifo", status: 1).contains("it is not a regular file"))
    }

    func testWhatMayStandBesides() throws {
      try write("cellar.yaml", station)
      for other in ["timer:1ms", "-o x.csv", "--idle-timeout 3s", "--edges both", "--throttle 1s", "--start-paused"] {
        let said = try run("record --station cellar.yaml \(other)", status: 64)
        XCTAssertTrue(said.contains("--station describes the whole recording"), said)
      }
      XCTAssertTrue(
        try run("record --station cellar.yaml --plan a.json", status: 64).contains("--plan and --station both describe")
      )
      for modes in ["--check --explain", "--print-plan --check", "--print-plan --print-station"] {
        let said = try run("record --station cellar.yaml \(modes)", status: 64)
        XCTAssertTrue(said.contains("each take the place of the run"), said)
      }
      XCTAssertTrue(
        try run("record timer:1s -o x.csv --print-schema", status: 64).contains("--print-schema prints the same"))
      let stats = try run("record --station cellar.yaml --quiet --stats account.json")
      XCTAssertEqual(stats, "")
    }

    func testTheSchemaIsJSON() throws {
      let schema = try JSONSerialization.jsonObject(with: Data(try run("plan schema").utf8)) as? [String: Any]
      let properties = try XCTUnwrap(schema?["properties"] as? [String: Any])
      XCTAssertEqual(Set(properties.keys), Set(RecordingPlan.settings.keys.map(\.text)))
      let limits = (properties["limits"] as? [String: Any])?["properties"] as? [String: Any]
      let duration = limits?["duration"] as? [String: Any]
      XCTAssertEqual(duration?["description"] as? String, "Stop after T, such as 500ms, 90s or 5m.")
    }
  }
#endif
