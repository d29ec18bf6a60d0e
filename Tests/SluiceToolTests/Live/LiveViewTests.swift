import SluiceAnalysis
import SluiceReadings
import SluiceRecording
import XCTest

@testable import SluicePipeline
@testable import SluiceTool

final class LiveViewTests: XCTestCase {
  private func window(_ columns: Int, rows: Int = 24, isColoured: Bool = false, isASCII: Bool = false) -> TerminalWindow
  {
    TerminalWindow(size: (columns, rows)) { name in
      switch name {
      case "LANG": isASCII ? "C" : "C.UTF-8"
      case "NO_COLOR": isColoured ? nil : "1"
      case "TERM": "xterm"
      default: nil
      }
    }
  }

  private func imu(_ name: String = "imu") -> StreamDescription {
    StreamDescription(
      name: name,
      channels: ["accel_x", "accel_y", "anglvel_z"].map { .init(name: $0, unit: "m/s^2") })
  }

  private func streams(_ descriptions: [StreamDescription], seconds: Int = 30) -> LiveStreams {
    var streams = LiveStreams(dots: 160)
    streams.describe(descriptions)
    for tenth in 0..<seconds * 10 {
      let values = Values((0..<3).map { ExactDecimal(significand: Int64((tenth + $0 * 7) % 100), exponent: -2) })
      streams.add(
        ArraySlice(
          descriptions.prefix(64).indices.map {
            Reading(time: Int64(tenth) * 100_000_000, stream: StreamID(UInt16($0)), values: values)
          }))
    }
    return streams
  }

  private var standing: RecordingStanding {
    var standing = RecordingStanding(received: 12_345, lost: 18, fill: 3, sinceLoss: 2.08, seconds: 12.44)
    var account = Account(
      streams: [], outputs: [], losses: [Loss(streams: ["imu"], reason: "lost in the kernel", count: 18)], seconds: 1)
    account.outputs = (1...5).map { number in
      OutputAccount(
        output: "out\(number).csv", format: "csv",
        streams: [OutputCount(stream: "imu", written: 12_000, synced: 11_000)])
    }
    (standing.account, standing.now) = (account, 1_795_240_984_000_000_000)
    return standing
  }

  private func status(marks: [Mark] = []) -> RecordingStatus {
    RecordingStatus(standing, rate: 998.4, marks: marks, free: { _ in 12_300_000_000 })
  }

  private func text(_ lines: [TerminalLine]) -> String { lines.map(\.text).joined(separator: "\n") }

  private var keys: LiveKeys {
    var keys = LiveKeys(hasView: true, isReplay: false)
    keys.setCount(3)
    return keys
  }

  /// A full disk has not taken what counts as written.
  func testAnOutputThatWaitsForItsDisk() {
    var standing = standing
    standing.waiting = [nil, 700]
    let status = RecordingStatus(standing, rate: 998.4, free: { _ in nil })
    for text in [
      text(LiveView.lines(streams([imu()]), status, keys, window(120, rows: 60))), status.lines.joined(separator: "\n"),
    ] {
      XCTAssertTrue(text.contains("out1.csv: 12,000 written, 11,000 safe\n"), text)
      XCTAssertTrue(text.contains("out2.csv: 11,300 written, 11,000 safe, 700 wait for the disk\n"), text)
    }
  }

  func testAWideWindow() {
    let streams = streams([imu()])
    let lines = LiveView.lines(
      streams, status(marks: [Mark(time: 0, text: "door opened")]), keys, window(120, isASCII: true))
    XCTAssertEqual(
      text(lines),
      """
      12,345 readings, 998/s, buffer 3 %, lost 18, the last 2.1 s ago, 12.4 s
        stream              rate       last          minimum       mean    maximum last minute
      > imu.accel_x       10.0/s       0.99 m/s^2          0   0.495000   0.990000 \
                           ...:'''...:'''...:'''
      | imu.accel_y                    0.06 m/s^2          0   0.495000   0.990000 \
                           ..:''':..:''':..:''':
      | imu.anglvel_z                  0.13 m/s^2          0   0.495000   0.990000 \
                           ..:'':...:'':...:'':.
      18 lost in the kernel
      out1.csv: 12,000 written, 11,000 safe, 12.3 GB free
      out2.csv: 12,000 written, 11,000 safe, 12.3 GB free
      out3.csv: 12,000 written, 11,000 safe, 12.3 GB free
      and 2 more outputs
      clock 2026-11-21T06:03:04.000Z; 1 mark, the last: door opened
      space: pause, m: mark, enter: chart, q: end
      """)
  }

  func testANarrowWindow() {
    let lines = LiveView.lines(streams([imu()]), status(), keys, window(20, rows: 12))
    XCTAssertEqual(
      text(lines),
      """
      lost 18
        stream       last
      > .acce…       0.99
      | .acce…       0.06
      | .angl…       0.13
      18 lost in the ker…
      out1.csv: 12,000 w…
      out2.csv: 12,000 w…
      out3.csv: 12,000 w…
      and 2 more outputs
      space: pause, m: m…
      """)
  }

  /// No line is wider than the window, whatever is in it, and the view is never higher than the window.
  func testEveryWidth() {
    var wide = imu("温度センサー\u{301}😀\u{1b}[2J" + String(repeating: "長", count: 100))
    wide.channels[0].unit = "°C per very long unit"
    let streams = streams([wide, imu(), StreamDescription(name: "late", channels: [])])
    var charted = keys
    _ = charted.press([.enter])
    var typing = keys
    _ = typing.press("m温度 opened and a long text follows it".unicodeScalars.map { .character($0) })
    for columns in Array(20...50) + [79, 80, 81, 120, 200, 400] {
      for rows in [1, 5, 6, 9, 24] {
        for keys in [keys, charted, typing, nil] as [LiveKeys?] {
          for isColoured in [false, true] where rows == 24 || !isColoured {
            let window = window(columns, rows: rows, isColoured: isColoured)
            let lines = LiveView.lines(
              streams, status(marks: [Mark(time: 0, text: "長い\u{1b}]0;x")]), keys, window)
            XCTAssertLessThanOrEqual(lines.count, max(1, rows - 1), "\(columns)x\(rows)")
            for line in lines {
              XCTAssertLessThanOrEqual(line.width, columns, line.text)
              let plain = line.text.replacing(#/\u{1b}\[[0-9;]*m/#, with: "")
              XCTAssertEqual(TerminalText.width(plain), line.width, line.text)
              XCTAssertEqual(TerminalText.safe(plain), plain)
              if !isColoured { XCTAssertEqual(plain, line.text) }
            }
          }
        }
      }
    }
  }

  func testMoreStreamsThanRows() {
    let many = (0..<2_000).map { StreamDescription(name: "s\($0)", channels: [.init(name: "v")]) }
    var streams = LiveStreams(dots: 100)
    streams.describe(many)
    var keys = LiveKeys(hasView: true, isReplay: false)
    keys.setCount(streams.streams.count)
    let first = LiveView.lines(streams, status(), keys, window(80))
    XCTAssertEqual(first.count, 23)
    XCTAssertTrue(first[2].text.hasPrefix("> s0 "), first[2].text)
    XCTAssertTrue(text(first).contains("\n  and 1011 more channels, 976 more streams\n"), text(first))
    for _ in 0..<500 { _ = keys.press([.down]) }
    let later = LiveView.lines(streams, status(), keys, window(80))
    XCTAssertTrue(text(later).contains("\n> s500 "), text(later))
    XCTAssertFalse(text(later).contains(" s0 "), text(later))
    for _ in 0..<5_000 { _ = keys.press([.down]) }
    XCTAssertTrue(text(LiveView.lines(streams, status(), keys, window(80))).contains("\n> s1023 "))
  }

  /// The chart is the picture that `plot` draws.
  func testTheChart() throws {
    let streams = streams([imu()])
    var keys = keys
    _ = keys.press([.enter])
    let lines = LiveView.lines(streams, status(), keys, window(80, rows: 60, isColoured: true))
    var options = TerminalPlot.Options()
    (options.title, options.width, options.height, options.isColoured) = ("imu", 80, 60, true)
    let feed = try XCTUnwrap(streams.streams[0].feed)
    let picture = try TerminalPlot(feed.plot(PlotFeed.Happened()), options).text
    XCTAssertEqual(text(Array(lines.dropFirst().dropLast())) + "\n", picture)
    XCTAssertTrue(lines.last?.text.contains("esc: streams") ?? false)
    var empty = LiveStreams(dots: 100)
    empty.describe([imu()])
    XCTAssertEqual(
      text(LiveView.lines(empty, status(), keys, window(80))).split(separator: "\n")[1], "it has no readings")
  }

  func testWhatIsTyped() {
    var keys = keys
    _ = keys.press("mdoor".unicodeScalars.map { .character($0) })
    XCTAssertEqual(LiveView.lines(streams([imu()]), status(), keys, window(80)).last?.text, "mark: door_")
    XCTAssertEqual(LiveView.lines(streams([imu()]), status(), keys, window(80, rows: 3)).map(\.text), ["mark: door_"])
    XCTAssertEqual(LiveView.promptText("0123456789abcdef", window(20)), "mark: 456789abcdef_")
    XCTAssertEqual(LiveView.promptText("温度温度温度温度", window(20)), "mark: 温度温度温度_")
  }

  func testWhatTheViewMissedIsSaid() {
    var streams = streams([imu()])
    streams.miss(1_234)
    XCTAssertTrue(
      text(LiveView.lines(streams, status(), nil, window(80))).contains(
        "this view missed 1,234 readings; the recording did not"))
  }

  func testFigures() {
    let cases: [(Double, String)] = [
      (0, "0"), (1, "1"), (-12, "-12"), (9.806_65, "9.80665"), (-0.001_234_56, "-0.001235"), (123_456.7, "123457"),
      (1.5e-7, "1.500e-7"), (2.5e9, "2.500e9"), (-1.234e300, "-1.23e300"), (.infinity, "inf"), (99_999.97, "100000.0"),
      (1e308, "1.00e308"), (.leastNonzeroMagnitude, "4.94e-324"),
    ]
    for (value, text) in cases {
      XCTAssertEqual(LiveFigures.text(value), text)
      XCTAssertLessThanOrEqual(LiveFigures.text(value).count, LiveFigures.width)
    }
    XCTAssertEqual(LiveFigures.rate(99.95), "100.0/s")
    XCTAssertEqual(LiveFigures.rate(10_000.4), "10,000/s")
    XCTAssertEqual(LiveFigures.rate(.infinity), "1,000,000,000,000/s")
    XCTAssertEqual(byteText(12_345_678), "12.3 MB")
    XCTAssertEqual(byteText(999), "0 kB")
  }
}
