import Foundation
import XCTest

@testable import SluicePipeline

/// Compressed files of the command. Other builds refuse their names.
final class CompressedFilesTests: CommandTestCase {
  #if SLUICE_ARCHIVE
    /// A trace that is compressed and replayed again is the same trace.
    func testRoundTrips() throws {
      try run("record sim:imu@200,seed=7 --count 400 -o t.csv")
      for (ending, command) in [("gz", "zcat"), ("zst", "zstdcat")] {
        for format in ["csv", "jsonl", "vcd"] {
          let name = "t.\(format).\(ending)"
          try run("replay t.csv -o \(name) -o plain.\(format) --force")
          if try runShell("command -v \(command) || :").isEmpty { continue }
          try runShell("\(command) \(name) | cmp - plain.\(format)")
          try run("replay \(name) -o again.csv --force")
          try run("replay plain.\(format) -o expected.csv --force")
          try runShell("cmp again.csv expected.csv")
        }
        // The same readings give the same bytes.
        try run("replay t.csv -o other.csv.\(ending)")
        try runShell("cmp t.csv.\(ending) other.csv.\(ending)")
      }
      // From a pipe, in folders, and with --format.
      try runShell("cat t.csv.gz | \"$SLUICE\" replay - -o piped.csv && cmp piped.csv t.csv")
      try run("replay t.csv -o x.gz --format jsonl")
      try runShell("zcat x.gz | cmp - plain.jsonl")
      try runShell(
        "mkdir d && cp t.csv.gz t.csv.gz-metadata.json d/ && \"$SLUICE\" replay d -o folder.csv && cmp folder.csv t.csv"
      )
      XCTAssertTrue(try run("verify t.csv.gz").contains("400 readings of 1 stream, every row is whole"))
    }

    /// A trace long enough for several ticks of the sink.
    func testAReplayGivesTheSameBytesEveryTime() throws {
      var text = "time_ns,x,y\n"
      for row in 0..<100_000 { text += "\(row * 1_000_000),\(row * 7_919 % 10_007),\(row % 13)\n" }
      try write("in.csv", text)
      for run in 0..<5 {
        try self.run("replay in.csv -o a\(run).csv.gz -o a\(run).csv.zst --quiet")
        // Its rows are far from each other.
        try self.run("replay in.csv --where x==0 -o b\(run).csv.gz --quiet")
        for name in ["a0.csv.gz", "a0.csv.zst", "b0.csv.gz"] {
          try runShell("cmp \(name) \(name.prefix(1))\(run)\(name.dropFirst(2))")
        }
      }
    }

    /// What comes slowly is written in small batches, each of which can be read at once.
    func testALiveRecording() throws {
      let said = try run("record timer:20ms --duration 1s -o t.csv.gz --stats json")
      XCTAssertTrue(said.contains("\"unaccounted\": 0"), said)
      let rows = try runShell("zcat t.csv.gz").split(separator: "\n")
      XCTAssertGreaterThan(rows.count, 10)
      let members = try runShell("xxd -p t.csv.gz | tr -d '\\n' | grep -o 1f8b0800000000000003 | wc -l")
      XCTAssertGreaterThan(Int(members.filter(\.isNumber)) ?? 0, 3)
    }

    func testAKilledRecording() throws {
      let (process, _) = try start("record sim:imu@200 --duration 1h -o t.csv.gz")
      let path = "\(folder)/t.csv.gz"
      let deadline = Date(timeIntervalSinceNow: 60)
      while ((try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0) < 2_000, Date() < deadline {
        usleep(10_000)
      }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      try runShell("zcat t.csv.gz > whole.csv")
      XCTAssertEqual(try String(contentsOfFile: "\(folder)/whole.csv", encoding: .utf8).last, "\n")
      // Cut within the last member.
      try runShell("truncate -s -5 t.csv.gz")
      let said = try run("replay t.csv.gz -o again.csv")
      XCTAssertTrue(
        said.contains("because the recording was cut off there"), said)
    }

    func testWhatIsRefused() throws {
      for (line, status, sentence) in [
        ("-o t.db.gz", 1, "cannot write t.db.gz: sqlite cannot be compressed; leave out .gz"),
        (
          "-o t.csv.gz --append", 64,
          "cannot append to t.csv.gz: a compressed file cannot be appended to; write each recording to a file of its own"
        ),
        (
          "-o t.csv.zst --rotate 1h", 1,
          "cannot cut t.csv.zst into parts: sluice cannot cut a compressed file into parts; leave out --rotate, or .zst"
        ),
      ] as [(String, Int32, String)] {
        let said = try run("record timer:1ms --count 1 \(line)", status: status)
        XCTAssertTrue(said.contains(sentence), said)
      }
      let noted = try run("record timer:1ms --count 1 -o t.json.gz")
      XCTAssertTrue(noted.contains("t.json.gz is written as CSV, because no format has the ending .json"), noted)
      try run("record timer:1ms --count 1 -o t.csv.gz")
      try run("record timer:1ms --count 1 -o t.jsonl.zst")
      for name in ["t.csv.gz", "t.jsonl.zst"] {
        let said = try run("repair \(name)", status: 1)
        XCTAssertTrue(
          said.contains(
            "cannot repair \(name): it is compressed; replay it into another file, which will have every whole row"),
          said)
        try run("verify \(name)")
      }
    }
  #else
    func testWhatIsLeftOut() throws {
      let remedy = "(SLUICE_ARCHIVE=0); build it without that setting"
      for name in ["t.csv.gz", "t.jsonl.zst"] {
        let said = try run("record timer:1ms --count 1 -o \(name)", status: 1)
        let format = name.hasSuffix("gz") ? "gzip" : "zstd"
        XCTAssertTrue(said.contains("cannot write \(name): this sluice was built without \(format) \(remedy)"), said)
      }
      for beginning in ["PK\\003\\004", "\\037\\213\\010", "\\050\\265\\057\\375"] {
        let said = try runShell("printf '\(beginning)' > t; \"$SLUICE\" replay t -o x.csv", status: 1)
        XCTAssertTrue(
          said.contains("cannot read t: this sluice was built without libarchive, zlib and libzstd \(remedy)"), said)
      }
      XCTAssertTrue(try run("--version").contains("without libarchive"))
    }
  #endif
}
