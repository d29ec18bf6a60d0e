import Foundation
import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceSQLite

/// A test with a folder of its own.
class SQLiteTestCase: XCTestCase {
  private(set) lazy var folder = temporaryFolder()

  /// A file, with nothing in it unless something is given.
  func file(_ name: String = "walk.db", _ bytes: Data = Data()) -> String {
    let path = "\(folder)/\(name)"
    XCTAssertTrue(FileManager.default.createFile(atPath: path, contents: bytes))
    return path
  }

  /// A whole recording.
  @discardableResult
  func record(
    _ readings: [Reading], _ streams: [StreamDescription], raw: Bool = false, appends: Bool = false,
    to path: String? = nil
  ) throws -> String {
    let path = path ?? file()
    let recording = try SQLiteRecording(path: path, streams: streams, raw: raw, appends: appends)
    try recording.write(readings)
    try recording.close()
    return path
  }
}

extension SQLiteRecording {
  func write(_ readings: [Reading]) throws {
    try readings.withUnsafeBufferPointer { readings in
      try Result { () throws(SluiceError) in try write(readings) }.get()
    }
  }
}

extension SQLiteTrace {
  /// All that is left, some at a time.
  func readAll(_ count: Int = 7) throws -> [Reading] {
    var all: [Reading] = []
    var block = [Reading](repeating: reading(99, 9, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), count: count)
    while true {
      let count = try block.withUnsafeMutableBufferPointer { block in
        try Result { () throws(SluiceError) in try read(into: block) }.get()
      }
      if count == 0 { return all }
      all += block.prefix(count)
    }
  }
}

func readAll(_ path: String) throws -> [Reading] { try SQLiteTrace(path: path, timeout: 0).readAll() }

/// The rows of a query, in text.
func query(_ path: String, _ sql: String) throws -> [String] {
  let statement = try SQLiteDatabase(path: path, mode: .reading).prepare(sql)
  var rows: [String] = []
  while try statement.step() {
    rows.append((0..<statement.columns).map { statement.text($0) ?? "NULL" }.joined(separator: "|"))
  }
  return rows
}

func execute(_ path: String, _ sql: String) throws {
  try SQLiteDatabase(path: path, mode: .writing).execute(sql)
}

func reading(_ time: Int64, _ stream: UInt16 = 0, _ values: Values, flags: Reading.Flags = []) -> Reading {
  Reading(time: time, stream: StreamID(stream), values: values, flags: flags)
}

func stream(_ name: String, _ channels: String...) -> StreamDescription {
  StreamDescription(name: name, channels: channels.map { StreamDescription.Channel(name: $0) })
}

func decimal(_ text: String) throws -> ExactDecimal {
  text.isEmpty ? .missing : try XCTUnwrap(ExactDecimal(text), text)
}

func values(_ texts: String...) throws -> Values {
  var values = Values()
  for text in texts { values.append(try decimal(text)) }
  return values
}

func error(of body: () throws -> Void) -> SluiceError? {
  do {
    try body()
    return nil
  } catch {
    return error as? SluiceError
  }
}

/// SplitMix64: the same numbers each time.
struct Random: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
