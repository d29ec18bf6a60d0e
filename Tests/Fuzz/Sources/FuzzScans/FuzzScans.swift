import SluiceReadings

@testable import SluiceDevices

/// The first line says how channels are stored, `[index]format` each (the timestamp's begins with `t`); what follows are
/// the bytes of scans.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  let end = bytes.firstIndex(of: 0x0a) ?? bytes.endIndex
  var channels: [(index: Int, format: ScanFormat)] = []
  var timestamp: (index: Int, format: ScanFormat)?
  for word in String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ").prefix(80) {
    let isTimestamp = word.first == "t"
    guard let format = ScanFormat(String(isTimestamp ? word.dropFirst() : word)) else { continue }
    let channel = (index: channels.count, format: format)
    if isTimestamp { timestamp = channel } else { channels.append(channel) }
  }
  let layout = ScanLayout(channels: channels, timestamp: timestamp)
  guard layout.size > 0 else { return 0 }
  precondition(
    layout.channels.allSatisfy { $0.offset >= 0 && $0.offset + $0.format.bytes <= layout.size }, "out of the scan")
  let scans = UnsafeRawBufferPointer(rebasing: bytes[min(end + 1, count)...])
  var readings: [Reading] = []
  ScanDecoder(layout).decode(scans, of: StreamID(0), into: &readings) { $0.time = $1 ?? 0 }
  precondition(readings.allSatisfy { $0.values.count <= Values.capacity })
  precondition(readings.count == scans.count / layout.size)
  return 0
}
