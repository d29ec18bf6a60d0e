import SluiceReadings
import SluiceSystem

/// The bytes of a file, of standard input, or in memory. They may be compressed.
final class ByteSource {
  private enum Origin {
    case descriptor(Int32)
    case memory([UInt8], from: Int)
  }
  private var origin: Origin
  private let status: stat?
  /// Whether the user wants to stop; nil after the header, when nobody asks any more.
  var isInterrupted: (@Sendable () -> Bool)?
  /// The offset of a descriptor at the start.
  private let begin: off_t
  /// Bytes that `peek(_:)` has read, and that are read again.
  private var peeked: [UInt8] = []
  /// What makes UTF-8 of the text; nil if it is decoded as it is.
  private(set) var text: TextDecoding?
  /// The decompressor; nil if the file is not compressed.
  private(set) var compressed: CompressedBytes?

  private init(_ origin: Origin) {
    self.origin = origin
    guard case .descriptor(let descriptor) = origin else {
      (status, begin) = (nil, 0)
      return
    }
    var status = stat()
    self.status = fstat(descriptor, &status) == 0 ? status : nil
    begin = max(0, lseek(descriptor, 0, SEEK_CUR))
  }

  /// - Parameter path: A path, or `-` for standard input.
  /// - Throws: EINTR if it was interrupted.
  static func file(
    _ path: String, isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(SystemErrno) -> ByteSource {
    var descriptor: Int32? = STDIN_FILENO
    if path != "-" { descriptor = try openWaiting(path, O_RDONLY, isInterrupted: isInterrupted) }
    guard let descriptor else { throw SystemErrno(EINTR) }
    let source = ByteSource(.descriptor(descriptor))
    source.isInterrupted = isInterrupted
    return source
  }

  /// Opens a regular file. It waits for nothing else.
  /// - Throws: ``noRegularFile`` if it is not a regular file.
  static func regularFile(_ path: String) throws(SystemErrno) -> ByteSource {
    let source = ByteSource(.descriptor(try openFile(path, O_RDONLY | O_NONBLOCK)))
    guard source.isRegularFile else { throw SystemErrno(noRegularFile) }
    return source
  }

  static func memory(_ bytes: [UInt8]) -> ByteSource { ByteSource(.memory(bytes, from: 0)) }

  /// Fills the buffer with the bytes that are available at once.
  /// - Returns: The number of bytes; 0 at the end.
  /// - Throws: EINTR if it was interrupted.
  func fill(_ target: UnsafeMutableRawBufferPointer) throws(SystemErrno) -> Int {
    guard peeked.isEmpty else {
      let count = min(target.count, peeked.count)
      target.copyBytes(from: peeked[..<count])
      peeked.removeFirst(count)
      // From a pipe, return only what is there: the header may wait for one line at most, and damage may follow.
      if mayWait || compressed != nil || count == target.count { return count }
      return try count + fill(UnsafeMutableRawBufferPointer(rebasing: target[count...]))
    }
    guard let text else { return try readPlain(target) }
    var bytes = [UInt8](repeating: 0, count: max(1, target.count / TextDecoding.longest))
    while true {
      // Before Swift 6.1, typed throws do not pass through closures of the standard library.
      let count = try bytes.withUnsafeMutableBytes { bytes in
        Result { () throws(SystemErrno) in try readPlain(bytes) }
      }.get()
      var decoding = self.text ?? text
      let decoded = decoding.text(bytes[..<count], isLast: count == 0)
      self.text = decoding
      guard !decoded.isEmpty || count == 0 else { continue }
      target.copyBytes(from: decoded.prefix(target.count))
      peeked = Array(decoded.dropFirst(target.count))
      return min(decoded.count, target.count)
    }
  }

  /// Decodes all that is read from now on, and what was looked at.
  func decode(_ decoding: TextDecoding) {
    var decoding = decoding
    peeked = decoding.text(peeked)
    text = decoding
  }

  private func readPlain(_ target: UnsafeMutableRawBufferPointer) throws(SystemErrno) -> Int {
    guard let compressed else { return try read(target) }
    return try compressed.fill(target, isOnce: mayWait) { (target) throws(SystemErrno) in try read(target) }
  }

  /// Reads the stored bytes, which may be compressed.
  private func read(_ target: UnsafeMutableRawBufferPointer) throws(SystemErrno) -> Int {
    switch origin {
    case .descriptor(let descriptor):
      if let isInterrupted {
        // A file may be long, and may be read twice.
        let goesOn = mayWait ? try waitUntilReadable(descriptor, isInterrupted) : !isInterrupted()
        guard goesOn else { throw SystemErrno(EINTR) }
      }
      return try waitingValueOrErrno(descriptor, POLLIN) {
        systemRead(descriptor, target.baseAddress, target.count)
      }
    case .memory(let bytes, let from):
      let count = min(target.count, bytes.count - from)
      bytes.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[from..<(from + count)])) }
      origin = .memory(bytes, from: from + count)
      return count
    }
  }

  /// Returns the first bytes, or all bytes if there are fewer. They are read again later.
  ///
  /// From a pipe, it waits until the first line that is not blank is complete, but not for more.
  /// - Throws: EINTR if it was interrupted.
  func peek(_ count: Int) throws(SystemErrno) -> [UInt8] {
    var bytes = peeked
    peeked = []
    // Behind the first line of a compressed file, damage may follow.
    while bytes.count < count, !mayWait && compressed == nil || !Self.hasLine(bytes) {
      let more = try self.bytes(limit: count - bytes.count, isOnce: true)
      if more.isEmpty { break }
      bytes += more
    }
    // `peeked` may hold bytes behind the count, because a character was read to its end.
    peeked = bytes + peeked
    return bytes
  }

  /// Whether bytes have the end of a line that is not blank: a blank one does not show what a trace is.
  private static func hasLine(_ bytes: [UInt8]) -> Bool {
    bytes.drop { $0 == 0x20 || (0x09...0x0d).contains($0) }.contains(UInt8(ascii: "\n"))
  }

  /// How long to wait for the rest of the beginning, in milliseconds.
  static let patience: UInt64 = 1_000

  /// Whether the bytes so far are enough.
  enum Enough {
    case no, yes
    /// Enough if no more bytes come within ``patience``.
    case soon
  }

  /// Returns the first bytes, or all bytes if there are fewer, and waits for them. They are read again later.
  /// - Parameter isEnough: Whether bytes are enough, so that no more are waited for.
  /// - Returns: The bytes, and whether these are all.
  /// - Throws: EINTR if it was interrupted. Another error comes when the bytes before it have been read again.
  func peekAll(
    _ count: Int, until isEnough: ([UInt8]) -> Enough
  ) throws(SystemErrno) -> (bytes: [UInt8], isWhole: Bool) {
    var bytes = peeked
    peeked = []
    var isWhole = false
    var deadline: UInt64?
    while bytes.count < count {
      let enough = bytes.isEmpty ? .no : isEnough(bytes)
      if enough == .yes { break }
      if enough == .soon { deadline = deadline ?? monotonicMilliseconds() + Self.patience }
      do throws(SystemErrno) {
        if let deadline, try !comes(until: deadline) { break }
        let more = try self.bytes(limit: count - bytes.count, isOnce: true)
        isWhole = more.isEmpty
        if isWhole { break }
        bytes += more
      } catch {
        if error.code == EINTR { throw error }
        isWhole = true
        break
      }
    }
    // `peeked` may hold bytes behind the count, because a character was read to its end.
    peeked = bytes + peeked
    return (bytes, isWhole)
  }

  /// Waits for more bytes.
  /// - Returns: False if none have come.
  /// - Throws: EINTR if it was interrupted.
  private func comes(until deadline: UInt64) throws(SystemErrno) -> Bool {
    guard peeked.isEmpty, case .descriptor(let descriptor) = origin else { return true }
    let isInterrupted = isInterrupted ?? { false }
    if try waitUntilReadable(descriptor, until: deadline, isInterrupted) { return true }
    if isInterrupted() { throw SystemErrno(EINTR) }
    return false
  }

  /// Decompresses the bytes from the beginning, if they are compressed.
  /// - Throws: EINTR if it was interrupted.
  func decompress(_ compressions: [any Compression.Type]) throws(SystemErrno) {
    guard !compressions.isEmpty, compressed == nil else { return }
    // Four bytes only, because a pipe may not have more yet.
    let beginning = try peek(4)
    guard let compression = compressions.first(where: { $0.recognizes(beginning) }) else { return }
    peeked = []
    compressed = CompressedBytes(compression, beginning)
  }

  /// Reads all remaining bytes, up to a limit.
  /// - Parameter isOnce: Whether to stop after one read.
  func bytes(limit: Int, isOnce: Bool = false) throws(SystemErrno) -> [UInt8] {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit, 64 << 10))
    while all.count < limit {
      // Before Swift 6.1, typed throws do not pass through closures of the standard library.
      let result = chunk.withUnsafeMutableBytes { bytes in
        Result { () throws(SystemErrno) in try fill(bytes) }
      }
      let count = try result.get()
      if count == 0 { break }
      all += chunk[..<min(count, limit - all.count)]
      if isOnce { break }
    }
    return all
  }

  /// Goes back to the start.
  func rewind() throws(SystemErrno) {
    peeked = []
    text?.reset()
    compressed?.reset()
    switch origin {
    case .descriptor(let descriptor): _ = try valueOrErrno { lseek(descriptor, begin, SEEK_SET) }
    case .memory(let bytes, _): origin = .memory(bytes, from: 0)
    }
  }

  /// Whether ``fill(_:)`` may wait for a writer.
  var mayWait: Bool {
    guard case .descriptor = origin else { return false }
    return status.map { $0.st_mode & S_IFMT != S_IFREG } ?? true
  }

  var isDirectory: Bool { status.map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

  /// The names in a directory, unsorted.
  func names() throws(SystemErrno) -> [String] {
    guard case .descriptor(let descriptor) = origin else { return [] }
    let copy = try valueOrErrno { dup(descriptor) }
    guard let folder = fdopendir(copy) else {
      closeFile(copy)
      throw SystemErrno(errno)
    }
    defer { closedir(folder) }
    // All copies of a descriptor have one position.
    rewinddir(folder)
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names
  }

  /// Whether it is a regular file, which may have metadata beside it.
  var isRegularFile: Bool { status.map { $0.st_mode & S_IFMT == S_IFREG } ?? false }

  /// The identity of the file, with the path by which it was opened.
  func input(_ path: String) -> TraceInput { TraceInput(identity: status.map { FileIdentity($0) }, path: path) }

  /// Closes the file. Nothing may be read after this.
  func close() {
    if case .descriptor(let descriptor) = origin, descriptor != STDIN_FILENO { closeFile(descriptor) }
    origin = .memory([], from: 0)
  }

  deinit { close() }
}

/// Calls `read(2)`, because a method here has the same name.
private func systemRead(_ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, start, count)
}

/// The error for a folder, a pipe or a device in place of a file.
let noRegularFile = EISDIR

extension SluiceError {
  /// The error of a read, with the name of what was read.
  init(reading name: String, _ error: SystemErrno) {
    if let cause = error.cause {
      self.init(.malformed, "read", name, because: cause, errno: error.code)
    } else if error.code == EINTR {
      self.init(.interrupted, "read", name, because: "it was asked to stop", errno: EINTR)
    } else {
      self.init("read", name, errno: error.code)
    }
  }
}
