import Dispatch
import Glibc
import SluiceReadings

@testable import SluiceDevices

/// The first byte says how many lines were asked for, the second with which edges and clock; what follows is what the
/// kernel gives: `struct gpio_v2_line_event`s, whole or torn.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start, count >= 2 else { return 0 }
  var ends: [CInt] = [0, 0]
  precondition(pipe(&ends) == 0 && write(ends[1], start + 2, count - 2) == count - 2)
  close(ends[1])
  var options = GPIOOptions()
  options.edges = [.both, .rising, .falling][Int(start[1] & 3) % 3]
  options.clock = start[1] & 4 == 0 ? .monotonic : .realtime
  let lines = (0..<UInt32(start[0] % 8 + 1)).map {
    GPIOLineInfo(offset: $0, name: nil, consumer: nil, isOutput: false, isActiveLow: false)
  }
  // Closes the pipe.
  let request = GPIORequest(descriptors: [ends[0]], lines: lines, options: options, chipName: "fuzz")
  let reader = GPIOReader(request, StreamID(0), DeviceLosses(), FIFOLevel(capacity: 1_024))
  var readings: [Reading] = []
  let events = (count - 2) / eventSize
  do throws(SluiceError) {
    while true {
      var batch: [Reading] = []
      try reader.read(ready: reader.descriptors.map { _ in true }, limit: 16, into: &batch)
      precondition(batch.count <= 16, "more readings than asked for")
      readings += batch
    }
  } catch {
    reader.finish(limit: .max, into: &readings)
    reader.close()
  }
  precondition(readings.count <= events, "more readings than events")
  return 0
}

/// Of `struct gpio_v2_line_event` (include/uapi/linux/gpio.h).
private let eventSize = 48
