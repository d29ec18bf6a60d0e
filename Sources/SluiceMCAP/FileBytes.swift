import SluiceSystem

/// The bytes of a file at any place, of a descriptor or in memory. One thread at a time uses it.
final class FileBytes {
  private enum Origin {
    case file(any FileSystem, Int32)
    case memory([UInt8])
  }

  private let origin: Origin
  let size: Int64
  private let closes: Bool
  /// Bytes that were read ahead, because heads of records are small.
  private var window: [UInt8] = []
  private var windowStart: Int64 = 0

  /// - Parameter closes: Whether the descriptor is closed at the end.
  init(_ files: any FileSystem, _ descriptor: Int32, closes: Bool) throws(SystemErrno) {
    origin = .file(files, descriptor)
    self.closes = closes
    size = try files.status(of: descriptor).size
  }

  init(_ bytes: [UInt8]) { (origin, size, closes) = (.memory(bytes), Int64(bytes.count), false) }

  deinit { if closes, case .file(let files, let descriptor) = origin { try? files.close(descriptor) } }

  /// Opens a regular file for reading.
  static func open(_ path: String, _ files: any FileSystem = SystemFiles()) throws(SystemErrno) -> FileBytes {
    let descriptor = try files.open(path, O_RDONLY | O_NONBLOCK)
    do throws(SystemErrno) {
      guard try files.status(of: descriptor).isRegular else { throw SystemErrno(EISDIR) }
      return try FileBytes(files, descriptor, closes: true)
    } catch {
      try? files.close(descriptor)
      throw error
    }
  }

  /// The bytes at a place, fewer at the end of the file.
  func bytes(at offset: Int64, _ count: Int) throws(SystemErrno) -> [UInt8] {
    guard offset >= 0, offset < size, count > 0 else { return [] }
    let count = Int(min(Int64(count), size - offset))
    switch origin {
    case .memory(let bytes): return Array(bytes[Int(offset)..<Int(offset) + count])
    case .file(let files, let descriptor):
      let inside = offset - windowStart
      if inside >= 0, inside + Int64(count) <= Int64(window.count) {
        return Array(window[Int(inside)..<Int(inside) + count])
      }
      let isSmall = count <= 4 << 10
      let wanted = isSmall ? Int(min(16 << 10, size - offset)) : count
      var read = 0
      var failure: SystemErrno?
      let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { room, initialized in
        do throws(SystemErrno) {
          read = try files.read(descriptor, at: offset, fill: UnsafeMutableRawBufferPointer(room))
        } catch {
          failure = error
        }
        initialized = read
      }
      if let failure { throw failure }
      guard isSmall else { return bytes }
      (window, windowStart) = (bytes, offset)
      return Array(bytes.prefix(count))
    }
  }

  /// Reads bytes into memory that is used again; fewer at the end of the file.
  func read(at offset: Int64, _ count: Int, into room: ByteRoom) throws(SystemErrno) {
    let count = Int(max(0, min(Int64(count), size - offset)))
    room.empty(for: count)
    switch origin {
    case .memory(let bytes): if count > 0 { room.append(Array(bytes[Int(offset)..<Int(offset) + count])) }
    case .file(let files, let descriptor):
      let target = UnsafeMutableRawBufferPointer(start: room.start, count: count)
      room.count = try files.read(descriptor, at: offset, fill: target)
    }
  }

  /// The head of the record at a place; nil if the file ends before its contents.
  func record(at offset: Int64) throws(SystemErrno) -> (kind: UInt8, length: Int64)? {
    let head = try bytes(at: offset, RecordKind.head)
    guard head.count == RecordKind.head, head[0] != 0 else { return nil }
    let length = head.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 1, as: UInt64.self)) }
    guard length <= UInt64(size - offset - Int64(RecordKind.head)) else { return nil }
    return (head[0], Int64(length))
  }

  /// The contents of a record of this kind; nil if it is of another kind, or torn, or longer than the limit.
  func contents(of kind: RecordKind, at offset: Int64, limit: Int) throws(SystemErrno) -> [UInt8]? {
    guard let record = try record(at: offset), record.kind == kind.rawValue, record.length <= Int64(limit) else {
      return nil
    }
    let contents = try bytes(at: offset + Int64(RecordKind.head), Int(record.length))
    return contents.count == Int(record.length) ? contents : nil
  }
}
