import SluiceReadings

/// JSON Lines of other programs: `{"ts":1709294400,"temp":21.5,"pos":{"x":1}}`.
enum JSONObjects {
  /// Whether the first object is from another program. False if the line is not an object.
  static func areForeign(_ lines: TraceLines) throws(SluiceError) -> Bool {
    while true {
      var found: UnsafeBufferPointer<UInt8>?
      // The fault of a line is reported when it is read.
      do throws(SluiceError) {
        found = try lines.peek()
      } catch {
        if error.code == .malformed { return false }
        throw error
      }
      guard let line = found else { return false }
      var cursor = JSONCursor(line)
      if cursor.isAtEnd {
        _ = try lines.next()
        continue
      }
      var names: Set<String> = []
      let text = cursor
      guard cursor.take("{") else { return false }
      let isObject = cursor.members { name, _ in
        for known in ["stream", "values", "time_ns"] where text.isEqual(name, Array(known.utf8)) { names.insert(known) }
        return true
      }
      // With two of the three members it is taken as a row of Sluice, and the error names the missing one.
      return isObject && names.count < 2
    }
  }

  static func open(
    _ file: TraceFile, _ lines: TraceLines, _ options: OpenTrace.Options, _ inputs: [TraceInput]
  ) throws(SluiceError) -> OpenTrace {
    var survey: JSONObjectReadings?
    if !file.isPipe {
      // The file is read twice: first for its channels.
      var readings = try JSONObjectReadings(
        file.name, stem: file.stem, options.format, survey: nil, warn: { _ in })
      try lines.rewind()
      let isWhole = try LineDecoder.survey(lines, &readings)
      if isWhole { try readings.checkColumns() }
      try lines.rewind()
      survey = readings
    }
    lines.begin(options)
    let readings = try JSONObjectReadings(
      file.name, stem: file.stem, options.format, survey: survey, warn: options.warn)
    return OpenTrace(decoder: LineDecoder(lines, readings, TraceMarks(nil, [])), metadata: nil, inputs: inputs)
  }
}
