import XCTest

final class VCDFormatTests: CommandTestCase {
  /// The same readings as CSV has, each at its time.
  func testRecordsWhatCSVHas() throws {
    try run("record METER=sim:meter@200,seed=3 imu=sim:imu@400,seed=3 --count 600 -o t.vcd -o t.csv")
    let dump = try rows("t.vcd")
    let end = try XCTUnwrap(dump.firstIndex(of: "$enddefinitions $end"))
    var (scope, variables): (Substring, [String: (id: Substring, isLevel: Bool)]) = ("", [:])
    for words in dump[..<end].map({ $0.split(separator: " ") }) {
      if words[0] == "$scope" { scope = words[2] }
      if words[0] == "$var" { variables["\(scope),\(words[4])"] = (words[3], words[1] == "wire") }
    }
    let table = try rows("t.csv").dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let first = try XCTUnwrap(table.first.flatMap { Int64($0[0]) })
    XCTAssertEqual(dump[end - 1], "$comment time_ns \(first) is #0 $end")
    var (expected, last): ([String], Int64) = ([], -1)
    for row in table {
      let time = try XCTUnwrap(Int64(row[0])) - first
      // CSV has late readings too.
      guard time >= last else { continue }
      if time > last { expected.append("#\(time)") }
      last = time
      let variable = try XCTUnwrap(variables["\(row[1]),\(row[2])"])
      expected.append(variable.isLevel ? "\(row[3])\(variable.id)" : "r\(row[3]) \(variable.id)")
    }
    XCTAssertEqual(Array(dump[(end + 1)...]), expected)
    XCTAssertEqual(variables.values.filter(\.isLevel).count, 1)
    XCTAssertGreaterThan(expected.filter { $0.first == "r" }.count, 600)
  }

  func testWhatItCannotDo() throws {
    try write("in.csv", "time_ns,stream,channel,value\n1,a,x,1\n")
    try run("replay in.csv -o t.vcd")
    XCTAssertTrue(try run("replay in.csv --append -o t.vcd", status: 64).contains("nothing can be appended"))
    let said = try runShell("cat in.csv | \"$SLUICE\" replay - -o u.vcd", status: 1)
    XCTAssertTrue(
      said.contains("cannot write u.vcd: the streams of a trace that comes from a pipe are not known"), said)
    XCTAssertEqual(
      try run("replay in.csv --format vcd -o - --quiet").split(separator: "\n").suffix(3).map(String.init),
      ["$enddefinitions $end", "#0", "r1 !"])
  }
}
