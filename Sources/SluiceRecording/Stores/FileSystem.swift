package import SluiceReadings

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#elseif canImport(Darwin)
  @preconcurrency import Darwin
#endif

/// The system calls that a recording keeps its files with.
///
/// They are a value, so that a test can pass a disk that is full, fails, or forgets what was not synced. Each call is one
/// system call, repeated after a signal.
package protocol FileSystem: Sendable {
  /// open(2), for a regular file.
  func open(_ path: String, _ flags: Int32) throws(SystemErrno) -> Int32
  /// open(2), for a file that may be a FIFO, which waits for its reader.
  /// - Returns: Nil if it was interrupted.
  func open(_ path: String, _ flags: Int32, isInterrupted: () -> Bool) throws(SystemErrno) -> Int32?
  /// fstat(2)
  func status(of descriptor: Int32) throws(SystemErrno) -> FileStatus
  /// lstat(2): of the link itself, if it is a symbolic one.
  func status(at path: String) throws(SystemErrno) -> FileStatus
  /// flock(2), exclusive, without waiting.
  func lock(_ descriptor: Int32) throws(SystemErrno)
  /// pread(2)
  func read(_ descriptor: Int32, at offset: Int64, into bytes: UnsafeMutableRawBufferPointer) throws(SystemErrno) -> Int
  /// write(2), which may write less than it is given.
  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemErrno) -> Int
  /// ftruncate(2)
  func truncate(_ descriptor: Int32, to length: Int64) throws(SystemErrno)
  /// fdatasync(2): the bytes are on the disk when it returns, and so is the length of the file.
  func sync(_ descriptor: Int32) throws(SystemErrno)
  /// close(2): the descriptor is closed even if it throws.
  func close(_ descriptor: Int32) throws(SystemErrno)
  /// rename(2)
  func rename(_ path: String, to other: String) throws(SystemErrno)
  /// unlink(2)
  func remove(_ path: String) throws(SystemErrno)
  /// fsync(2) of a folder: the names in it are on the disk when it returns.
  func sync(folder path: String) throws(SystemErrno)
  /// readdir(3): the names in a folder, in no order.
  func names(in folder: String) throws(SystemErrno) -> [String]
}

/// What stat(2) says of a file.
package struct FileStatus: Hashable, Sendable {
  package var identity: FileIdentity
  package var size: Int64

  package init(identity: FileIdentity, size: Int64) {
    self.identity = identity
    self.size = size
  }

  package var isRegular: Bool { identity.isRegular }
}

extension FileSystem {
  /// Writes all of it, in as many calls as it takes.
  /// - Returns: How much was written, and the error if that is not all.
  func write(all bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> (written: Int, error: SystemErrno?) {
    var written = 0
    while written < bytes.count {
      do throws(SystemErrno) {
        let count = try write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[written...]))
        // POSIX allows it, and trying again might do so for ever.
        guard count > 0 else { return (written, SystemErrno(EIO)) }
        written += count
      } catch {
        return (written, error)
      }
    }
    return (written, nil)
  }

  /// Reads from an offset until the bytes are full or the file ends.
  /// - Returns: How many were read.
  func read(_ descriptor: Int32, at offset: Int64, fill bytes: UnsafeMutableRawBufferPointer) throws(SystemErrno) -> Int
  {
    var count = 0
    while count < bytes.count {
      let more = try read(
        descriptor, at: offset + Int64(count), into: UnsafeMutableRawBufferPointer(rebasing: bytes[count...]))
      if more == 0 { break }
      count += more
    }
    return count
  }

  /// All of a small file.
  /// - Parameter limit: How much is read at most.
  package func contents(of path: String, limit: Int) throws(SystemErrno) -> [UInt8] {
    let descriptor = try open(path, O_RDONLY | O_NOFOLLOW)
    defer { try? close(descriptor) }
    let size = Int(clamping: try status(of: descriptor).size)
    var bytes = [UInt8](repeating: 0, count: min(size, limit))
    // Typed throws do not go through a closure of the standard library before Swift 6.1.
    let count = try bytes.withUnsafeMutableBytes { room in
      Result { () throws(SystemErrno) in try read(descriptor, at: 0, fill: room) }
    }.get()
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// The last bytes of a file.
  package func tail(of path: String, limit: Int) throws(SystemErrno) -> [UInt8] {
    let descriptor = try open(path, O_RDONLY | O_NOFOLLOW)
    defer { try? close(descriptor) }
    let size = try status(of: descriptor).size
    let start = max(0, size - Int64(limit))
    var bytes = [UInt8](repeating: 0, count: Int(size - start))
    let count = try bytes.withUnsafeMutableBytes { room in
      Result { () throws(SystemErrno) in try read(descriptor, at: start, fill: room) }
    }.get()
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// Replaces a file by another with these bytes: whoever reads it finds the old one or the new one, whole.
  /// - Parameter syncs: Whether the new one is on the disk when this returns.
  package func replace(_ path: String, with bytes: [UInt8], syncs: Bool) throws(SystemErrno) {
    // An existing one is that of a killed run. With another name per run, such files would never be removed.
    let temporary = path + temporaryEnding
    try? remove(temporary)
    do throws(SystemErrno) {
      let descriptor = try open(temporary, O_WRONLY | O_CREAT | O_EXCL)
      do throws(SystemErrno) {
        if let error = bytes.withUnsafeBytes({ write(all: $0, to: descriptor) }).error { throw error }
        if syncs { try sync(descriptor) }
      } catch {
        try? close(descriptor)
        throw error
      }
      try close(descriptor)
      try rename(temporary, to: path)
    } catch {
      try? remove(temporary)
      throw error
    }
    if syncs { try sync(folder: folder(of: path)) }
  }
}

/// The end of the name under which a file is written that is to replace another.
package let temporaryEnding = ".new"

/// The folder that a path is in.
package func folder(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}
