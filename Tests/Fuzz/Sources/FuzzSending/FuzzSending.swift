import Foundation
import SluicePipeline
import SluiceReadings
import SluiceRecording

@testable import SluiceLog
@testable import SluiceSend

/// What comes from servers and boards, and a spool that somebody has written. The first byte says what follows: a message of a board,
/// an answer of a server, an address, or a segment of a log.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let rest = Array(bytes.dropFirst())
  switch bytes.first.map({ $0 % 4 }) {
  case 0: message(rest)
  case 1: answer(rest)
  case 2: address(String(decoding: rest, as: UTF8.self))
  case 3: log(rest)
  default: break
  }
  return 0
}

/// The lines before the body: the topic, and properties as `name=value`, up to an empty line.
private func message(_ bytes: [UInt8]) {
  let lines = bytes.split(separator: 10, maxSplits: 8, omittingEmptySubsequences: false)
  var message = MQTTMessage(
    topic: String(decoding: lines.first ?? [], as: UTF8.self), bytes: Array(lines.last ?? []))
  for line in lines.dropFirst().dropLast() {
    let parts = line.split(separator: UInt8(ascii: "="), maxSplits: 1).map { String(decoding: $0, as: UTF8.self) }
    if parts.count == 2 { message.properties[parts[0]] = parts[1] }
  }
  guard let landed = try? LandedMessage(message, common: 1) else { return }
  precondition(!landed.topic.folder.contains("/") && !landed.topic.folder.hasPrefix("."), landed.topic.folder)
  let middle = landed.numbers.lowerBound + UInt64(landed.numbers.count / 2)
  let halves = landed.rows([landed.numbers.lowerBound..<middle]) + landed.rows([middle..<landed.numbers.upperBound])
  precondition(halves == Array(landed.body), "rows are missing")
}

private func answer(_ bytes: [UInt8]) {
  var answer = HTTPAnswer()
  answer.status = Int(bytes.first ?? 0) * 4
  answer.body = String(decoding: bytes.dropFirst(2), as: UTF8.self)
  answer.retryAfter = Int(bytes.dropFirst().first ?? 0) << 24
  (answer.location, answer.server) = (answer.body, answer.body)
  if let address = try? HTTPServerAddress("http://127.0.0.1:8086/write?db=x") { _ = answer.meaning(for: address) }
}

private func address(_ text: String) {
  if let address = try? HTTPServerAddress(text) { _ = "\(address)" }
  if let address = try? MQTTAddress(text) { _ = "\(address)" }
  precondition(!SpoolFolder.name(of: text).contains("/"), text)
}

private let folder: String = {
  let path = "\(NSTemporaryDirectory())/fuzz-log-\(getpid())"
  try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  return path
}()

private func log(_ bytes: [UInt8]) {
  let first = UInt64(bytes.first ?? 0) % 3
  let name = "\(folder)/\(String(repeating: "0", count: 19))\(first).log"
  _ = FileManager.default.createFile(atPath: name, contents: Data(bytes.dropFirst()))
  defer { try? FileManager.default.removeItem(atPath: name) }
  guard let log = try? SegmentLog(folder, isReading: true) else { return }
  defer { log.close() }
  var (reader, end) = (log.reader(from: 0), UInt64(0))
  while let item = try? reader.next() {
    switch item {
    case .readings(let first, let readings):
      precondition(first >= end, "readings come twice")
      end = first + UInt64(readings.count)
    case .lost(let numbers):
      precondition(numbers.lowerBound >= end, "lost readings come twice")
      end = numbers.upperBound
    case .end:
      reader.close()
      return
    }
  }
  reader.close()
}
