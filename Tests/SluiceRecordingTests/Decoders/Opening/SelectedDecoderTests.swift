import SluiceReadings
import XCTest

@testable import SluiceRecording

final class SelectedDecoderTests: XCTestCase {
  /// Gives what it is told to, a piece at a time, as a pipe does.
  private final class Pipe: TraceDecoder {
    let list: StreamList
    var pieces: [[Reading]]
    var failure: SluiceError?
    /// How many pieces there are without waiting.
    var available = 0
    let mayWait = true

    init(_ streams: [StreamDescription], _ pieces: [[Reading]]) {
      list = StreamList(streams)
      self.pieces = pieces
    }

    var hasNext: Bool { available > 0 }

    func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
      guard !pieces.isEmpty else {
        if let failure { throw failure }
        return 0
      }
      available -= 1
      let piece = pieces.removeFirst()
      for (index, reading) in piece.enumerated() { target[index] = reading }
      return piece.count
    }
  }

  private let streams = ["a", "b", "c"].map { name in
    StreamDescription(name: name, channels: ["x", "y"].map { .init(name: $0) })
  }

  private func reading(_ time: Int64, _ stream: UInt16) -> Reading {
    Reading(time: time, stream: StreamID(stream), values: [Int64(stream), time])
  }

  private func read(_ decoder: SelectedDecoder, _ size: Int = 64) throws -> [[Int64]] {
    var target = [Reading](repeating: .empty, count: size)
    let count = try target.withUnsafeMutableBufferPointer { try decoder.read(into: $0) }
    return target[..<count].map { [$0.time, Int64($0.stream.index)] + $0.values.map(\.significand) }
  }

  private func decoder(_ names: [String], _ pieces: [[Reading]]) throws -> (SelectedDecoder, Pipe) {
    let pipe = Pipe(streams, pieces)
    return (SelectedDecoder(pipe, try TraceSelection(names, of: streams, "t.csv")), pipe)
  }

  func testTheRestOfARowIsNotWaitedFor() throws {
    let (selected, pipe) = try decoder(
      ["c.y", "a"], [[reading(1, 0), reading(1, 2)], [reading(2, 0)], [reading(3, 1)]])
    pipe.available = 1
    XCTAssertEqual(try read(selected), [[1, 0, 1], [1, 1, 0, 1]])
    XCTAssertFalse(selected.hasNext)
    pipe.available = 2
    XCTAssertEqual(try read(selected), [[2, 1, 0, 2]])
    XCTAssertEqual(try read(selected), [])
  }

  func testARowThatComesInTwoPiecesStaysARow() throws {
    let (selected, pipe) = try decoder(
      ["c", "b", "a"], [[reading(1, 0)], [reading(1, 1), reading(1, 2), reading(1, 0)]])
    pipe.available = 3
    XCTAssertEqual(try read(selected, 2).map { $0[1] } + read(selected).map { $0[1] }, [0, 1, 2, 2])
  }

  func testWhatIsGoodComesBeforeTheFailure() throws {
    let (selected, pipe) = try decoder(["b"], [[reading(1, 0), reading(1, 1)]])
    let failure = SluiceError(.malformed, "read", "t.csv", because: "it is torn")
    (pipe.failure, pipe.available) = (failure, 2)
    XCTAssertEqual(try read(selected), [[1, 0, 1, 1]])
    for _ in 0..<2 {
      XCTAssertThrowsError(try read(selected)) { XCTAssertEqual($0 as? SluiceError, failure) }
    }
  }

  func testNamesWithDots() throws {
    let named = ["a.b", "a"].map { name in
      StreamDescription(name: name, channels: ["b", "c.d"].map { .init(name: $0) })
    }
    func streams(_ names: String...) throws -> [[String]] {
      try TraceSelection(names, of: named, "t.csv").streams.map { [$0.name] + $0.channels.map(\.name) }
    }
    XCTAssertEqual(try streams("a.b"), [["a.b", "b", "c.d"]])
    XCTAssertEqual(try streams("a.c.d", "a.b.b", "a.b.c.d"), [["a", "c.d"], ["a.b", "b", "c.d"]])
    for names in [["a", "a"], ["a.c.d", "a"], ["a", "a.c.d"], ["a.c.d", "a.c.d"]] {
      XCTAssertThrowsError(try TraceSelection(names, of: named, "t.csv")) {
        XCTAssertEqual(($0 as? SluiceError)?.code, .usage)
      }
    }
  }
}
