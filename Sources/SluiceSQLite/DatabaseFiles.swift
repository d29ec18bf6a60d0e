import SluiceReadings
import SluiceSystem

/// The files beside a database, which SQLite opens by their names and takes for parts of it. In a folder such as /tmp,
/// another user can make them.
enum DatabaseFiles {
  private static let endings = ["-journal", "-wal", "-shm"]

  /// Refuses files that are not those of this user.
  /// - Parameter trusted: The users whose files are taken, besides root and the owner of the database.
  static func check(
    beside path: String, _ mode: SQLiteDatabase.Mode, _ action: String, trusted: Set<uid_t> = FolderOwners.trusted
  ) throws(SluiceError) {
    let database = resolved(path)
    let owner = status(database)?.st_uid
    for ending in endings {
      guard let beside = status(database + ending) else { continue }
      // SQLite would wait for a FIFO for ever, and write to the target of a link.
      guard beside.st_mode & S_IFMT == S_IFREG else {
        throw SluiceError(
          .unsupported, action, database + ending, because: "it is no regular file", remedy: "remove it")
      }
      guard isTrusted(beside.st_uid, by: trusted, beside: owner) else {
        throw SluiceError(
          .permissionDenied, action, database + ending,
          because:
            "it belongs to another user (number \(beside.st_uid)), and SQLite would take it for a part of the database",
          remedy: "copy the database without it to a folder of your own, and use the copy")
      }
    }
    // Only a connection that may write plays a journal back.
    guard mode == .writing, namesAnother(database + "-journal") else { return }
    throw SluiceError(
      .unsupported, action, database + "-journal",
      because: "it names another file, which SQLite would remove, and no journal of sluice does that",
      remedy: "if you know the program that has left it, open the database in that program first; otherwise remove it")
  }

  /// Refuses to append to the database of another user, who can put anything into it and beside it.
  static func checkOwner(
    of path: String, _ action: String, trusted: Set<uid_t> = FolderOwners.trusted
  ) throws(SluiceError) {
    guard let owner = status(resolved(path))?.st_uid, !isTrusted(owner, by: trusted, beside: nil) else { return }
    throw SluiceError(
      .permissionDenied, action, path, because: "it belongs to another user (number \(owner))",
      remedy: "use a file of your own, or run the same command as that user, with sudo -u '#\(owner)' before it")
  }

  /// Whether the file of a user is taken.
  /// - Parameters:
  ///   - users: The users whose files are taken, besides root.
  ///   - owner: The owner of the database, if the file is beside one. The owner of the database can write anything into it,
  ///     so the files beside it are no worse.
  ///   - root: The owner of the root folder: in a user namespace, root may have another number.
  static func isTrusted(
    _ user: uid_t, by users: Set<uid_t>, beside owner: uid_t?, root: uid_t? = status("/")?.st_uid
  ) -> Bool {
    user == 0 || user == root || user == owner || users.contains(user)
  }

  /// SQLite follows a link to the database, and takes the files beside its target.
  private static func resolved(_ path: String) -> String {
    guard let mode = status(path)?.st_mode, mode & S_IFMT == S_IFLNK, let target = realpath(path, nil) else {
      return path
    }
    defer { free(target) }
    return String(cString: target)
  }

  /// The status of a file, or of the link itself; nil if there is none.
  private static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }

  /// Whether a journal has at its end the name of a file of several databases that are changed together. SQLite removes this
  /// file after it has played the journal back, whatever it is.
  /// See https://sqlite.org/fileformat2.html, section 3, and readSuperJournal in pager.c.
  private static func namesAnother(_ path: String) -> Bool {
    let files = SystemFiles()
    // SQLite locks the database only, so no lock ends with this descriptor.
    guard let descriptor = try? files.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { return false }
    defer { try? files.close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: magic.count)
    guard let size = try? files.status(of: descriptor).size, size >= Int64(bytes.count) else { return false }
    let count = bytes.withUnsafeMutableBytes { try? files.read(descriptor, at: size - Int64($0.count), into: $0) }
    return count == bytes.count && bytes == magic
  }

  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
}
