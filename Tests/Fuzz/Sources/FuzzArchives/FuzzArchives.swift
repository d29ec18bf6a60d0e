import SluicePipeline
import SluiceReadings
import SluiceRecording

@testable import struct SluiceArchive.SigrokMetadata
@testable import class SluiceArchive.SigrokTrace
@testable import enum SluicePipeline.Compressions
@testable import class SluiceRecording.TraceReader

/// What C libraries read. The first byte says what follows: a sigrok session, its metadata alone, which has no checksum
/// there, or a compressed trace, which is also read without the rows that cannot be read. What is read one by one and in
/// batches must agree.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let rest = Array(bytes.dropFirst())
  switch bytes.first.map({ $0 % 3 }) {
  case 0: precondition(session(rest, batch: 1) == session(rest, batch: 64), "batches read something else")
  case 1: _ = try? SigrokMetadata(rest)
  case 2:
    for skipsBad in [false, true] {
      precondition(
        compressed(rest, skipsBad, batch: 1) == compressed(rest, skipsBad, batch: 64), "batches read something else")
    }
  default: break
  }
  return 0
}

private func session(_ bytes: [UInt8], batch: Int) -> String {
  var text = ""
  do {
    let trace = try SigrokTrace(bytes, name: "fuzz")
    text = "\(trace.streams) \(trace.notices)\n"
    var readings = [Reading](repeating: empty, count: batch)
    while true {
      let count = try readings.withUnsafeMutableBufferPointer { target in
        Result { () throws(SluiceError) in try trace.read(into: target) }
      }.get()
      if count == 0 { return text }
      add(readings[..<count], to: &text)
    }
  } catch {
    return text + "\(error)"
  }
}

private func compressed(_ bytes: [UInt8], _ skipsBad: Bool, batch: Int) -> String {
  var text = ""
  do {
    let reader = try TraceReader(bytes, name: "fuzz.csv.gz", skipsBad: skipsBad, compressions: Compressions.all)
    text = "\(reader.streams)\n"
    var readings = [Reading](repeating: empty, count: batch)
    while case let count = try reader.next(into: &readings), count > 0 { add(readings[..<count], to: &text) }
    return text
  } catch {
    return text + "\(error)"
  }
}

private let empty = Reading(time: 0, stream: StreamID(0), values: [])

/// No more than some MB, however much comes out.
private func add(_ readings: ArraySlice<Reading>, to text: inout String) {
  for reading in readings where text.utf8.count < 4 << 20 {
    text += "\(reading.time) \(reading.stream) \(reading.flags) \(reading.values.map(\.description))\n"
  }
}
