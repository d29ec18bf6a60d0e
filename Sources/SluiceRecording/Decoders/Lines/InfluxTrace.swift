package import SluiceReadings

/// Line protocol of InfluxDB, as `sluice` and other programs write it: lines with their own times.
package enum InfluxTrace: TraceKind {
  package static let form = "line protocol of InfluxDB"
  /// In a folder, it stands beside the CSV file of the same recording.
  package static let extensions: [String] = []

  package static func recognizes(_ beginning: [UInt8]) -> Bool {
    let text = beginning.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    let line = String(decoding: text, as: UTF8.self)
    let parts = line.split(separator: " ")
    return (2...3).contains(parts.count) && !line.hasPrefix("#") && (parts.count < 3 || Int64(parts[2]) != nil)
      && parts[1].split(separator: ",", omittingEmptySubsequences: false).allSatisfy { $0.dropFirst().contains("=") }
  }

  package static func open(_ file: TraceFile, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace {
    var form = LineForm()
    (form.kind, form.time) = (.influx, "time")
    return try LineTrace.opener(form)(file, options)
  }
}
