import Dispatch
import Foundation
import Sluice
import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceRecording

/// Traces out of pipes, whose rows come later or never.
final class WaitingTraceTests: XCTestCase {
  private lazy var folder = temporaryFolder()

  private func fifo() -> String {
    let path = folder.file("pipe")
    XCTAssertEqual(mkfifo(path, 0o600), 0)
    return path
  }

  /// Answers false so often.
  private func after(_ looks: Int) -> @Sendable () -> Bool {
    let left = Locked(looks)
    return {
      left.withLock {
        $0 -= 1
        return $0 < 0
      }
    }
  }

  func testATraceThatNobodyWritesCanBeInterrupted() {
    let path = fifo()
    let interrupted = error { _ = try TraceReader(path: path, isInterrupted: after(3)) }
    XCTAssertEqual(interrupted?.errno, EINTR)
    XCTAssertEqual(interrupted?.description, "cannot read \(path): it was asked to stop")
  }

  func testAHeaderThatDoesNotComeCanBeInterrupted() throws {
    let path = fifo()
    // Reading and writing: opening does not wait, and there is no end of the file.
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    XCTAssertEqual(write(descriptor, "time_ns,", 8), 8)
    XCTAssertEqual(error { _ = try TraceReader(path: path, isInterrupted: after(5)) }?.errno, EINTR)
  }

  /// Once there is a header, `Replay.end()` ends it.
  func testRowsAreWaitedForAllTheSame() throws {
    let path = fifo()
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    XCTAssertEqual(write(descriptor, "time_ns,x\n", 10), 10)
    let stop = Locked(false)
    let trace = try TraceReader(path: path, isInterrupted: { stop.withLock { $0 } })
    stop.withLock { $0 = true }
    XCTAssertEqual(write(descriptor, "1,2\n", 4), 4)
    XCTAssertEqual(try trace.next()?.time, 1)
  }

  /// As standard input, which is not opened anew; somebody else has set O_NONBLOCK on it.
  func testAnEmptyPipeIsWaitedFor() throws {
    var ends: [Int32] = [-1, -1]
    XCTAssertEqual(pipe(&ends), 0)
    for end in ends { XCTAssertEqual(fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK), 0) }
    let (input, to) = (dup(STDIN_FILENO), ends[1])
    defer {
      dup2(input, STDIN_FILENO)
      for descriptor in [input] + ends { close(descriptor) }
    }
    XCTAssertEqual(dup2(ends[0], STDIN_FILENO), STDIN_FILENO)
    let reading = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      XCTAssertEqual(write(to, "time_ns,x\n1,", 12), 12)
      XCTAssertEqual(reading.wait(timeout: .now() + 60), .success)
      XCTAssertEqual(write(to, "2\n", 2), 2)
    }
    let trace = try TraceReader(path: "-")
    reading.signal()
    XCTAssertEqual(try trace.next()?.time, 1)
  }

  /// The channels of a pipe whose bytes come in such pieces. Its writer does not close it.
  private func channels(_ text: String, pieces: Int) throws -> [String] {
    let path = fifo()
    defer { unlink(path) }
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    let isOpen = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let piece = Array(rest.prefix(pieces))
        XCTAssertEqual(write(descriptor, piece, piece.count), piece.count)
        rest = rest.dropFirst(pieces)
      }
      isOpen.signal()
    }
    let trace = try TraceReader(path: path)
    XCTAssertEqual(isOpen.wait(timeout: .now() + 60), .success)
    return trace.streams.flatMap { $0.channels.map(\.name) }
  }

  /// From the first row alone, `id` would be read as decimal numbers.
  func testThreeRowsOfAPipeDecideHoweverTheyCome() throws {
    let text = "a logger\ntime,id,v,w\n1.5,10,1,2\n2.5,1F,2,3\n3.5,20,3,4\n4.5,21,4,text\n"
    for pieces in [1, 5, 64, 1_000] { XCTAssertEqual(try channels(text, pieces: pieces), ["v", "w"]) }
  }

  func testFewerRowsOfAPipeDecideAfterASecond() throws {
    XCTAssertEqual(try channels("time,id,v\n1.5,10,1\n", pieces: 100), ["id", "v"])
    // An open quote does not make it wait for 64 KiB.
    XCTAssertEqual(try channels("time,id,v\n1.5,10,1\n2.5,\"11,2\n3.5,12,3\n", pieces: 100), ["id", "v"])
  }

  /// An instrument writes more lines of settings than a pipe has rows that are looked at.
  func testSettingsOfAnInstrumentAreNoRows() throws {
    let settings =
      "Record Length,Analog:4\nSample Interval,Analog:0.000000001\nVertical Units,CH1:V\nVertical Scale,CH1:0.50\n"
    let rows = "Horizontal Units,S\nSource,CH1\nSecond,Value\n-0.000000004,0.04\n0.000000000,0.05\n"
    XCTAssertEqual(try channels(settings + rows, pieces: 1_000), ["CH1 (V)"])
  }

  /// Three numbers may all have three digits behind the sign of thousands.
  func testThousandsOfAPipeAreNotGuessed() throws {
    let path = fifo()
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    let text = "t_s;v\n0;1,042\n1;2,607\n2;3,100\n3;999,5\n"
    XCTAssertEqual(write(descriptor, text, text.utf8.count), text.utf8.count)
    let trace = try TraceReader(path: path)
    XCTAssertTrue(error { _ = try trace.next() }?.cause.contains("has two meanings") ?? false)
  }

  /// The tables of other programs are read from a pipe as they are read from a file.
  func testTablesFromAPipe() throws {
    let tables = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Fixtures/tables")
    let names = try FileManager.default.contentsOfDirectory(atPath: tables.path)
    XCTAssertGreaterThan(names.count, 50)
    for name in names.sorted() {
      let bytes = try Array(Data(contentsOf: tables.appending(path: name)))
      let path = fifo()
      let writing = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        let descriptor = open(path, O_WRONLY)
        XCTAssertEqual(write(descriptor, bytes, bytes.count), bytes.count)
        close(descriptor)
        writing.signal()
      }
      let piped = rows(try? TraceReader(path: path))
      XCTAssertEqual(writing.wait(timeout: .now() + 60), .success)
      unlink(path)
      XCTAssertEqual(piped, rows(try? TraceReader(bytes, name: name)), name)
    }
  }

  /// The names of the channels and the rows; nil if it cannot be opened.
  private func rows(_ trace: TraceReader?) -> [String]? {
    guard let trace else { return nil }
    var rows = trace.streams.map { $0.channels.map(\.name).joined(separator: "|") }
    while let reading = try? trace.next() {
      rows.append("\(reading.time) \(reading.stream.index) \(reading.values.map(\.description))")
    }
    return rows
  }
}
