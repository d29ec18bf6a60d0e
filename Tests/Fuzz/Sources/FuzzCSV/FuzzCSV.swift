import SluiceRecording

@testable import struct SluiceRecording.ExactDecimal
@testable import class SluiceRecording.TraceReader

/// A whole trace, whose first byte says in which unit its time is; read row by row and in batches, which must agree.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let units = TraceFormat.Unit.allCases
  let format = TraceFormat(timeColumn: "time_ns", timeUnit: units[Int(bytes.first ?? 0) % units.count])
  let trace = Array(bytes.dropFirst())
  precondition(readings(trace, format, batch: 1) == readings(trace, format, batch: 64), "batches read something else")
  return 0
}

private func readings(_ bytes: [UInt8], _ format: TraceFormat, batch: Int) -> String {
  var text = ""
  do {
    let reader = try TraceReader(bytes, name: "fuzz", format: format)
    var readings = [Reading](repeating: Reading(time: 0, stream: StreamID(0), values: []), count: batch)
    while case let count = try reader.next(into: &readings), count > 0 {
      for reading in readings[..<count] {
        text += "\(reading.time) \(reading.stream) \(reading.values.map(\.description))\n"
      }
    }
  } catch {
    text += "\(error)"
  }
  return text
}
