import Foundation
import Sluice
import SluiceReadings
import XCTest

@testable import SluiceRecording

/// Files of this library, and what is wrong in a file.
final class VCDTraceErrorTests: VCDTestCase {
  // MARK: Files of this library

  func testItsOwn() throws {
    let expected = [
      "1700000000000000000 rear_imu 1.50 -", "1700000000000000000 button 0", "1700000000000001000 rear_imu 1.50 2",
      "1700000000000001000 rear_imu 1.50 3", "1700000000000001000 button 1", "1700000000000001000 button 1",
      "1700000000000002000 button -",
    ]
    XCTAssertEqual(try lines(own), expected)
    let comment = "$comment time_ns 1700000000000000000 is #0 $end\n"
    let behind = own.replacingOccurrences(of: comment, with: "").replacingOccurrences(
      of: "$enddefinitions $end\n", with: "$enddefinitions $end\n\(comment)")
    XCTAssertEqual(try lines(behind), expected, "the comment may stand behind the declarations")
    XCTAssertEqual(try lines(own.replacingOccurrences(of: comment, with: ""))[1], "0 button 0 initial", "a foreign one")
    XCTAssertEqual(said, [])
  }

  func testItsOwnWithMetadata() throws {
    let trace = try trace(own, metadata: metadata(#""sluice:values": "raw""#))
    XCTAssertEqual(trace.streams.map(\.name), ["rear imu", "button"])
    XCTAssertEqual(trace.streams[0].channels.map(\.name), ["x", "é y"])
    XCTAssertEqual(trace.streams[0].channels[0].unit, "g")
    XCTAssertEqual(trace.streams[0].channels[0].scale.description, "0.5")
    XCTAssertFalse(trace.streams[0].isScaled)
    XCTAssertEqual(trace.metadata?.values, .raw)
    let lines = try lines(trace)
    XCTAssertEqual(lines.count, 7)
    XCTAssertEqual(lines.filter { $0.hasSuffix("initial") }, ["1700000000000000000 button 0 initial"])
    XCTAssertEqual(said, [])
  }

  func testMetadataOfOtherStreamsIsNotUsed() throws {
    for channels in [
      #"{"sluice:name": "level"}"#,
      #"{"sluice:name": "level", "sluice:format": "level"}, {"sluice:name": "more"}"#, "",
    ] {
      let trace = try trace(own, metadata: metadata(#""sluice:values": "raw""#, channels: channels))
      XCTAssertNil(trace.metadata)
      XCTAssertEqual(trace.streams.map(\.name), ["rear_imu", "button"])
    }
    XCTAssertEqual(
      said,
      Array(
        repeating: "dump.vcd-metadata.json: its streams are not the variables of dump.vcd, which is read without it",
        count: 3))
  }

  func testWhatWasCutOff() throws {
    let cut = String(own.dropLast("x#\n".count)) + "r7.25 !\nr1"
    let trace = try trace(cut, metadata: metadata(#""sluice:state": "unfinished""#))
    XCTAssertEqual(try lines(trace).count, 6)
    XCTAssertEqual(
      said,
      [
        "dump.vcd: its last line has no end and is left out, because the recording was cut off there",
        "dump.vcd: its last reading is not whole and is left out",
      ])
    XCTAssertEqual(failure(cut).lines, 6)
    XCTAssertEqual(failure(cut).cause, "line 25: it ends within a value or a section")
  }

  // MARK: What is wrong

  func testWhatIsWrongIsSaidWithItsLine() {
    for (changes, readings, cause) in [
      ("#1\n1!\n1?\n", 1, "line 10: no variable has the identifier \"?\""),
      ("#1\n1!\n1\n", 1, "line 10: there is no identifier after a value"),
      ("#1\n1!\nr1 #\n#3\nr1 #\n#2\n1!\n", 3, "line 13: its time goes back from #3 to #2"),
      ("#1\n1!\n#2x\n", 1, "line 10: \"#2x\" is no time in 64 bits"),
      ("#1\n1!\n#-2\n", 1, "line 10: \"#-2\" is no time in 64 bits"),
      ("#1\n1!\n#\n", 1, "line 10: \"#\" is no time in 64 bits"),
      ("#1\n1!\n#18446744073709551616\n", 1, "line 10: \"#18446744073709551616\" is no time in 64 bits"),
      ("#1\n1!\n#9223372036854775808\n", 1, "line 10: #9223372036854775808 is no time in 64 bits of nanoseconds"),
      ("#1\n1!\nfoo\n", 1, "line 10: \"foo\" is no value, time or section"),
      ("#1\n1!\n0!\0\n", 2, "line 10: \"?\" is no value, time or section"),
      ("#1\n1!\n$var wire 1 a a $end\n", 1, "line 10: \"$var\" stands after $enddefinitions"),
      ("#1\n1!\nr1", 1, "line 10: it ends within a value or a section"),
      ("#1\n1!\n$comment\n1!", 1, "line 11: it ends within a value or a section"),
      ("#1\n1!\nb10 !\n", 1, "line 10: 2 is no level, and a has one bit"),
      ("#1\n1!\nr1 !\n", 1, "line 10: a value of a, which has bits, is a real"),
      ("#1\n1!\nr1 \"\n", 1, "line 10: a value of top.v, which has bits, is a real"),
    ] {
      let found = failure(dump(changes))
      XCTAssertEqual(found.cause, cause)
      XCTAssertEqual(found.lines, readings, cause)
    }
    let zeros = String(repeating: "0", count: 30)
    XCTAssertEqual(try lines(dump("#\(zeros)7\n1!\n")), ["7 a 1 initial"])
  }

  func testWhatIsWrongWithDeclarations() {
    let deep = String(repeating: "$scope module a $end\n", count: 100_000)
    for (text, cause) in [
      ("$date today $end\n", "line 1: it ends before its $enddefinitions"),
      ("$comment\nnothing\n", "line 2: it ends before the $end of its $comment"),
      ("$enddefinitions\n", "line 1: it ends before the $end of its $enddefinitions"),
      ("$timescale 1 ns $end\n#0\n", "line 2: \"#0\" stands where declarations do; there is no $enddefinitions"),
      (
        "$timescale 0 ns $end\n", "line 1: its $timescale is \"0ns\", not a number and a unit (s, ms, us, ns, ps or fs)"
      ),
      (
        "$timescale 1 ks $end\n", "line 1: its $timescale is \"1ks\", not a number and a unit (s, ms, us, ns, ps or fs)"
      ),
      ("$timescale $end\n", "line 1: its $timescale is \"\", not a number and a unit (s, ms, us, ns, ps or fs)"),
      ("$var wire 1 ! $end\n", "line 1: its $var does not have a type, size, identifier and name"),
      ("$var wire 99999999999999999999 ! a $end\n", "line 1: \"99999999999999999999\" is no number of bits"),
      ("$var wire -1 ! a $end\n", "line 1: \"-1\" is no number of bits"),
      ("$scope chip $end\n", "line 1: its $scope does not have a type and a name"),
      ("$date $end $upscope $end\n", "line 1: its $upscope ends no scope"),
      ("$date $end $enddefinitions $end\n", "it declares no variable that is a number of at most 63 bits"),
      ("$var string 1 ! a $end $enddefinitions $end\n", "it declares no variable that is a number of at most 63 bits"),
      ("$date $end\n\(deep)", "line 514: \"a\" and the scopes around it have more than 1024 bytes"),
      (
        "$var wire 1 ! \(String(repeating: "n", count: 2_000)) $end\n",
        "line 1: \"\(String(repeating: "n", count: 32))\" and the scopes around it have more than 1024 bytes"
      ),
      ("$comment " + String(repeating: "a", count: 17 << 20), "line 1: it is longer than 16 MiB"),
    ] {
      XCTAssertEqual(failure(text).cause, cause)
    }
    let many = "$date $end\n" + String(repeating: "$var event 1 ! e $end\n", count: 300_000)
    XCTAssertEqual(failure(many).cause, "line 262146: there are more than 262144 variables")
  }

  func testALineWithoutEnd() {
    let found = failure(dump("#1\n1!\n" + String(repeating: " 1!", count: 6 << 20)))
    XCTAssertEqual(found.lines, 1)
    XCTAssertEqual(found.cause, "line 10: it is longer than 16 MiB")
  }

  func testATornLastLine() throws {
    XCTAssertEqual(try lines(String(dump("#1\n1!\n#2\n0!").dropLast())), ["1 a 1 initial", "2 a 0"])
    XCTAssertEqual(said, ["dump.vcd: its last line has no end and is taken as it stands"])
    // Behind it, the buffer may have digits of what was there before.
    let long = dump("#1\nr\(String(repeating: "0", count: 300_000))1 #\n#2\nr1234567 #\n#3\nr1")
    for count in 0..<12 {
      let text = long.dropLast(count)
      let found = failure(String(text))
      XCTAssertGreaterThan(found.lines, 0)
    }
  }

  func testItIsKnownByItsBeginning() {
    for text in [
      "$date", "  \n\t$version x", "$timescale\n1 ns", "$comment a $end", "$scope m", "$var x", "$enddefinitions $end",
    ] {
      XCTAssertTrue(VCDTrace.recognizes(Array(text.utf8)), text)
    }
    for text in ["", "$", "$dat", "$dates\n", "date", "time_ns,$date\n", "$dollars,time_ns\n1,2\n", "{\"$date\":1}"] {
      XCTAssertFalse(VCDTrace.recognizes(Array(text.utf8)), text)
    }
  }
}
