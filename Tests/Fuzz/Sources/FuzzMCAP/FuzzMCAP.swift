import SluiceReadings

@testable import enum SluiceMCAP.MCAPRepair
@testable import enum SluiceMCAP.MCAPTraceKind
@testable import struct SluiceRecording.OpenTrace
@testable import class SluiceRecording.SkippedRows

/// A file of MCAP, of sluice or of another program. It is read as it is, without what cannot be read, and by one and several
/// readings at a time, which must agree; and all of it is compared, as for a repair.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  for skipsBad in [false, true] {
    precondition(read(bytes, skipsBad, batch: 1) == read(bytes, skipsBad, batch: 64), "batches read something else")
  }
  _ = try? MCAPRepair.damage(in: bytes)
  return 0
}

private func read(_ bytes: [UInt8], _ skipsBad: Bool, batch: Int) -> String {
  var text = ""
  do {
    var options = OpenTrace.Options()
    options.skipped = skipsBad ? SkippedRows() : nil
    let trace = try MCAPTraceKind.open(bytes, name: "fuzz.mcap", options)
    text = "\(trace.decoder.list.streams)\n"
    var readings = [Reading](repeating: Reading(time: 0, stream: StreamID(0), values: []), count: batch)
    while true {
      let count = try readings.withUnsafeMutableBufferPointer { target in
        Result { () throws(SluiceError) in try trace.decoder.read(into: target) }
      }.get()
      if count == 0 { return text }
      // No more than some MB, however much comes out.
      for reading in readings[..<count] where text.utf8.count < 4 << 20 {
        text += "\(reading.time) \(reading.stream) \(reading.flags) \(reading.values.map(\.description))\n"
      }
    }
  } catch {
    return text + "\(error)"
  }
}
