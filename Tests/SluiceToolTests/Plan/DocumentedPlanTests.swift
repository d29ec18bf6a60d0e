import TestFiles
import XCTest

@testable import SluicePipeline
@testable import SluiceTool

#if SLUICE_YAML
  import SluiceYAML
#endif

/// Every command line that the documentation shows has a plan.
final class DocumentedPlanTests: XCTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    try InstalledLibrary.yaml.needed()
  }

  /// Those that show no whole command line.
  private static let skipped: Set<String> = [
    "sluice record --plan FILE", "sluice record --station FILE", "sluice record --station board.yaml",
    "sluice record --station walk.yaml",
    "sluice record --station broken.yaml", "sluice record", "sluice replay",
    "sluice convert", "sluice plot",
    "sluice replay --buffer 1000 --throttle 1us --collect 50",
  ]

  private func files() throws -> [URL] {
    let docs = try FileManager.default.contentsOfDirectory(
      at: Checkout.file("docs"), includingPropertiesForKeys: nil)
    let examples = FileManager.default.enumerator(
      at: Checkout.file("Examples"), includingPropertiesForKeys: nil)
    let shown = (examples?.compactMap { $0 as? URL } ?? []).filter {
      ["md", "service", "rules"].contains($0.pathExtension)
    }
    return [Checkout.file("README.md")] + docs.filter { $0.pathExtension == "md" } + shown
  }

  /// Where a command with a plan begins: `sluice record`, `sluice plan json record`.
  private static let beginnings =
    ["", "plan json ", "plan station ", "plan check ", "plan explain "].flatMap { view in
      ["record", "replay", "convert"].map { "sluice \(view)\($0)" }
    } + ["sluice plot"]

  /// What stands behind `sluice record`, `sluice replay`, `sluice convert` or `sluice plot`, up to a comment, a pipe, or the end of the code.
  private func commands(in text: String) -> [String] {
    let lines = text.replacingOccurrences(of: "\\\n", with: " ").split(separator: "\n")
    return lines.flatMap { line in
      Self.beginnings.flatMap { name in
        line.ranges(of: name).map { range in
          var end = line.endIndex
          for stop in ["`", "](", " #", " | ", " &", " >"] {
            // Not within quotes, because a condition has a `>`.
            let found = line[range.upperBound...].ranges(of: stop).first { found in
              line[range.upperBound..<found.lowerBound].count { $0 == "'" } % 2 == 0
            }
            end = min(end, found?.lowerBound ?? end)
          }
          let words = line[range.lowerBound..<end].split(separator: " ")
          return (["sluice"] + words.dropFirst(words.dropFirst().first == "plan" ? 3 : 1)).joined(separator: " ")
        }
      }
    }
  }

  /// The words of a command, as a shell takes them: spaces within single quotes do not end one.
  private func words(_ command: String) -> [String] {
    let parts = command.split(separator: "'", omittingEmptySubsequences: false)
    let marked = parts.enumerated().map { index, part in
      index % 2 == 0 ? String(part) : part.replacingOccurrences(of: " ", with: "\u{0}")
    }
    return marked.joined().split(separator: " ").map { $0.replacingOccurrences(of: "\u{0}", with: " ") }
  }

  private func documented() throws -> [String] {
    try files().flatMap { commands(in: try String(contentsOf: $0, encoding: .utf8)) }
  }

  func testEveryCommandHasAPlan() throws {
    var found = 0
    for command in try documented() where !Self.skipped.contains(command) && !command.hasSuffix(" --help") {
      found += 1
      let parsed = try parsed(Array(words(command).dropFirst()))
      // It has no plan.
      if parsed is PlotCommand { continue }
      let plan = try XCTUnwrap(
        (parsed as? RecordCommand)?.recordingPlan() ?? (parsed as? ReplayCommand)?.recordingPlan()
          ?? (parsed as? ConvertCommand)?.recordingPlan(), command)
      let again = try RecordingPlan(json: Array(plan.text.utf8), name: command)
      XCTAssertEqual(again, plan, command)
      XCTAssertEqual(again.text, plan.text, command)
      try assertIsTheSameAsAStation(plan, command)
    }
    XCTAssertGreaterThanOrEqual(found, 20)
  }

  /// A plan, written as a station file and read again, is the same.
  private func assertIsTheSameAsAStation(_ plan: RecordingPlan, _ origin: String) throws {
    #if SLUICE_YAML
      let again = try RecordingPlan(yaml: Array(plan.station.utf8), name: "its.yaml")
      XCTAssertEqual(again, plan, "\(origin)\n\(plan.station)")
      XCTAssertEqual(again.text, plan.text, origin)
      XCTAssertEqual(again.station, plan.station, origin)
    #endif
  }

  /// The blocks of a language on all pages.
  private func blocks(_ language: String) throws -> [String] {
    try files().flatMap { file in
      try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```\(language)\n").dropFirst()
        .compactMap { $0.components(separatedBy: "\n```").first }
    }
  }

  func testEveryPlanIsTheSameAsAStation() throws {
    let plans = try blocks("json").filter { $0.contains("\"outputs\": [") }
    XCTAssertGreaterThanOrEqual(plans.count, 5)
    for text in plans {
      try assertIsTheSameAsAStation(RecordingPlan(json: Array(text.utf8), name: "its.json"), text)
    }
  }

  #if SLUICE_YAML
    /// The station file of the README is the command before it, in ten lines.
    func testTheBoardInTenLines() throws {
      let readme = try String(contentsOf: Checkout.file("README.md"), encoding: .utf8)
      let text = try XCTUnwrap(
        readme.components(separatedBy: "```yaml\n").dropFirst().first?.components(separatedBy: "\n```").first)
      XCTAssertEqual(text.split(separator: "\n").count, 10)
      let command = try XCTUnwrap(commands(in: readme).first { $0.contains("board.csv") })
      let parsed = try parsed(Array(words(command).dropFirst()))
      XCTAssertEqual(
        try RecordingPlan(yaml: Array(text.utf8), name: "board.yaml"), try (parsed as? RecordCommand)?.recordingPlan())
    }

    func testEveryStationFileIsRead() throws {
      // There are files of other programs too.
      let stations = try blocks("yaml").filter { $0.contains("outputs:") }
      XCTAssertGreaterThanOrEqual(stations.count, 3)
      for text in stations {
        let plan = try RecordingPlan(yaml: Array(text.utf8), name: "its.yaml")
        try assertIsTheSameAsAStation(plan, text)
      }
    }
  #endif

  func testNothingIsSkippedThatIsNotThere() throws {
    XCTAssertEqual(Self.skipped.subtracting(try documented()), [])
  }

  func testCommandsAreFoundInTextAndCode() {
    XCTAssertEqual(
      commands(
        in: """
          # sluice record
              $ sluice record a:b \\
                -o x    # why
              zcat x | sluice replay - -o - | less
          Type `sluice replay x -o y`, or `sluice record b:c -o z`.
          ExecStart=/usr/bin/sluice record c:d -o -
              sudo sluice record e:f -o g &
          """),
      [
        "sluice record", "sluice record a:b -o x", "sluice replay - -o -", "sluice record b:c -o z",
        "sluice replay x -o y", "sluice record c:d -o -", "sluice record e:f -o g",
      ])
  }
}
