import SluiceReadings
import SluiceRecording

@testable import struct SluiceReadings.ExactDecimal
@testable import class SluiceRecording.TraceReader

/// A whole trace of any kind, whose first byte says in which unit its time is; read row by row and in batches, which must agree. What
/// stands behind a byte of 1 is its metadata. Each input is also read without the rows that cannot be read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  // The first four are those of the seeds; nil finds it.
  let units: [TraceFormat.Unit?] = [.seconds, .milliseconds, .microseconds, .nanoseconds, .iso8601, nil]
  let choice = Int(bytes.first ?? 0)
  let format =
    choice >= 0x40
    ? TraceFormat(timeUnit: units[choice % units.count])
    : TraceFormat(timeColumn: "time_ns", timeUnit: units[choice % 4])
  let parts = bytes.dropFirst().split(separator: 1, maxSplits: 1, omittingEmptySubsequences: false)
  let trace = Array(parts[0])
  let metadata = parts.count > 1 ? Array(parts[1]) : nil
  for skipsBad in [false, true] {
    precondition(
      readings(trace, metadata, format, skipsBad, batch: 1) == readings(trace, metadata, format, skipsBad, batch: 64),
      "batches read something else")
  }
  return 0
}

private func readings(
  _ bytes: [UInt8], _ metadata: [UInt8]?, _ format: TraceFormat, _ skipsBad: Bool, batch: Int
) -> String {
  var text = ""
  do {
    let reader = try TraceReader(bytes, name: "fuzz", metadata: metadata, format: format, skipsBad: skipsBad)
    text += "\(reader.streams) \(reader.metadata?.missed ?? 0)\n"
    var readings = [Reading](repeating: Reading(time: 0, stream: StreamID(0), values: []), count: batch)
    while case let count = try reader.next(into: &readings), count > 0 {
      for reading in readings[..<count] {
        text += "\(reading.time) \(reading.stream) \(reading.flags) \(reading.values.map(\.description))\n"
      }
    }
    text += "\(reader.skippedRows.count) left out"
  } catch {
    text += "\(error)"
  }
  return text
}
