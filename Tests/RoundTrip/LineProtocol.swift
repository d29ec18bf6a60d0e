import Foundation
import SluiceRecording

/// Asks a program in Python whether a file has the right readings. The program knows the line protocol of InfluxDB, and
/// nothing of this library.
final class LineProtocol {
  private let process = Process()
  private let questions = Pipe()
  private let answers = Pipe()

  /// - Parameter script: The path of line_protocol.py.
  init(script: String) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script]
    process.standardInput = questions
    process.standardOutput = answers
    try process.run()
  }

  deinit {
    try? questions.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// - Parameters:
  ///   - isByMeasurement: Whether only the readings of the same measurement are in their order.
  ///   - runs: How many runs wrote the files.
  /// - Returns: What is wrong; nil if nothing is.
  func fault(of paths: [String], _ contents: Contents, _ tags: [RowTag], isByMeasurement: Bool, runs: Int) throws
    -> String?
  {
    let question: [String: Any] = [
      "paths": paths, "readings": contents.rows.map { reading($0, contents) }, "by_measurement": isByMeasurement,
      "tags": tags.map { [Self.tag($0.name), Self.tag($0.value)] }, "runs": runs,
    ]
    var line = try JSONSerialization.data(withJSONObject: question)
    line.append(0x0a)
    try questions.fileHandleForWriting.write(contentsOf: line)
    var answer = Data()
    while answer.last != 0x0a {
      let more = answers.fileHandleForReading.availableData
      if more.isEmpty { return "the program in Python has ended" }
      answer += more
    }
    let text = String(decoding: answer.dropLast(), as: UTF8.self)
    return text == "ok" ? nil : text
  }

  /// A reading with the names as line protocol can hold them, and numbers as text.
  private func reading(_ row: Contents.Row, _ contents: Contents) -> [String: Any] {
    let stream = contents.streams[row.stream]
    var fields: [[String]] = []
    for (channel, value) in zip(stream.channels, row.values) {
      // Record.md: "A level is an integer. Every other value is a float". "A missing value is left out."
      guard let value else { continue }
      fields.append([Self.name(channel.name, "value"), channel.isLevel ? "integer" : "float", value.text])
    }
    let names: [(String, Bool)] = [
      ("gap_before", row.flags.contains(.gapBefore)), ("initial_level", row.flags.contains(.initialLevel)),
      ("late", row.flags.contains(.late)), ("restart", row.flags.contains(.restart)),
      ("at_least", row.flags.contains(.atLeast)), ("uncertain_time", row.flags.contains(.uncertainTime)),
      ("possible_duplicate", row.flags.contains(.possibleDuplicate)),
      ("uncertain_level", row.flags.contains(.uncertainLevel)),
    ]
    // Record.md: "Flags are a field of text: `flags="gap_before"`."
    let flags = names.filter(\.1).map(\.0).joined(separator: " ")
    if !flags.isEmpty { fields.append(["flags", "text", flags]) }
    return ["measurement": Self.measurement(stream.name), "fields": fields, "time": "\(row.time)"]
  }

  /// Record.md: "Each control character and line separator is written as `_`", "a name that ends with a backslash gets a `_`
  /// behind it".
  private static func tag(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar in
      let isControl = scalar.properties.generalCategory == .control
      return isControl || scalar == "\u{2028}" || scalar == "\u{2029}" ? "_" : scalar
    }
    return String(String.UnicodeScalarView(scalars)) + (scalars.last == "\\" ? "_" : "")
  }

  /// Record.md: "a measurement that would begin with `#` or `_` has an `m` before it".
  private static func measurement(_ name: [UInt8]) -> String {
    let name = Self.name(name, "value")
    return name.hasPrefix("#") || name.hasPrefix("_") ? "m" + name : name
  }

  /// Record.md: "Names are those of CSV cells": "a stream or channel name that begins a cell in this way gets a `_` in front.
  /// Each control character and line separator is written as `_`"; "a name that ends with a backslash gets a `_` behind it,
  /// and an empty one is `value`".
  private static func name(_ bytes: [UInt8], _ empty: String) -> String {
    var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    if let first = scalars.first, "=+-@".unicodeScalars.contains(first) { scalars.insert("_", at: 0) }
    scalars = scalars.map { scalar in
      let isControl = scalar.properties.generalCategory == .control
      return isControl || scalar == "\u{2028}" || scalar == "\u{2029}" ? "_" : scalar
    }
    if scalars.isEmpty { return empty }
    if scalars.last == "\\" { scalars.append("_") }
    return String(String.UnicodeScalarView(scalars))
  }
}
