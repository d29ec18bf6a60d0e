import Foundation
import SluiceReadings
import SluiceSystem
import TestDisk
import TestFiles
import XCTest

@testable import SluiceMCAP
@testable import SluiceRecording

/// A test with a folder of its own.
class MCAPTestCase: XCTestCase {
  private(set) lazy var folder = temporaryFolder()
  var path: String { "\(folder)/walk.mcap" }

  /// Writes a recording.
  /// - Parameter batches: The readings of each chunk.
  /// - Returns: What the run has found in the file.
  @discardableResult
  func write(
    _ batches: [[Reading]], _ streams: [StreamDescription], raw: Bool = false, encoding: String? = nil,
    existing: ExistingFile = .overwrite, to path: String? = nil, closes: Bool = true
  ) throws -> [OutputEvent] {
    var options = FormatOptions(path: path ?? self.path, streamCount: streams.count)
    options.encoding = encoding
    let file = try ClaimedFile(path: path ?? self.path, existing: existing)
    try file.lock()
    var found: [OutputEvent] = []
    let store = try MCAPFormat(options).store(file, EncoderStreams(streams, raw: raw))
    do {
      try store.check()
      try store.begin { found.append($0) }
    } catch {
      file.discard()
      throw error
    }
    for batch in batches { try store.write(batch) }
    if closes { try store.close() } else { try file.close() }
    return found
  }

  func readAll(_ path: String? = nil, skipsBad: Bool = false) throws -> Trace {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path ?? self.path)))
    return try Trace(bytes, skipsBad: skipsBad)
  }

  var bytes: [UInt8] {
    get throws { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }
  }

  func put(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

  // MARK: A small recording

  /// The streams of the batches.
  let streams = [stream("a", "x"), stream("b", "x", "y")]

  /// Two readings of `a` and one of `b` between them, which are a chunk.
  func batch(_ number: Int64, from start: Int64 = 0) -> [Reading] {
    (0..<3).map { (part: Int64) in
      var values = Values(number)
      if part % 2 != 0 { values.append(part) }
      return reading(start + number * 10 + part, UInt16(part % 2), values)
    }
  }

  func batches(_ range: Range<Int64>, from start: Int64 = 0) -> [[Reading]] { range.map { batch($0, from: start) } }

  /// The chunks of the file, each with its indexes.
  func chunks() throws -> [Range<Int>] {
    try XCTUnwrap(Contents.read(FileBytes(try bytes), checkedFrom: nil)).summary.chunks.map {
      Int($0.offset)..<Int($0.offset + $0.length + $0.indexLength)
    }
  }

  // MARK: Repair

  func inspect() throws -> FormatDamage {
    try XCTUnwrap(RecordingRepair(path, formats: [MCAPRepair.self]).inspectFormat())
  }

  @discardableResult
  func repair() throws -> FormatDamage {
    try RecordingRepair(path, formats: [MCAPRepair.self]).run(isDryRun: false).rows
  }
}

extension RecordStore {
  /// Writes readings as one chunk, if they fit.
  func write(_ readings: [Reading]) throws {
    var rest = readings[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBufferPointer { append($0) }
      rest = rest.dropFirst(count)
      if isFull { try batch()?.write() }
    }
    endRow()
    try batch()?.write()
  }
}

/// What was read of a file.
struct Trace: Equatable {
  var streams: [StreamDescription] = []
  var readings: [Reading] = []
  var warnings: [String] = []
  var error: String?
  var skipped = 0

  init(_ bytes: [UInt8], skipsBad: Bool = false, batch: Int = 7) throws {
    let said = Said()
    let skipped = skipsBad ? SkippedRows() : nil
    var options = OpenTrace.Options(kinds: [MCAPTraceKind.self], skipped: skipped)
    options.warn = { said.add($0) }
    do {
      let trace = try MCAPTraceKind.open(bytes, name: "walk.mcap", options)
      streams = trace.decoder.list.streams
      var block = [Reading](repeating: reading(99, 9, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), count: batch)
      while true {
        let count = try block.withUnsafeMutableBufferPointer { block in
          try Result { () throws(SluiceError) in try trace.decoder.read(into: block) }.get()
        }
        if count == 0 { break }
        readings += block.prefix(count)
      }
    } catch {
      self.error = "\(error)"
    }
    warnings = said.all
    self.skipped = skipped?.count ?? 0
  }
}

extension Trace {
  /// The sequences of each topic, in the order of the file, as any reader finds them.
  static func sequences(_ bytes: [UInt8]) throws -> [String: [UInt32]] {
    let file = FileBytes(bytes)
    guard let contents = try Contents.read(file, checkedFrom: 0) else { return [:] }
    var found: [String: [UInt32]] = [:]
    for index in contents.summary.chunks {
      let length = Int64(index.length) - Int64(RecordKind.head)
      guard let chunk = try? Chunk(file, at: Int64(index.offset), length: length, ChunkReader()) else { continue }
      chunk.forEach { kind, bytes, _ in
        if kind == RecordKind.message.rawValue, let head = MessageHead(bytes) {
          found[contents.summary.channel(head.channel)?.topic ?? "?", default: []].append(head.sequence)
        }
        return true
      }
    }
    return found
  }
}

/// What a reader says.
final class Said: @unchecked Sendable {
  // A test reads on one thread.
  private(set) var all: [String] = []
  func add(_ text: String) { all.append(text) }
}

extension OpenTrace.Options {
  init(kinds: [any TraceKind.Type], skipped: SkippedRows?) {
    self.init()
    self.skipped = skipped
  }
}

func reading(_ time: Int64, _ stream: UInt16 = 0, _ values: Values, flags: Reading.Flags = []) -> Reading {
  Reading(time: time, stream: StreamID(stream), values: values, flags: flags)
}

func stream(_ name: String, _ channels: String...) -> StreamDescription {
  StreamDescription(name: name, channels: channels.map { StreamDescription.Channel(name: $0) })
}

/// What a value means, whatever its zeros at the end.
struct Meaning: Equatable {
  var text: String?

  init(_ value: ExactDecimal, _ channel: StreamDescription.Channel? = nil) {
    guard !value.isMissing else { return }
    var (significand, exponent) = (Int128(value.significand), Int(value.exponent))
    if let channel, let scaled = value.scaled(by: channel.scale, offset: channel.offset) {
      (significand, exponent) = (scaled.significand, scaled.exponent)
    }
    while significand != 0, significand % 10 == 0 { (significand, exponent) = (significand / 10, exponent + 1) }
    text = significand == 0 ? "0" : "\(significand)e\(exponent)"
  }
}
