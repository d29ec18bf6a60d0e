import SluiceCAN
package import SluiceReadings
import SluiceSystem

/// The frames of CAN interfaces that `candump -L` prints, one per line.
package enum CandumpTrace: TraceKind {
  package static let form = "the output of candump -L"
  package static let extensions: [String] = []

  package static func recognizes(_ beginning: [UInt8]) -> Bool {
    let text = beginning.starts(with: TextDecoding.mark) ? beginning.dropFirst(TextDecoding.mark.count) : beginning[...]
    let lines = text.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    // The first line of a log that was cut or rotated may be torn.
    return lines.prefix(4).contains { isLine($0) }
  }

  /// Whether the error for a line should be about candump: it may be damaged, of CAN XL, or written without `-L`.
  private static func isLine(_ line: ArraySlice<UInt8>) -> Bool {
    if CandumpLine.isDefault(line) { return true }
    let words = line.split(maxSplits: 4) { $0 == 0x20 }
    guard words.count >= 3, words[0].first == UInt8(ascii: "("), words[0].last == UInt8(ascii: ")") else {
      return false
    }
    return words[0].dropFirst().first.map { $0 &- 0x30 < 10 } ?? false && words[2].contains(UInt8(ascii: "#"))
  }

  package static func open(_ file: TraceFile, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace {
    var messages: [CANMessage] = []
    if let dbc = options.format.dbc {
      messages = try DBC(path: dbc).messages
      try CANStreams.check(messages, of: dbc, remedy: "delete some from the file")
      if let leftOut = CANStreams.leftOut(messages, of: dbc) { options.warn(leftOut) }
    }
    var inputs = try file.describe(options).inputs
    // It must not be an output.
    if let dbc = options.format.dbc { inputs.append(TraceInput(identity: FileIdentity(path: dbc), path: dbc)) }
    let lines = TraceLines(file)
    lines.skipsBad = options.skipped != nil
    var known: [StreamDescription]?
    if !file.isPipe {
      // The file is read twice: first for its streams.
      var readings = CandumpReadings(file.name, known: nil, limit: .file, messages: messages, warn: { _ in })
      try LineDecoder.survey(lines, &readings)
      known = readings.learned
      try lines.rewind()
    }
    lines.begin(options)
    let readings = CandumpReadings(file.name, known: known, limit: .pipe, messages: messages, warn: options.warn)
    return OpenTrace(
      decoder: LineDecoder(lines, readings, TraceMarks(nil, [])), metadata: nil, inputs: inputs)
  }
}
