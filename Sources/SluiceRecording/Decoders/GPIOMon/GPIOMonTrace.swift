package import SluiceReadings

/// The edges that libgpiod's `gpiomon` prints, version 1 or 2, one per line.
package enum GPIOMonTrace: TraceKind {
  package static let form = "the default output of gpiomon"
  package static let extensions: [String] = []

  /// Also recognizes the output of `gpiomon --format`, so that the error can ask for the default output.
  package static func recognizes(_ beginning: [UInt8]) -> Bool {
    let text = beginning.drop { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let line = text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard !line.isEmpty, line.allSatisfy({ $0 >= 0x20 || $0 == 0x09 }) else { return false }
    let kind = Array(line).withUnsafeBufferPointer { GPIOMonLine.kind($0) }
    if case .other = kind { return line.contains { $0 != 0x20 && $0 != 0x09 } }
    if kind != nil { return true }
    let words = line.split { $0 == 0x20 || $0 == 0x09 }
    return !line.contains(UInt8(ascii: ",")) && words.contains { $0.first.map { $0 &- 0x30 < 10 } ?? false }
      && words.contains { $0.elementsEqual("rising".utf8) || $0.elementsEqual("falling".utf8) }
  }

  package static func open(_ file: TraceFile, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace {
    let described = try file.describe(options)
    let lines = TraceLines(file)
    lines.skipsBad = options.skipped != nil
    var known: [StreamDescription]?
    if !file.isPipe {
      // The file is read twice: first for the names of the streams.
      var readings = GPIOMonReadings(file.name, known: nil, limit: .file, warn: { _ in })
      try LineDecoder.survey(lines, &readings)
      known = readings.learned
      try lines.rewind()
    }
    lines.begin(options)
    let readings = GPIOMonReadings(file.name, known: known, limit: .pipe, warn: options.warn)
    return OpenTrace(
      decoder: LineDecoder(lines, readings, TraceMarks(nil, [])), metadata: nil, inputs: described.inputs)
  }
}
