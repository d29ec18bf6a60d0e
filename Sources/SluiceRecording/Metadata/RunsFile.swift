package import SluiceReadings
import SluiceSystem

/// Whether a name belongs to a file beside a recording, not to a recording.
func isBesideRecording(_ name: String) -> Bool {
  [MetadataFile.suffix, RunsFile.suffix, PartIndex.suffix].contains(where: name.hasSuffix)
}

/// The metadata of the earlier runs of a recording: one line per run, the oldest first. Lines are only added.
package struct RunsFile: Sendable {
  package let path: String
  private let disk: Disk

  /// The end of its name, after the name of the recording.
  package static let suffix = "-runs.jsonl"

  package init(beside recording: String, _ disk: Disk = Disk()) {
    path = recording + Self.suffix
    self.disk = disk
  }

  /// Adds the document of a run, unless it is already the last one. A run that died before it replaced the document has
  /// already added it.
  package func append(_ document: [UInt8], _ metadata: TraceMetadata) throws(SluiceError) {
    guard let line = Self.line(document) else { throw TraceMetadata.malformed(path, "it is not an object of JSON") }
    do throws(SystemErrno) {
      let isNew = (try? disk.files.status(at: path)) == nil
      let descriptor = try disk.files.open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW)
      defer { try? disk.files.close(descriptor) }
      let end = try cut(descriptor)
      if let began = metadata.began, try lastRun(descriptor, end)?.began == began { return }
      if let error = line.withUnsafeBytes({ disk.files.write(all: $0, to: descriptor) }).error {
        try? disk.files.truncate(descriptor, to: end)
        throw error
      }
      if disk.syncs {
        try disk.files.sync(descriptor)
        if isNew { try disk.files.sync(folder: folder(of: path)) }
      }
    } catch {
      throw SluiceError("append to", path, errno: error.code, remedy: error.code == ENOSPC ? "free some space" : nil)
    }
  }

  /// The number of whole lines.
  package func count() throws(SluiceError) -> Int {
    do throws(SystemErrno) {
      let descriptor = try disk.files.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      defer { try? disk.files.close(descriptor) }
      var (count, offset) = (0, Int64(0))
      while case let bytes = try read(descriptor, at: offset, 64 << 10), !bytes.isEmpty {
        count += bytes.count { $0 == UInt8(ascii: "\n") }
        offset += Int64(bytes.count)
      }
      return count
    } catch {
      if error.code == ENOENT { return 0 }
      throw SluiceError("read", path, errno: error.code)
    }
  }

  /// Cuts off a torn line, if there is one.
  /// - Parameter isDryRun: Whether to change nothing.
  /// - Returns: The tail that was, or would be, cut off; nil if there is no such file.
  package func repair(isDryRun: Bool) throws(SluiceError) -> TornTail? {
    do throws(SystemErrno) {
      let descriptor = try disk.files.open(path, (isDryRun ? O_RDONLY : O_RDWR) | O_NOFOLLOW | O_NONBLOCK)
      defer { try? disk.files.close(descriptor) }
      let tail = try TornTail.find(disk.files, descriptor, .lines, nil)
      guard !isDryRun, !tail.isEmpty else { return tail }
      try disk.files.truncate(descriptor, to: tail.end)
      try disk.files.sync(descriptor)
      return tail
    } catch {
      if error.code == ENOENT { return nil }
      throw SluiceError("repair", path, errno: error.code)
    }
  }

  /// Cuts off a torn line.
  /// - Returns: The end of the last whole line.
  private func cut(_ descriptor: Int32) throws(SystemErrno) -> Int64 {
    let tail = try TornTail.find(disk.files, descriptor, .lines, nil)
    if !tail.isEmpty { try disk.files.truncate(descriptor, to: tail.end) }
    return tail.end
  }

  private func lastRun(_ descriptor: Int32, _ end: Int64) throws(SystemErrno) -> TraceMetadata? {
    var length: Int64 = 64 << 10
    while true {
      let start = max(0, end - length)
      let bytes = try read(descriptor, at: start, Int(end - start)).dropLast()
      let feed = bytes.lastIndex(of: UInt8(ascii: "\n"))
      if feed == nil, start > 0, length < Int64(TraceMetadata.longest) {
        length *= 4
        continue
      }
      return try? TraceMetadata(Array(bytes[(feed.map { $0 + 1 } ?? 0)...]), path: path)
    }
  }

  private func read(_ descriptor: Int32, at offset: Int64, _ count: Int) throws(SystemErrno) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    // Before Swift 6.1, typed throws do not pass through closures of the standard library.
    let read = try bytes.withUnsafeMutableBytes { room in
      Result { () throws(SystemErrno) in try disk.files.read(descriptor, at: offset, fill: room) }
    }.get()
    bytes.removeLast(count - read)
    return bytes
  }

  // MARK: Lines

  /// Members that only the newest document of a file has.
  private static let leftOut = ["@context", "url", "tableSchema"].map { Array($0.utf8) }

  /// A document on one line, with a line feed; nil if it is not an object.
  package static func line(_ document: [UInt8]) -> [UInt8]? {
    let compact = compact(document)
    return compact.withUnsafeBufferPointer { bytes in
      var cursor = JSONCursor(bytes)
      var line = [UInt8(ascii: "{")]
      let names = cursor
      let isObject =
        cursor.take("{")
        && cursor.members { name, value in
          guard !leftOut.contains(where: { names.isEqual(name, $0) }) else { return true }
          if line.count > 1 { line.append(UInt8(ascii: ",")) }
          line += bytes[name.lowerBound - 1..<value.upperBound]
          return true
        }
      guard isObject, cursor.isAtEnd else { return nil }
      return line + Array("}\n".utf8)
    }
  }

  /// The document without spaces and line ends between values.
  private static func compact(_ document: [UInt8]) -> [UInt8] {
    var compact: [UInt8] = []
    compact.reserveCapacity(document.count)
    var (isString, isEscaped) = (false, false)
    for byte in document {
      if isString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isString = false
        }
      } else if byte == UInt8(ascii: "\"") {
        isString = true
      } else if " \t\r\n".utf8.contains(byte) {
        continue
      }
      compact.append(byte)
    }
    return compact
  }
}
