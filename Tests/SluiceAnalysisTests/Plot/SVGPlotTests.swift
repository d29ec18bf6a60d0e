import FoundationXML
import SluiceReadings
import XCTest

@testable import SluiceAnalysis
@testable import SluicePipeline

final class SVGPlotTests: XCTestCase {
  private static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden/walk.svg")

  private let metadata = """
    {"tableSchema": {"columns": [{"titles": "time_ns"}, {"titles": "stream"}, {"titles": "channel"}, {"titles": "value"}]},
     "sluice:values": "scaled", "sluice:streams": [
       {"sluice:name": "imu", "sluice:channels": [{"sluice:name": "x", "sluice:unit": "m/s^2"}, {"sluice:name": "y", "sluice:unit": "m/s^2"}]},
       {"sluice:name": "DOOR", "sluice:channels": [{"sluice:name": "level", "sluice:format": "level"}]}],
     "sluice:gap_before": [], "sluice:pauses": [{"sluice:from_ns": 1795240984500000000, "sluice:to_ns": 1795240984600000000}]}
    """

  /// Readings of two streams in 2 s, with a gap.
  private var csv: String {
    var rows = "time_ns,stream,channel,value\n"
    for index in 0..<100 where !(60..<70).contains(index) {
      let time = 1_795_240_984_000_000_000 + index * 20_000_000
      rows += "\(time),imu,x,\(index % 10)\n\(time),imu,y,-\(index / 10)\n"
      if index % 25 == 0 { rows += "\(time),DOOR,level,\(index / 25 % 2)\n" }
    }
    return rows
  }

  private func parse(_ text: String, line: UInt = #line) throws -> Parsed {
    let parsed = Parsed()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = parsed
    XCTAssertTrue(parser.parse(), "\(String(describing: parser.parserError))", line: line)
    return parsed
  }

  /// The elements of a picture.
  private final class Parsed: NSObject, XMLParserDelegate {
    var elements: [(name: String, attributes: [String: String])] = []
    var texts: [String] = []
    private var text = ""

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      elements.append((name, attributes))
      text = ""
    }
    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
      if ["text", "title", "desc"].contains(name) { texts.append(text) }
      text = ""
    }
  }

  /// Look at the picture before you replace it: `RECORD=1` writes it anew.
  func testAPictureIsTheSameToTheByte() throws {
    let text = try SVGPlot(Plot(csv: csv, metadata: metadata)).text
    if ProcessInfo.processInfo.environment["RECORD"] != nil {
      try text.write(to: Self.golden, atomically: true, encoding: .utf8)
    }
    XCTAssertEqual(text, try String(contentsOf: Self.golden, encoding: .utf8))
  }

  func testWhatAPictureHas() throws {
    let parsed = try parse(SVGPlot(Plot(csv: csv, metadata: metadata)).text)
    XCTAssertEqual(parsed.elements.first?.name, "svg")
    XCTAssertEqual(parsed.elements.first?.attributes["role"], "img")
    for text in [
      "walk.csv", "m/s^2", "imu.x", "imu.y", "DOOR", "time (UTC)", "2026-11-21", "paused",
      "1 gap of imu, 10 readings missing",
    ] {
      XCTAssertTrue(parsed.texts.contains(text), "\(text): \(parsed.texts)")
    }
    let description = try XCTUnwrap(parsed.texts.dropFirst().first)
    XCTAssertTrue(description.contains("imu.x, imu.y from -9 to 9 m/s^2; levels of DOOR"), description)
  }

  func testNamesAreEscaped() throws {
    let name = "a<b>&\"c\"\u{1}]]>"
    var options = SVGPlot.Options()
    options.title = name
    let parsed = try parse(SVGPlot(Plot(csv: "time_ns,x & y <z>\n0,1\n1,2\n"), options).text)
    XCTAssertEqual(parsed.texts.first, "a<b>&\"c\"\u{fffd}]]>")
    XCTAssertTrue(parsed.texts.contains("x & y <z>"), "\(parsed.texts)")
  }

  func testThemes() throws {
    let plot = try Plot(csv: "time_ns,x\n0,1\n1,2\n")
    func text(_ theme: PlotTheme) throws -> String {
      var options = SVGPlot.Options()
      options.theme = theme
      return try SVGPlot(plot, options).text
    }
    XCTAssertTrue(try text(.auto).contains("@media screen and (prefers-color-scheme:dark)"))
    XCTAssertFalse(try text(.light).contains(PlotColours.dark.background))
    XCTAssertFalse(try text(.dark).contains(PlotColours.light.background))
  }

  func testASizeWithoutRoom() throws {
    let plot = try Plot(csv: csv, metadata: metadata)
    for (width, height, remedy) in [
      (80, nil, "a wider --size"), (1, 1, "a wider --size"), (960, 100, "at least --size 960x243"),
      (960, 242, "at least --size 960x243"),
    ] as [(Int, Int?, String)] {
      var options = SVGPlot.Options()
      (options.width, options.height) = (width, height)
      XCTAssertThrowsError(try SVGPlot(plot, options)) { error in
        XCTAssertEqual(
          "\(error)",
          "cannot plot walk.csv: \(width)\(height.map { "x\($0)" } ?? "") is too small for 2 panels; "
            + "give \(remedy), or fewer channels with --select")
      }
    }
  }

  /// Whatever the size is, everything is within the picture.
  func testSizes() throws {
    let plot = try Plot(csv: csv, metadata: metadata)
    for (width, height) in [(200, nil), (960, 243), (400, 300), (960, 2_000), (10_000, 10_000)] as [(Int, Int?)] {
      var options = SVGPlot.Options()
      (options.width, options.height) = (width, height)
      let parsed = try parse(SVGPlot(plot, options).text)
      let size = try XCTUnwrap(parsed.elements.first?.attributes["height"].flatMap { Double($0) })
      if let height { XCTAssertEqual(size, Double(height)) }
      for (_, attributes) in parsed.elements.filter({ $0.name == "text" }) {
        let (x, y) = (try XCTUnwrap(Double(attributes["x"] ?? "")), try XCTUnwrap(Double(attributes["y"] ?? "")))
        XCTAssertTrue((0...Double(width)).contains(x) && (0...size).contains(y), "\(width): \(x), \(y)")
      }
    }
  }

  func testManyReadingsMakeASmallPicture() throws {
    let names = (0..<64).map { "c\($0)" }
    var csv = "time_ns," + names.joined(separator: ",") + "\n"
    for row in 0..<4_000 {
      csv += "\(row)," + names.indices.map { "\((row * 7_919 + $0 * 31) % 1_000)" }.joined(separator: ",") + "\n"
    }
    XCTAssertLessThan(try SVGPlot(Plot(csv: csv)).text.utf8.count, 500_000)
  }
}
