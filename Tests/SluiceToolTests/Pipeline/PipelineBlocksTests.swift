import Foundation
import Sluice
import SluiceDevices
import SluiceRecording
import XCTest

@testable import SluiceTool

/// Scans go to the file in blocks, or one at a time: file and account are the same.
final class PipelineBlocksTests: CommandTestCase {
  private var fixture: ConverterFixture!

  override func setUpWithError() throws {
    try super.setUpWithError()
    fixture = try ConverterFixture(in: folder)
  }

  /// What is left of a run.
  private struct Outcome {
    var rows: [String]
    var accounts: [StreamAccount]
    var losses: [Loss]
    var errors: [SluiceError.Code]
  }

  private func pipeline(
    _ options: String, inBlocks: Bool, count: Int? = nil, pauseMode: PauseMode? = nil, file: String = "out.csv"
  ) throws -> Pipeline {
    try fixture.set("buffer/enable", to: "0")
    let options = options.split(separator: " ").map(String.init)
    var source = try Source.scans(
      of: XCTUnwrap(DeviceArgument(argument: "adc")), SourceSettings(),
      roots: DeviceRoots(sys: "\(folder)/sys", dev: "\(folder)/dev", run: "\(folder)/run"))
    if !inBlocks { source.blocks = nil }
    let operators = try OperatorOptions.parse(options.filter { $0 != "--raw" }).operators
    return try Pipeline(
      [source], operators,
      Output(
        destination: .file("\(folder)/\(file)", layout: .wide), raw: options.contains("--raw"), existing: .overwrite),
      bufferSize: operators.buffer ?? 32_768, pauseMode: pauseMode ?? .hold, count: count)
  }

  private typealias Body = (_ pipeline: Pipeline, _ feed: (Range<Int>) -> Void, _ remove: () -> Void) throws -> Void

  /// A recording of 3,000 scans that are there when it begins.
  /// - Parameter body: Gets the pipeline, what brings more scans, and what closes the FIFO.
  private func record(
    _ options: String, inBlocks: Bool, count: Int? = nil, pauseMode: PauseMode? = nil, _ body: Body
  ) throws -> Outcome {
    let pipeline = try pipeline(options, inBlocks: inBlocks, count: count, pauseMode: pauseMode)
    XCTAssertEqual(pipeline.takesBlocks, inBlocks)
    let feeding = open(fixture.fifo, O_WRONLY)
    let feed = { (numbers: Range<Int>) in
      let bytes = ConverterFixture.scans(numbers)
      XCTAssertEqual(Foundation.write(feeding, bytes, bytes.count), bytes.count)
    }
    feed(0..<3_000)
    var isOpen = true
    let remove = {
      if isOpen { close(feeding) }
      isOpen = false
    }
    if pauseMode != nil { pipeline.pause() }
    pipeline.start()
    try body(pipeline, feed, remove)
    pipeline.wait()
    remove()
    return Outcome(
      rows: try rows("out.csv"), accounts: pipeline.accounts, losses: pipeline.losses,
      errors: pipeline.errors.map(\.code))
  }

  private func waitUntilReceived(_ count: Int, _ pipeline: Pipeline) {
    waitUntil("\(count) received") { pipeline.ledgers[0].received.load(ordering: .relaxed) >= count }
  }

  /// Runs it both ways.
  @discardableResult private func compare(
    _ options: String, count: Int? = nil, pauseMode: PauseMode? = nil, line: UInt = #line, _ body: Body
  ) throws -> Outcome {
    let single = try record(options, inBlocks: false, count: count, pauseMode: pauseMode, body)
    let blocks = try record(options, inBlocks: true, count: count, pauseMode: pauseMode, body)
    XCTAssertTrue(blocks.rows == single.rows, options, line: line)
    XCTAssertEqual(blocks.accounts, single.accounts, options, line: line)
    XCTAssertEqual(blocks.losses, single.losses, options, line: line)
    XCTAssertEqual(blocks.errors, single.errors, options, line: line)
    XCTAssertEqual(blocks.accounts.map(\.unaccounted), [0], options, line: line)
    XCTAssertEqual(blocks.rows.count - 1, blocks.accounts.first?.written, options, line: line)
    return blocks
  }

  func testAFullBufferWhilePaused() throws {
    for (policy, first) in [("drop-oldest", 4_000), ("drop-newest", 0)] {
      let outcome = try compare("--buffer 5000 --when-full \(policy) --raw", pauseMode: .hold) { pipeline, feed, _ in
        feed(3_000..<9_000)
        waitUntilReceived(9_000, pipeline)
        pipeline.stop()
      }
      XCTAssertEqual(outcome.rows.dropFirst().first?.hasSuffix(",\(first)"), true)
      XCTAssertEqual(outcome.accounts.first?.written, 5_000)
      XCTAssertEqual(outcome.accounts.first?.dropped, 4_000)
    }
  }

  func testAPauseWithinTheBufferLosesNothing() throws {
    let outcome = try compare("", pauseMode: .hold) { pipeline, _, _ in
      waitUntilReceived(3_000, pipeline)
      XCTAssertEqual(pipeline.accounts.first?.written, 0)
      pipeline.resume()
      waitUntil("all written") { pipeline.accounts.first?.written == 3_000 }
      pipeline.stop()
    }
    XCTAssertEqual(outcome.accounts.first?.written, 3_000)
    XCTAssertEqual(outcome.losses.map(\.count), [4], "two are missing twice")
  }

  func testAPauseThatDiscards() throws {
    let outcome = try compare("", pauseMode: .discard) { pipeline, _, _ in
      waitUntilReceived(3_000, pipeline)
      pipeline.stop()
    }
    XCTAssertEqual(outcome.accounts.first?.discarded, 3_000)
  }

  func testStopsAfterSoMany() throws {
    for count in [1, 1_024, 1_500] {
      let outcome = try compare("--raw", count: count) { _, _, _ in }
      XCTAssertEqual(outcome.accounts.first?.received, count)
      XCTAssertEqual(outcome.rows.last?.hasSuffix(",\(count - 1)"), true)
    }
  }

  /// How much was received by then is up to the threads.
  func testAStopWritesWhatWasReceived() throws {
    let outcome = try record("--raw", inBlocks: true) { pipeline, _, _ in
      waitUntilReceived(1, pipeline)
      pipeline.stop()
    }
    let numbers = outcome.rows.dropFirst().compactMap { $0.split(separator: ",").last.flatMap { Int($0) } }
    XCTAssertEqual(numbers, Array(0..<numbers.count))
    XCTAssertEqual(outcome.accounts.first?.received, numbers.count)
    XCTAssertEqual(outcome.accounts.first?.unaccounted, 0)
  }

  func testADeviceThatIsRemoved() throws {
    for (options, value) in [("", "749.75"), ("--raw", "2999"), ("--buffer 0", "749.75")] {
      let outcome = try compare(options) { _, _, remove in remove() }
      XCTAssertEqual(outcome.errors, [.disconnected])
      XCTAssertEqual(outcome.rows.count, 3_001)
      XCTAssertEqual(outcome.rows.last?.hasSuffix(",\(value)"), true, outcome.rows.last ?? "")
    }
  }

  func testWhatNeedsEachReadingTakesNoBlocks() throws {
    for (number, options) in ["--throttle 1ms", "--collect 7", "--buffer 100", "--when-full fail"].enumerated() {
      // Each keeps its own file until it is run.
      XCTAssertFalse(try pipeline(options, inBlocks: true, file: "\(number).csv").takesBlocks, options)
    }
  }
}
