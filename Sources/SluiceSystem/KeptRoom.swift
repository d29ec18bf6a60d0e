/// Room on a disk for the last contents of a file, kept from the beginning, so that they can be written when the disk is
/// full.
///
/// It is a file beside the other, which is written in its place at the end. Its blocks are there already, so on most file
/// systems no more are needed. It has no bytes before, and no program reads it. A run that is killed leaves it; the next run
/// takes it away.
package struct KeptRoom: Sendable {
  /// The end of its name, after the name of the file.
  package static let ending = ".room"

  private let path: String
  private let files: any FileSystem

  /// - Parameter path: The file, or another name beside it.
  package init(_ path: String, _ files: any FileSystem) { (self.path, self.files) = (path + Self.ending, files) }

  /// Takes room for so many bytes, or less on a disk that has less.
  package func take(_ bytes: Int, least: Int) throws(SystemErrno) {
    remove()
    let descriptor = try files.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    defer { try? files.close(descriptor) }
    var bytes = bytes
    while true {
      do throws(SystemErrno) {
        return try files.allocate(descriptor, Int64(bytes))
      } catch {
        guard SystemErrno.ofFullDisk.contains(error.code), bytes > least else {
          remove()
          throw error
        }
        bytes = max(least, bytes / 2)
      }
    }
  }

  /// Replaces a file of the same folder with these bytes, in one step, and has no room any more.
  package func replace(_ file: String, with bytes: [UInt8], syncs: Bool) throws(SystemErrno) {
    let descriptor = try files.open(path, O_WRONLY | O_NOFOLLOW)
    do throws(SystemErrno) {
      if let error = bytes.withUnsafeBytes({ files.write(all: $0, to: descriptor) }).error { throw error }
      // Gives back the rest of the room.
      try files.truncate(descriptor, to: Int64(bytes.count))
      if syncs { try files.sync(descriptor) }
    } catch {
      // The room stays, for fewer bytes.
      try? files.close(descriptor)
      throw error
    }
    try files.close(descriptor)
    try files.rename(path, to: file)
    if syncs { try files.sync(folder: folder(of: file)) }
  }

  package func remove() { try? files.remove(path) }
}

extension FileSystem {
  /// Replaces the contents of a file in one step. If the disk is full, the room that was kept is used.
  /// - Parameter short: Makes other contents, for which the room is large enough.
  package func replace(
    _ path: String, with bytes: [UInt8], _ room: KeptRoom, short: () -> [UInt8], syncs: Bool
  ) throws(SystemErrno) {
    do throws(SystemErrno) {
      try replace(path, with: bytes, syncs: syncs)
    } catch  where SystemErrno.ofFullDisk.contains(error.code) {
      do throws(SystemErrno) {
        try room.replace(path, with: bytes, syncs: syncs)
      } catch _ {
        do throws(SystemErrno) {
          try room.replace(path, with: short(), syncs: syncs)
        } catch _ {
          throw error
        }
      }
    }
  }
}
