import SluicePipeline
import SluiceReadings
import SluiceRecording

@testable import struct SluiceCAN.DBC
@testable import struct SluiceRecording.TraceMetadata
@testable import SluiceYAML

/// What stands beside readings. The first byte says what follows: metadata, a plan, a station, or a DBC file. A plan that is
/// read is written and read again, and is the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let rest = Array(bytes.dropFirst())
  switch bytes.first.map({ $0 % 4 }) {
  case 0: _ = try? TraceMetadata(rest, path: "fuzz-metadata.json")
  case 1: if let plan = try? RecordingPlan(json: rest, name: "fuzz.json") { comesBack(plan) }
  case 2: if let plan = try? RecordingPlan(yaml: rest, name: "fuzz.yaml") { comesBack(plan) }
  case 3: _ = try? DBC(rest)
  default: break
  }
  return 0
}

private func comesBack(_ plan: RecordingPlan) {
  let again = try? RecordingPlan(json: Array(plan.text.utf8), name: "again.json")
  precondition(again == plan, "the plan is another one: \(plan.text)")
}
