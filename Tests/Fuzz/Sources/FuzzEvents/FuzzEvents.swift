import SluiceReadings

@testable import SluiceDevices

/// What the kernel may send of an IIO device's events: each whole event is a reading of one of its streams.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  let names = ["voltage0_thresh_rising", "accel_x&y&z_mag_falling", "steps_change", "voltage-voltage_roc"]
  var decoder = IIOEventDecoder(names, from: StreamID(UInt16(bytes.first ?? 0)))
  var readings = 0
  decoder.decode(bytes) { reading in
    precondition(Int(reading.stream.index) - Int(bytes[0]) <= names.count)
    readings += 1
  }
  precondition(readings == count / IIOEventDecoder.size)
  decoder.markGap()
  decoder.decode(bytes) { _ in }
  for place in 0..<count / 8 {
    let code = IIOEventCode(id: bytes.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self))
    precondition((-1...2).contains(code.value) && code.names.allSatisfy { !$0.isEmpty })
  }
  return 0
}
