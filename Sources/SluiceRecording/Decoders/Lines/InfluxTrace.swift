package import SluiceReadings

/// Line protocol of InfluxDB, as `sluice` and other programs write it: lines with their own times.
package enum InfluxTrace: TraceKind {
  package static let form = "line protocol of InfluxDB"
  /// In a folder, it stands beside the CSV file of the same recording.
  package static let extensions: [String] = []

  package static func recognizes(_ beginning: [UInt8]) -> Bool {
    // The mark is no part of a name; the text is looked at again without it.
    if beginning.starts(with: TextDecoding.mark) { return false }
    let lines = beginning.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "\n") }
    for (index, line) in lines.enumerated() {
      let isWhole = index < lines.count - 1
      let text = line.withUnsafeBufferPointer { Array(ExactDecimal.trim($0)) }
      if text.isEmpty || text[0] == UInt8(ascii: "#") { continue }
      return text.withSlack { isLine($0, isWhole: isWhole || beginning.count < 512) }
    }
    return false
  }

  /// Whether a line has fields, and a number for a time if it has one.
  /// - Parameter isWhole: Whether its end is there.
  private static func isLine(_ line: UnsafeBufferPointer<UInt8>, isWhole: Bool) -> Bool {
    var fields = InfluxFields(hasTime: true)
    var (hasField, isOne) = (false, true)
    let fault = fields.split(line) { field in
      if !hasField { isOne = isSeries(field.series) }
      if field.name.elementsEqual("time".utf8) {
        // The time itself has no end here if the line is not whole.
        isOne = isOne && (Int64(String(decoding: field.value, as: UTF8.self)) != nil || !isWhole)
      }
      isOne = isOne && !hasComma(field.name) && (!field.value.isEmpty && isValue(field) || !isWhole)
      hasField = true
    }
    return hasField && isOne && (fault == nil || !isWhole)
  }

  /// Whether a field has a number, a string in quotes, or a boolean.
  private static func isValue(_ field: LineField) -> Bool {
    guard field.isText else { return LineNumber.isNumber(field.value) }
    return isString(field.value)
      || ["t", "true", "f", "false"].contains(String(decoding: field.value, as: UTF8.self).lowercased())
  }

  /// Whether a text is in quotes, and nothing stands behind them.
  private static func isString(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.first == UInt8(ascii: "\"") else { return false }
    var index = 1
    while index < text.count, text[index] != UInt8(ascii: "\"") { index += text[index] == UInt8(ascii: "\\") ? 2 : 1 }
    return index == text.count - 1
  }

  /// Whether a text is a measurement and tags: `time=1 temp=2` is something else.
  private static func isSeries(_ series: UnsafeBufferPointer<UInt8>) -> Bool {
    var (isTag, signs, isEscaped) = (false, 0, false)
    for byte in series {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "=") {
        signs += 1
        if !isTag { return false }
      } else if byte == UInt8(ascii: ",") {
        if isTag, signs == 0 { return false }
        (isTag, signs) = (true, 0)
      }
    }
    return !isTag || signs > 0
  }

  /// Whether a text has a comma without a backslash before it.
  private static func hasComma(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.indices.contains { index in
      text[index] == UInt8(ascii: ",") && (index == 0 || text[index - 1] != UInt8(ascii: "\\"))
    }
  }

  package static func open(_ file: TraceFile, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace {
    var form = LineForm()
    (form.kind, form.time, form.timeUnit) = (.influx, "time", options.format.timeUnit)
    do throws(SluiceError) {
      return try LineTrace.opener(form)(file, options)
    } catch {
      guard error.remedy == InfluxTimes.remedy else { throw error }
      throw SluiceError(
        error.code, error.action, file.name, because: error.cause, remedy: "give --time-unit s, ms, us or ns")
    }
  }
}
