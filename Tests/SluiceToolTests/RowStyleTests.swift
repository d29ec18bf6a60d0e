import XCTest

/// `--time`, `--decimals`, and line protocol, through the command.
final class RowStyleTests: CommandTestCase {
  private func writeTrace() throws {
    try write("in.csv", "time_ns,stream,channel,value\n1500000000,a,x,1.005\n1500000001,b,y,2\n3000000000,a,x,-1.5\n")
  }

  /// All that is written can be read, with its own metadata.
  func testEveryTimeComesBack() throws {
    let times: [Int64] = [.min, -9_223_372_036_000_000_001, -1, 0, .max]
    let rows = times.map { "{\"time_ns\":\($0),\"stream\":\"s\",\"values\":{\"v\":1}}" }
    try write("in.jsonl", rows.joined(separator: "\n") + "\n")
    for (style, name) in [("iso", "a.csv"), ("iso", "b.jsonl"), ("relative", "c.csv"), ("relative", "d.jsonl")] {
      try run("convert in.jsonl --time \(style) -o \(name)")
      try run("convert \(name) -o \(name).jsonl")
      XCTAssertEqual(try self.rows("\(name).jsonl"), rows, name)
    }
  }

  /// The metadata says which column has the time.
  func testAStreamMayBeCalledLikeATime() throws {
    let rows = ["time_ns", "time_s", "t"].flatMap { stream in
      (1...2).map { "{\"time_ns\":\($0),\"stream\":\"\(stream)\",\"values\":{\"time\":\($0),\"time_ns\":3}}" }
    }
    try write("in.jsonl", rows.joined(separator: "\n") + "\n")
    for style in ["ns", "iso", "relative"] {
      for layout in ["wide", "long"] {
        try run("convert in.jsonl --time \(style) --layout \(layout) -o \(style).\(layout).csv")
        try run("convert \(style).\(layout).csv -o out.jsonl --force")
        XCTAssertEqual(try self.rows("out.jsonl").sorted(), rows.sorted(), "\(style) \(layout)")
      }
    }
  }

  /// The names of the time are those that `--time` writes, and say the unit.
  func testRowsThatNameTheirStreamsAreReadWithoutMetadata() throws {
    try write("in.csv", "time_ns,stream,channel,value\n1000000001,a,x,5\n1000000001,a,y,6\n2000000000,b,z,7\n")
    for (time, column) in [("iso", "time"), ("relative", "time_s"), ("ns", "time_ns")] {
      try run("replay in.csv -o n.csv -o n.jsonl --layout long --force --quiet")
      try run("replay in.csv -o o.csv -o o.jsonl --layout long --time \(time) --force --quiet")
      try runShell("rm *-metadata.json")
      XCTAssertTrue(try rows("o.csv")[0].hasPrefix("\(column),stream"))
      for name in ["o.csv", "o.jsonl"] {
        for shell in ["\"$SLUICE\" replay \(name)", "cat \(name) | \"$SLUICE\" replay -"] {
          let said = try runShell("\(shell) -o p.csv --layout long --force")
          XCTAssertFalse(said.contains("left out"), said)
          let read = try rows("p.csv")
          if time == "relative" {
            XCTAssertEqual(
              read, ["time_ns,stream,channel,value", "0,a,x,5", "0,a,y,6", "999999999,b,z,7"], "\(shell): \(said)")
          } else {
            XCTAssertEqual(read, try rows("in.csv"), "\(shell): \(said)")
          }
        }
      }
    }
  }

  func testEveryOutputOfARunCountsFromTheSameReading() throws {
    try writeTrace()
    try run("replay in.csv --time relative --decimals 2 -o t.csv -o t.jsonl -o t.lp")
    XCTAssertEqual(
      try rows("t.csv"),
      ["time_s,stream,channel,value", "0.000000000,a,x,1.01", "0.000000001,b,y,2", "1.500000000,a,x,-1.5"])
    XCTAssertEqual(try rows("t.jsonl")[2], "{\"time_s\":1.500000000,\"stream\":\"a\",\"values\":{\"x\":-1.5}}")
    XCTAssertEqual(try rows("t.lp"), ["a x=1.01 1500000000", "b y=2 1500000001", "a x=-1.5 3000000000"])
    let metadata = try rows("t.csv-metadata.json").joined()
    for member in ["\"sluice:time\": \"relative\"", "\"sluice:time_zero_ns\": 1500000000", "\"sluice:decimals\": 2"] {
      XCTAssertTrue(metadata.contains(member), member)
    }
    let line = try rows("t.lp-metadata.json").joined()
    XCTAssertFalse(line.contains("sluice:time\""), "its times are always nanoseconds")
  }

  /// The metadata knows how the times are written, and a replay gives them back.
  func testAReplayGivesTheSameTimesBack() throws {
    try run("record METER=sim:meter@200,seed=3 imu=sim:imu@400,seed=3 --count 300 -o t.csv -o t.jsonl")
    for style in ["iso", "relative"] {
      for (name, options) in [
        ("l.csv", ""), ("w.csv", "--layout wide"), ("o.jsonl", ""), ("d/", ""), ("l.csv.gz", ""),
      ] {
        let output = style + name
        try run("replay t.csv --time \(style) \(options) -o \(output) --quiet")
        let said = try run(
          "replay \(output) --layout long -o back-\(output.replacingOccurrences(of: "/", with: "")).csv")
        XCTAssertFalse(said.contains("--time-column"), said)
        XCTAssertEqual(
          try rows("back-\(output.replacingOccurrences(of: "/", with: "")).csv").sorted(), try rows("t.csv").sorted(),
          output)
        guard name != "d/" else { continue }
        let verified = try run("verify \(output)")
        XCTAssertFalse(verified.contains("warning"), verified)
      }
    }
  }

  func testRelativeTimesOfAKilledRecording() throws {
    try writeTrace()
    try run("replay in.csv --time relative -o t.csv")
    let metadata = try rows("t.csv-metadata.json").filter { !$0.contains("sluice:time_zero_ns") }
    try write("t.csv-metadata.json", metadata.joined(separator: "\n"))
    let said = try run("replay t.csv --layout long -o back.csv")
    XCTAssertTrue(said.contains("it does not have the time of the first reading, so times count from 1970"), said)
    XCTAssertEqual(try rows("back.csv")[2], "1,b,y,2")
  }

  /// JSON Lines say it too.
  func testRelativeTimesOfKilledJSONLines() throws {
    try writeTrace()
    try run("replay in.csv --time relative -o t.jsonl")
    let metadata = try rows("t.jsonl-metadata.json").filter { !$0.contains("sluice:time_zero_ns") }
    try write("t.jsonl-metadata.json", metadata.joined(separator: "\n"))
    let said = try run("replay t.jsonl --layout long -o back.csv")
    XCTAssertTrue(said.contains("it does not have the time of the first reading, so times count from 1970"), said)
    XCTAssertEqual(try rows("back.csv")[2], "1,b,y,2")
  }

  /// There is no first reading whose time could be missing.
  func testRelativeTimesOfNoReading() throws {
    try writeTrace()
    try run("replay in.csv --where x>9 --where y>9 --time relative -o t.csv")
    XCTAssertEqual(try rows("t.csv").count, 1)
    let said = try run("verify t.csv")
    XCTAssertFalse(said.contains("warning"), said)
  }

  /// A stream of one channel has its name as its title.
  func testAStreamCalledLikeTheTimesIsRefusedInTheWideLayout() throws {
    for (time, name) in [("ns", "time_ns"), ("relative", "time_s"), ("iso", "time")] {
      try write("in.jsonl", "{\"time_ns\":1,\"stream\":\"\(name)\",\"values\":{\"x\":1}}\n")
      for output in ["t.csv --layout wide", "t/"] {
        let said = try run("replay in.jsonl --time \(time) -o \(output)", status: 64)
        XCTAssertTrue(said.contains("two columns would be called \"\(name)\""), said)
      }
      try run("replay in.jsonl --time \(time) --layout long -o t.csv --force")
      XCTAssertFalse(try run("verify t.csv").contains("warning"))
    }
  }

  func testAFolderHasOneFirstReading() throws {
    try writeTrace()
    try run("replay in.csv --time relative -o t/")
    XCTAssertEqual(try rows("t/b.csv"), ["time_s,b", "0.000000001,2"])
  }

  func testAppendingWantsTheSameTimes() throws {
    try writeTrace()
    try run("replay in.csv --time iso -o t.csv -o t.jsonl")
    try run("replay in.csv --time iso --append -o t.csv -o t.jsonl")
    XCTAssertEqual(try rows("t.csv").count, 7)
    XCTAssertEqual(try rows("t.csv").last, "1970-01-01T00:00:03.000000000Z,a,x,-1.5")
    for arguments in ["-o t.jsonl", "-o t.csv", "--time iso --decimals 1 -o t.csv"] {
      let said = try run("replay in.csv --append \(arguments)", status: 1)
      XCTAssertTrue(said.contains("written with another --time or --decimals"), said)
    }
    let said = try run("replay in.csv --append --time relative -o t.csv", status: 64)
    XCTAssertTrue(said.contains("an appended file would mix times of different runs: use iso"), said)
  }

  func testWhatTheyAreNotFor() throws {
    try writeTrace()
    for (arguments, sentence) in [
      ("--time iso -o t.vcd", "--time is for CSV and JSON Lines"), ("--decimals 2 --raw -o t.csv", "give one of them"),
      ("--decimals 19 -o t.csv", "--decimals takes N, not 19: N is 0 to 18"),
      ("--time utc -o t.csv", "--time takes ns or relative or iso, not utc"),
    ] {
      let said = try run("replay in.csv \(arguments)", status: 64)
      XCTAssertTrue(said.contains(sentence), said)
    }
    #if SLUICE_SQLITE
      XCTAssertTrue(try run("replay in.csv --decimals 2 -o t.db", status: 64).contains("--decimals is for text"))
    #endif
  }

  func testATornLineOfLineProtocolIsCutOff() throws {
    try writeTrace()
    try run("replay in.csv -o t.lp")
    try runShell("printf 'a x=1' >> t.lp")
    XCTAssertTrue(try run("repair t.lp").contains("cut off 5 bytes after the last whole row, 1 torn row"))
    try runShell("printf 'a x=1' >> t.lp")
    try run("replay in.csv --append -o t.lp")
    XCTAssertEqual(try rows("t.lp").count, 6)
  }

  func testTheDatesOfALiveRecordingAreThoseOfItsNanoseconds() throws {
    try run("record sim:meter@500,seed=1 --count 100 --time iso -o t.csv -o t.jsonl")
    try run("plan json record sim:meter@500,seed=1 --count 100 --time iso -o t.csv")
    let times = try rows("t.csv").dropFirst().map { $0.prefix(30) }
    XCTAssertEqual(times.count, 100)
    XCTAssertTrue(times.allSatisfy { $0.last == "Z" })
    XCTAssertEqual(times, times.sorted())
    XCTAssertEqual(try rows("t.jsonl").map { $0.dropFirst(9).prefix(30) }, times)
  }

  func testTagsOfLineProtocol() throws {
    try write("in.csv", "time_ns,x\n1500000000,1\n1500000001,2\n")
    try runShell("\"$SLUICE\" replay in.csv --tag site=cellar --tag 'room no=a b' -o t.lp -o t.csv -q")
    let rows = [
      "in,site=cellar,room\\ no=a\\ b x=1 1500000000", "in,site=cellar,room\\ no=a\\ b x=2 1500000001",
    ]
    XCTAssertEqual(try self.rows("t.lp"), rows)
    XCTAssertEqual(try self.rows("t.csv"), ["time_ns,x", "1500000000,1", "1500000001,2"])
    try runShell("\"$SLUICE\" convert in.csv --tag site=cellar --tag 'room no=a b' -o c.lp -q")
    XCTAssertEqual(try self.rows("c.lp"), rows)
    try write("plan.json", try runShell("\"$SLUICE\" plan json convert in.csv --tag site=cellar -o p.lp"))
    try run("record --plan plan.json")
    XCTAssertEqual(try self.rows("p.lp")[0], "in,site=cellar x=1 1500000000")
    try run("record m=sim:meter@400 --count 3 --tag site=attic -o r.lp")
    XCTAssertTrue(try self.rows("r.lp").allSatisfy { $0.hasPrefix("m,site=attic level=") })
    XCTAssertTrue(try run("convert in.csv --tag x=1 -o x.lp", status: 64).contains("a tag and a field would have"))
    XCTAssertTrue(try run("convert in.csv --tag a=1 -o x.csv", status: 64).contains("--tag is for line protocol"))
    XCTAssertTrue(
      try run("convert in.csv --tag a -o x.lp", status: 64).contains(
        "--tag takes NAME=VALUE, such as site=cellar, not a"))
    let refused = try run("convert in.csv --tag board=a -o http://127.0.0.1:9/write", status: 64)
    XCTAssertTrue(refused.contains("give the name with --server board=NAME"), refused)
  }

  /// Other programs read the unit from the header, and so does a replay without metadata.
  func testUnitsInTheHeader() throws {
    try run("record imu=sim:imu@400,seed=3 --select imu.accel_x,imu.anglvel_z --count 50 -o t.csv --header-units")
    XCTAssertEqual(try rows("t.csv")[0], "time_ns,imu.accel_x (m/s^2),imu.anglvel_z (rad/s)")
    let verified = try run("verify t.csv")
    XCTAssertFalse(verified.contains("warning"), verified)
    try run("replay t.csv -o back.csv")
    XCTAssertEqual(try rows("back.csv")[0], "time_ns,imu.accel_x,imu.anglvel_z", "it is an option of each run")
    try run(
      "record imu=sim:imu@400,seed=4 --select imu.accel_x,imu.anglvel_z --count 5 -o t.csv --append --header-units")
    XCTAssertEqual(try rows("t.csv").count, 56)
    let refused = try run(
      "record imu=sim:imu@400 --select imu.accel_x,imu.anglvel_z --count 5 -o t.csv --append", status: 1)
    XCTAssertTrue(refused.contains("cannot append to t.csv"), refused)
    // Several streams in one file are wide then, since a column of the long layout has no unit.
    try run("record a=sim:imu@400 b=sim:meter@400 --count 50 -o two.csv --header-units")
    XCTAssertTrue(try rows("two.csv")[0].hasPrefix("time_ns,a.accel_x (m/s^2),"))
    try runShell("rm t.csv-metadata.json")
    let info = try run("info t.csv")
    XCTAssertTrue(info.contains("m/s^2"), info)
    for wrong in ["--raw -o x.csv", "--layout long -o x.csv", "-o x.db"] {
      XCTAssertTrue(try run("replay back.csv --header-units \(wrong)", status: 64).contains("--header-units"))
    }
    for (wrong, said) in [
      (#""raw": true"#, "names units, but \"raw\" writes values without them"),
      (#""layout": "long""#, "is for the layout wide"),
      (#""format": "jsonl""#, "is for CSV, and x.csv is jsonl"),
    ] {
      try write(
        "plan.json",
        #"{"version": 1, "replay": {"file": "back.csv"}, "outputs": [{"path": "x.csv", "header-units": true, \#(wrong)}]}"#
      )
      let sentence = try run("record --plan plan.json", status: 64)
      XCTAssertTrue(sentence.contains(said), sentence)
    }
  }
}
