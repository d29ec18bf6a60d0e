/// Room on a disk for the last contents of a file. It is kept from the beginning, so that the contents can be written
/// when the disk is full.
///
/// The room is a second file beside the first. At the end, the contents are written into the second file, which then
/// takes the place of the first. The blocks of the second file are allocated already, so on most file systems no more
/// blocks are needed. Until the end its length is 0, and no program reads it. A run that is killed leaves it; the next
/// run removes it.
package struct KeptRoom: Sendable {
  /// The end of its name, after the name of the file.
  package static let ending = ".room"

  private let path: String
  private let files: any FileSystem

  /// - Parameter path: The file, or another name beside it.
  package init(_ path: String, _ files: any FileSystem) { (self.path, self.files) = (path + Self.ending, files) }

  /// Takes room for so many bytes, or less on a disk that has less. A disk that has not even the least keeps what it has.
  /// - Parameter known: The bytes of the room that this run has taken before; 0 for none.
  /// - Returns: The bytes of the room.
  package func take(_ bytes: Int, least: Int, known: Int) throws(SystemErrno) -> Int {
    if known == 0 { remove() }
    let descriptor = try files.open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | (known == 0 ? O_EXCL : 0))
    defer { try? files.close(descriptor) }
    var bytes = bytes
    while true {
      do throws(SystemErrno) {
        try files.allocate(descriptor, Int64(bytes))
        return bytes
      } catch {
        guard SystemErrno.ofFullDisk.contains(error.code), bytes > least else {
          if known == 0 { remove() }
          throw error
        }
        bytes = max(least, bytes / 2)
      }
    }
  }

  /// Replaces a file of the same folder with these bytes, in one step. After that there is no room any more.
  package func replace(_ file: String, with bytes: [UInt8], syncs: Bool) throws(SystemErrno) {
    let descriptor = try files.open(path, O_WRONLY | O_NOFOLLOW)
    do throws(SystemErrno) {
      if let error = bytes.withUnsafeBytes({ files.write(all: $0, to: descriptor) }).error { throw error }
      // Gives back the rest of the room.
      try files.truncate(descriptor, to: Int64(bytes.count))
      if syncs { try files.sync(descriptor) }
    } catch {
      // The room stays, so that fewer bytes can be tried.
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
      if (try? room.replace(path, with: bytes, syncs: syncs)) != nil { return }
      if (try? room.replace(path, with: short(), syncs: syncs)) != nil { return }
      throw error
    }
  }
}
