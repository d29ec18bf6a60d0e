import Foundation
import SluicePipeline
import XCTest

final class CommandTests: CommandTestCase {
  /// Which of the libraries that may be left out are in.
  /// 48312 is no temperature that anybody expects.
  func testUnitsOfTheKernelAreSaid() throws {
    try put("sys/class/thermal/thermal_zone0/type", "cpu-thermal")
    try put("sys/class/thermal/thermal_zone0/temp", "48312")
    let record = "record --root . cpu=poll:thermal:cpu-thermal@10ms --count 1 -o"
    let sentence = "cpu: values are in m°C, as the kernel gives them; the key si writes °C\n"
    XCTAssertTrue(try run("\(record) a.csv").contains(sentence))
    XCTAssertTrue(try rows("a.csv")[1].hasSuffix(",48312"))
    for options in ["b.csv --si", "c.csv --quiet", "d.csv --raw", "e.csv --scale value=0.001,0,degC"] {
      XCTAssertFalse(try run("\(record) \(options)").contains("as the kernel gives them"), options)
    }
    XCTAssertTrue(try rows("b.csv")[1].hasSuffix(",48.312"))
  }

  func testVersionAndHelpAsElsewhere() throws {
    let version = try run("--version")
    for word in ["version", "-V"] { XCTAssertEqual(try run(word), version) }
    XCTAssertTrue(try run("help throttle").hasPrefix("sluice record, sluice replay:\n  --throttle <T[:first]>"))
    XCTAssertTrue(try run("help frobnicate", status: 64).contains("there is no command and no option frobnicate"))
    XCTAssertEqual(
      try run("help trottle", status: 64),
      "sluice: there is no command and no option trottle; did you mean 'sluice help throttle'? See 'sluice --help'\n")
    let help = try run("help record")
    let places = try [
      "EXAMPLES:", "  -o, --output", "  --duration", "  -n, --count", "  --throttle", "  output  ", "  keys  ",
    ].map {
      try XCTUnwrap(help.range(of: $0), $0).lowerBound
    }
    XCTAssertEqual(places, places.sorted())
  }

  func testTheVersionSaysWhatIsIn() throws {
    let said = try runShell("\"$SLUICE\" --version")
    XCTAssertTrue(said.hasPrefix("0.1.0 (") && said.contains("libgpiod"), said)
  }

  /// Whatever the order of the options, and whether the buffer is there.
  func testEveryNthReadingBeforeTheThrottle() throws {
    let rows = (0..<20).map { "\($0 * 1_000),\($0)" }
    try "time_ns,x\n\(rows.joined(separator: "\n"))\n".write(
      toFile: "\(folder)/in.csv", atomically: false, encoding: .utf8)
    for options in ["--every 3 --throttle 6us", "--throttle 6us --every 3 --buffer 2 --collect 2"] {
      let said = try runShell("\"$SLUICE\" replay in.csv \(options) -o out.csv --force")
      let out = try String(contentsOfFile: "\(folder)/out.csv", encoding: .utf8)
      XCTAssertEqual(out, "time_ns,x\n0,0\n3000,3\n9000,9\n15000,15\n18000,18\n", options)
      XCTAssertTrue(said.contains("5 written, 15 left out (every, throttle), nothing lost in replay"), said)
    }
    let metadata = try String(contentsOfFile: "\(folder)/out.csv-metadata.json", encoding: .utf8)
    XCTAssertTrue(metadata.contains(#"{\"stage\": \"every\", \"count\": 3}"#), metadata)
  }

  func testWhatIsNotedIsInTheMetadata() throws {
    let text = #"record timer:1ms --count 3 --meta site=Cellar --meta "note=a \"b\" = c" --meta empty= -o t.csv"#
    _ = try runShell("\"$SLUICE\" \(text)")
    let metadata = try String(contentsOfFile: "\(folder)/t.csv-metadata.json", encoding: .utf8)
    for entry in [
      #"{"sluice:key": "site", "sluice:value": "Cellar"}"#,
      #"{"sluice:key": "note", "sluice:value": "a \"b\" = c"}"#, #"{"sluice:key": "empty", "sluice:value": ""}"#,
    ] {
      XCTAssertTrue(metadata.contains(entry), metadata)
    }
  }

  func testTheAccountInAFile() throws {
    let said = try run("record timer:1ms -n 5 -o t.csv --stats account.json")
    XCTAssertTrue(said.hasPrefix("recorded 5 readings"), said)
    func account() throws -> Account {
      try JSONDecoder().decode(
        Account.self, from: Data(contentsOf: URL(fileURLWithPath: "\(folder)/account.json")))
    }
    XCTAssertEqual(try account().received, 5)
    XCTAssertEqual(try run("replay t.csv -q -o u.csv --stats account.json"), "")
    XCTAssertEqual(try account().command, .replay)
    XCTAssertTrue(
      try run("replay t.csv -q -o v.csv --stats none/account.json", status: 1).contains(
        "cannot write none/account.json"))
  }

  /// The short options of gpiomon 2.
  func testShortOptions() throws {
    let keys = try run(
      "plan json record gpio:gpiochip0:3,edges=rising,bias=pull-up,active-low,debounce=5ms,consumer=door -n 7 -o x.csv")
    for word in ["rising", "pull-up", "active-low", "5ms", "door", "7"] { XCTAssertTrue(keys.contains(word), keys) }
    for options in [
      "-e rising -b pull-up -l -p 5ms -C door",
      "--edges rising --bias pull-up --active-low --debounce 5ms --consumer door",
    ] {
      try runShell("\"$SLUICE\" plan json record gpio:gpiochip0:3 \(options) -n 7 -o x.csv >plan.json 2>notices")
      XCTAssertEqual(try String(contentsOfFile: "\(folder)/plan.json", encoding: .utf8), keys)
      XCTAssertEqual(try rows("notices").count, 5)
    }
    XCTAssertTrue(
      try rows("notices").contains(
        "sluice: --bias is an old form; write bias=pull-up after each source that needs it: SOURCE,bias=pull-up"))
  }

  func testRecordsATimer() throws {
    let said = try run("record timer:2ms --count 50 -o t.csv")
    let rows = try rows("t.csv")
    XCTAssertEqual(rows.count, 51)
    XCTAssertEqual(rows[0], "time_ns,timer 2ms")
    let times = rows.dropFirst().compactMap { Int64($0.split(separator: ",")[0]) }
    XCTAssertEqual(times.count, 50)
    XCTAssertTrue(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    XCTAssertTrue(said.contains("50 written"), said)
  }

  func testReplayGivesTheSameBytesEveryTime() throws {
    try write("in.csv", "t,x\n" + (0..<5_000).map { "0.\(String(format: "%05d", $0)),\($0 % 97)\n" }.joined())
    for name in ["a.csv", "b.csv"] {
      try run("replay in.csv --time-column t --time-unit s --buffer 64 --throttle 10ms --collect 50,100ms -o \(name)")
    }
    XCTAssertEqual(try rows("a.csv"), try rows("b.csv"))
    XCTAssertEqual(try rows("a.csv").count, 7, "0, 10, 20, 30 and 40 ms, what came last, and the header")
  }

  /// What was recorded raw and is replayed through a pipeline is what the live pipeline would have written.
  func testLongLayoutComesBackUnchanged() throws {
    let text =
      "time_ns,stream,channel,value\n1,a,level,1\n2,b,x,0.50\n2,b,y,\n3,a,level,0\n4,\"c,d\",level,7\n"
    try write("in.csv", text)
    try run("replay in.csv -o out.csv")
    XCTAssertEqual(try String(contentsOfFile: "\(folder)/out.csv", encoding: .utf8), text)
  }

  func testAFileAStream() throws {
    try write("in.csv", "time_ns,stream,channel,value\n1,a,level,1\n2,b,x,5\n")
    try run("replay in.csv -o .")
    XCTAssertEqual(try rows("a.csv"), ["time_ns,a", "1,1"])
    XCTAssertEqual(try rows("b.csv"), ["time_ns,b", "2,5"])
  }

  func testReadingsGoToStandardOutputOnlyIfAskedTo() throws {
    try write("in.csv", "time_ns,x\n1,5\n")
    XCTAssertEqual(try run("replay in.csv -o - --quiet"), "time_ns,x\n1,5\n")
  }

  func testEveryErrorIsOneSentence() throws {
    try write("in.csv", "time_ns,x\n1,5\n2,oops\n")
    try write("there.csv", "mine\n")
    let cases: [(String, Int32, String)] = [
      ("replay nope.csv -o o.csv", 1, "cannot read nope.csv"),
      ("replay in.csv -o there.csv", 1, "--force"),
      ("replay in.csv --time-column t -o o.csv", 1, "\"time_ns\", \"x\""),
      ("replay in.csv --layout long -o no/o.csv", 1, "cannot write no/o.csv"),
      ("record poll:nope@1s -o o.csv", 1, "cannot read"),
      ("record iio:nope -o o.csv", 1, "cannot open IIO device nope"),
      ("record -o o.csv", 64, "say what to record"),
      ("replay in.csv --force -o ./in.csv", 64, "it is the same file as in.csv"),
    ]
    for (line, status, sentence) in cases {
      let said = try run(line, status: status)
      XCTAssertTrue(said.contains(sentence), said)
    }
    XCTAssertFalse(FileManager.default.fileExists(atPath: "\(folder)/o.csv"))
    XCTAssertTrue(try run("replay in.csv -o o.csv", status: 1).contains("line 3, column 2"))
    XCTAssertEqual(try rows("o.csv"), ["time_ns,x", "1,5"], "what was good is written")
    XCTAssertEqual(try rows("there.csv"), ["mine"])
  }

  /// SIGUSR1 pauses, SIGUSR2 resumes, SIGINT ends it: nothing is lost within the buffer.
  func testSignals() throws {
    let (process, said) = try start("record timer:1ms -o t.csv --stats json")
    /// Rows are written four times per second: three times as long without one is a pause.
    func waitForSilence() throws {
      let deadline = Date(timeIntervalSinceNow: 60)
      var (count, since) = (try rows("t.csv").count, Date())
      while Date().timeIntervalSince(since) < 0.75 {
        guard Date() < deadline else { return XCTFail("no pause") }
        RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.02))
        if try rows("t.csv").count != count { (count, since) = (try rows("t.csv").count, Date()) }
      }
    }
    try waitForRows(100)
    kill(process.processIdentifier, SIGUSR1)
    try waitForSilence()
    kill(process.processIdentifier, SIGUSR2)
    try waitForRows(try rows("t.csv").count + 300)
    kill(process.processIdentifier, SIGUSR1)
    process.interrupt()
    let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    XCTAssertEqual(process.terminationStatus, 0, text)
    let ticks = try rows("t.csv").dropFirst().compactMap { Int($0.split(separator: ",")[1]) }
    XCTAssertEqual(ticks, ticks.sorted())
    XCTAssertTrue(text.contains("\"received\": \(ticks.count), \"written\": \(ticks.count), \"late\": 0"), text)
  }

  /// A terminal that closes sends SIGHUP, and its shell another.
  func testSIGHUPEndsARecording() throws {
    let (process, said) = try start("record timer:1ms -o t.csv --stats json")
    try waitForRows(2)
    for _ in 0..<2 { kill(process.processIdentifier, SIGHUP) }
    let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    XCTAssertEqual(process.terminationReason, .exit)
    XCTAssertEqual(process.terminationStatus, 0, text)
    let count = try rows("t.csv").count - 1
    XCTAssertTrue(text.contains("\"received\": \(count), \"written\": \(count), \"late\": 0"), text)
  }

  /// As `nohup` starts it.
  func testAnIgnoredSIGHUPStaysIgnored() throws {
    signal(SIGHUP, SIG_IGN)
    defer { signal(SIGHUP, SIG_DFL) }
    let (process, said) = try start("record timer:1ms -o t.csv --quiet")
    try waitForRows(2)
    kill(process.processIdentifier, SIGHUP)
    try waitForRows(try rows("t.csv").count + 600)
    process.interrupt()
    _ = said.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    XCTAssertEqual(process.terminationStatus, 0)
  }

  private func waitForRows(_ count: Int) throws {
    let deadline = Date(timeIntervalSinceNow: 60)
    while ((try? rows("t.csv").count) ?? 0) < count {
      guard Date() < deadline else { return XCTFail("no \(count) rows") }
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.02))
    }
  }

  func testAFullBufferDropsAndCounts() throws {
    try run(
      "record timer:1ms --start-paused --buffer 10 --when-full drop-oldest --duration 300ms --max-loss 0 -o t.csv",
      status: 3)
    // A tick that comes at the moment of the end is written behind what the buffer held.
    XCTAssertTrue((11...12).contains(try rows("t.csv").count), "the header and what the buffer held")
    let said = try run("record timer:1ms --start-paused --buffer 10 --when-full fail -o f.csv", status: 1)
    XCTAssertTrue(said.contains("its buffer of 10 readings is full"), said)
    XCTAssertGreaterThanOrEqual(try rows("f.csv").count, 11)
  }

  // MARK: Errors of the file

  /// The numbers of a summary, by their labels.
  private func account(_ said: String) throws -> [String: Int] {
    let line = try XCTUnwrap(said.split(separator: "\n").first { $0.hasPrefix("replayed ") }, said)
    let received = try XCTUnwrap(Int(line.split(separator: " ")[1].filter { $0 != "," }))
    let parts = try XCTUnwrap(line.split(separator: "): ", maxSplits: 1).last).split(separator: ", ")
    var account = ["received": received]
    for part in parts {
      let words = part.split(separator: " ", maxSplits: 1).map(String.init)
      if let count = words.first.flatMap({ Int($0.filter { $0 != "," }) }) { account[words[1]] = count }
    }
    return account
  }

  /// What was received and is not in the file is said not to be, whatever stood between.
  func testAfterAnErrorTheAccountIsThatOfTheFile() throws {
    try write("in.csv", "time_ns,x\n" + (0..<60_000).map { "\($0)00000,\($0)\n" }.joined())
    for operators in ["", "--throttle 1ms", "--collect 5", "--buffer 64 --throttle 1ms --collect 7"] {
      // 32 or 64 KiB, by the shell; the command hears of it as of a full disk.
      let said = try runShell(
        "trap '' XFSZ; ulimit -f 64; $SLUICE replay in.csv \(operators) -o out.csv --force", status: 1)
      let account = try account(said)
      XCTAssertEqual(account["written"], try rows("out.csv").count - 1, said)
      XCTAssertGreaterThan(account["not written (error)"] ?? 0, 0, said)
      XCTAssertFalse(said.contains("UNACCOUNTED") || said.contains("nothing lost"), said)
      XCTAssertEqual(account["received"], account.filter { $0.key != "received" }.values.reduce(0, +), said)
    }
  }

  func testAReaderThatHasGoneLosesSomething() throws {
    try write("in.csv", "time_ns,x\n" + (0..<60_000).map { "\($0)00000,\($0)\n" }.joined())
    for operators in ["", "--throttle 1ms --collect 5"] {
      let said = try runShell("{ $SLUICE replay in.csv \(operators) -o - 2>&3 | head -1 >/dev/null; } 3>&1")
      XCTAssertTrue(said.contains("its reader has gone"), said)
      XCTAssertGreaterThan(try account(said)["not written (its reader has gone)"] ?? 0, 0, said)
      XCTAssertFalse(said.contains("UNACCOUNTED") || said.contains("nothing lost"), said)
    }
    let said = try runShell("$SLUICE replay in.csv -o - --quiet --stats json 2>&1 >/dev/full || true")
    XCTAssertTrue(said.contains("no space left"), said)
  }

  /// Its pipe stays open until the test ends it.
  func testASilentPipeIsEndedBySIGINT() throws {
    XCTAssertEqual(mkfifo("\(folder)/pipe", 0o600), 0)
    let descriptor = open("\(folder)/pipe", O_RDWR)
    defer { close(descriptor) }
    let trace = "time_ns,a\n1,1\n2000000000000,2\n2000000000001,3\n"
    // How many rows are written before, and how many in the end.
    for (index, (operators, before, after)) in [("", 3, 3), ("--collect 2", 2, 3), ("--rate 1", 1, 1)].enumerated() {
      XCTAssertEqual(Foundation.write(descriptor, trace, trace.utf8.count), trace.utf8.count)
      let (process, said) = try startShell("exec \"$SLUICE\" replay - \(operators) -o \(index).csv < pipe")
      let deadline = Date(timeIntervalSinceNow: 60)
      while ((try? rows("\(index).csv").count) ?? 0) < 1 + before, Date() < deadline {
        RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.02))
      }
      process.interrupt()
      let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      XCTAssertEqual(process.terminationStatus, 0, text)
      XCTAssertEqual(try rows("\(index).csv").count, 1 + after, text)
    }
  }
}
