import SluiceReadings

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#elseif canImport(Darwin)
  @preconcurrency import Darwin
#endif

/// The bytes of a file, of standard input, or in memory. They may be compressed.
final class ByteSource {
  private enum Origin {
    case descriptor(Int32)
    case memory([UInt8], from: Int)
  }
  private var origin: Origin
  private let status: stat?
  /// Whether to wait no longer; nil once nobody asks for that.
  var isInterrupted: (@Sendable () -> Bool)?
  /// Where a descriptor stood when it came here.
  private let begin: off_t
  /// Bytes that were looked at, and will be given again.
  private var peeked: [UInt8] = []
  /// Nil if the bytes are as they are stored.
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

  /// - Parameter path: `-` is standard input.
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

  /// A regular file; nothing else is waited for.
  /// - Throws: ``noRegularFile`` if it is none.
  static func regularFile(_ path: String) throws(SystemErrno) -> ByteSource {
    let source = ByteSource(.descriptor(try openFile(path, O_RDONLY | O_NONBLOCK)))
    guard source.isRegularFile else { throw SystemErrno(noRegularFile) }
    return source
  }

  static func memory(_ bytes: [UInt8]) -> ByteSource { ByteSource(.memory(bytes, from: 0)) }

  /// Fills as much as there is at once.
  /// - Returns: How many bytes; 0 at the end.
  /// - Throws: EINTR if it was interrupted.
  func fill(_ target: UnsafeMutableRawBufferPointer) throws(SystemErrno) -> Int {
    guard peeked.isEmpty else {
      let count = min(target.count, peeked.count)
      target.copyBytes(from: peeked[..<count])
      peeked.removeFirst(count)
      // From a pipe, no more than the first line may be waited for, and damage may follow.
      if mayWait || compressed != nil || count == target.count { return count }
      return try count + fill(UnsafeMutableRawBufferPointer(rebasing: target[count...]))
    }
    guard let compressed else { return try read(target) }
    return try compressed.fill(target, isOnce: mayWait) { (target) throws(SystemErrno) in try read(target) }
  }

  /// The same for the stored bytes, which may be compressed.
  private func read(_ target: UnsafeMutableRawBufferPointer) throws(SystemErrno) -> Int {
    switch origin {
    case .descriptor(let descriptor):
      if let isInterrupted {
        // A file may be long, and read twice.
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

  /// The first bytes, or all if there are fewer; they are given again when it is read.
  ///
  /// A pipe is waited for until its first line is there, but not for more.
  /// - Throws: EINTR if it was interrupted.
  func peek(_ count: Int) throws(SystemErrno) -> [UInt8] {
    var bytes = peeked
    peeked = []
    while bytes.count < count, !bytes.contains(UInt8(ascii: "\n")) {
      let more = try self.bytes(limit: count - bytes.count, isOnce: true)
      if more.isEmpty { break }
      bytes += more
    }
    peeked = bytes
    return bytes
  }

  /// Decompresses the bytes from the beginning, if they are compressed.
  /// - Throws: EINTR if it was interrupted.
  func decompress(_ compressions: [any Compression.Type]) throws(SystemErrno) {
    guard !compressions.isEmpty, compressed == nil else { return }
    // Only these bytes, because a pipe may not have more yet.
    let beginning = try peek(4)
    guard let compression = compressions.first(where: { $0.recognizes(beginning) }) else { return }
    peeked = []
    compressed = CompressedBytes(compression, beginning)
  }

  /// All that is left, up to a limit.
  /// - Parameter isOnce: No more than one read gives.
  func bytes(limit: Int, isOnce: Bool = false) throws(SystemErrno) -> [UInt8] {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit, 64 << 10))
    while all.count < limit {
      // Typed throws do not go through a closure of the standard library before Swift 6.1.
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

  /// Goes back to where it began.
  func rewind() throws(SystemErrno) {
    peeked = []
    compressed?.reset()
    switch origin {
    case .descriptor(let descriptor): _ = try valueOrErrno { lseek(descriptor, begin, SEEK_SET) }
    case .memory(let bytes, _): origin = .memory(bytes, from: 0)
    }
  }

  /// Whether ``fill(_:)`` may wait for somebody to write.
  var mayWait: Bool {
    guard case .descriptor = origin else { return false }
    return status.map { $0.st_mode & S_IFMT != S_IFREG } ?? true
  }

  var isDirectory: Bool { status.map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

  /// The names in a directory, as they come.
  func names() throws(SystemErrno) -> [String] {
    guard case .descriptor(let descriptor) = origin else { return [] }
    let copy = try valueOrErrno { dup(descriptor) }
    guard let folder = fdopendir(copy) else {
      closeFile(copy)
      throw SystemErrno(errno)
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names
  }

  /// Whether it is a file with a name, beside which there may be another.
  var isRegularFile: Bool { status.map { $0.st_mode & S_IFMT == S_IFREG } ?? false }

  /// Which file it is, under the name that it was opened by.
  func input(_ path: String) -> TraceInput { TraceInput(identity: status.map { FileIdentity($0) }, path: path) }

  /// Nothing is read from it any more.
  func close() {
    if case .descriptor(let descriptor) = origin, descriptor != STDIN_FILENO { closeFile(descriptor) }
    origin = .memory([], from: 0)
  }

  deinit { close() }
}

/// `read(2)`. A method here has the same name.
private func systemRead(_ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, start, count)
}

/// The error for a folder, a pipe or a device where a file is wanted.
let noRegularFile = EISDIR
