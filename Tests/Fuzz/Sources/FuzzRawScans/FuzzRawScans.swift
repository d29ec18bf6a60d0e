import SluicePipeline
import SluiceReadings
import SluiceRecording

@testable import struct SluicePipeline.RawScans
@testable import class SluiceRecording.ByteSource
@testable import struct SluiceRecording.OpenTrace
@testable import struct SluiceRecording.TraceFile

/// A dump of an IIO buffer. The first line is what `--scan-layout` says, and behind `@` what `--sample-rate` says; the bytes
/// of the dump follow. What is read one by one and in batches must agree.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let line = bytes.prefix { $0 != 0x0a }
  let said = String(decoding: line, as: UTF8.self).split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
  let dump = Array(bytes.dropFirst(line.count + 1))
  guard let scans = try? RawScans(String(said[0]), sampleRate: said.count > 1 ? String(said[1]) : nil) else { return 0 }
  precondition(readings(dump, scans, batch: 1) == readings(dump, scans, batch: 64), "batches read something else")
  return 0
}

private func readings(_ bytes: [UInt8], _ scans: RawScans, batch: Int) -> String {
  var text = ""
  do {
    let decoder = try scans.opener(TraceFile(.memory(bytes), path: "fuzz.bin"), OpenTrace.Options()).decoder
    let streams = decoder.list.streams
    text = "\(streams)\n"
    var readings = [Reading](repeating: Reading(time: 0, stream: StreamID(0), values: []), count: batch)
    while true {
      let count = try readings.withUnsafeMutableBufferPointer { target in
        Result { () throws(SluiceError) in try decoder.read(into: target) }
      }.get()
      if count == 0 { return text }
      for reading in readings[..<count] {
        precondition(reading.values.count == streams[0].channels.count, "a channel is missing")
        text += "\(reading.time) \(reading.flags) \(reading.values.map(\.description))\n"
      }
    }
  } catch {
    return text + "\(error)"
  }
}
