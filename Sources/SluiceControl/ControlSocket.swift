package import SluiceReadings
import SluiceSystem

/// The name of a recording, which no other process has at this time, and its socket.
///
/// A file beside the socket is locked (flock(2)) while the recording runs. When a process ends, however it ends, the
/// kernel removes its locks. So the process that has the lock may remove a socket that exists: it was left by a killed
/// recording.
package final class ControlSocket: Sendable {
  static let ending = ".sock"
  static let lockEnding = ".lock"

  package let name: ControlName
  package let place: ControlPlace
  private let lock: Int32

  package var path: String { Self.path(name, place.folder) }
  private var lockPath: String { "\(place.folder)/\(name)\(Self.lockEnding)" }

  static func path(_ name: ControlName, _ folder: String) -> String { "\(folder)/\(name)\(ending)" }

  /// Takes the name. The recording does not listen yet.
  /// - Throws: ``SluiceError/Code/busy`` if another recording has the name, and other errors if no socket can be made.
  package init(_ name: ControlName, at place: ControlPlace, user: UInt32 = geteuid()) throws(SluiceError) {
    (self.name, self.place) = (name, place)
    try place.make(user)
    let path = Self.path(name, place.folder)
    guard path.utf8.count <= UnixSocket.longestPath else {
      throw SluiceError(
        .usage, "listen at", path, because: "the path of a socket has at most \(UnixSocket.longestPath) bytes",
        remedy: "give a shorter --name, or set XDG_RUNTIME_DIR to a shorter path")
    }
    lock = try Self.lock("\(place.folder)/\(name)\(Self.lockEnding)", name, path, isOfGroup: place.isOfService)
  }

  private static func lock(
    _ path: String, _ name: ControlName, _ socket: String, isOfGroup: Bool
  ) throws(SluiceError) -> Int32 {
    while true {
      let descriptor: Int32
      do throws(SystemErrno) {
        descriptor = try openFile(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
      } catch {
        throw SluiceError("take the name", "\(name) with \(path)", errno: error.code)
      }
      do throws(SystemErrno) {
        _ = try valueOrErrno { flock(descriptor, LOCK_EX | LOCK_NB) }
      } catch {
        closeFile(descriptor)
        guard error.code == EWOULDBLOCK else {
          throw SluiceError("take the name", "\(name) with \(path)", errno: error.code)
        }
        throw SluiceError(
          .busy, "take the name", "\(name)",
          because: "another recording has it" + (holder(socket).map { " (process \($0))" } ?? ""),
          remedy: "stop the other recording, or give this one another name with --name", errno: EBUSY)
      }
      // The former recording may have removed the file after it was opened here. Then no other process can find this
      // file, and the lock is worth nothing.
      if FileIdentity(descriptor: descriptor) == FileIdentity(path: path) { return descriptor }
      closeFile(descriptor)
    }
  }

  private static func holder(_ socket: String) -> Int32? {
    guard let descriptor = try? UnixSocket.connect(to: socket) else { return nil }
    defer { closeFile(descriptor) }
    return UnixSocket.peer(of: descriptor)?.process
  }

  /// Makes the socket.
  /// - Returns: The descriptor of the socket. The caller closes it.
  func listen() throws(SluiceError) -> Int32 {
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK else {
        throw SluiceError(
          .alreadyExists, "listen at", path, because: "there is a file of this name", remedy: "remove it")
      }
      unlink(path)
    }
    do throws(SystemErrno) {
      return try UnixSocket.listen(at: path, mode: place.mode)
    } catch {
      throw SluiceError("listen at", path, errno: error.code)
    }
  }

  /// Gives the name up. The lock file is removed last, while it is still locked, so that the file of another recording
  /// is not removed.
  package func close() {
    unlink(path)
    unlink(lockPath)
    closeFile(lock)
  }
}
