package import SluiceReadings
import SluiceSystem

/// The folder of the sockets of recordings, and whether a group may open them.
package struct ControlPlace: Equatable, Sendable {
  package let folder: String
  /// Whether the folder is the runtime directory of a service. Then its group may open the sockets.
  package let isOfService: Bool

  var mode: mode_t { isOfService ? 0o660 : 0o600 }

  package init(folder: String, isOfService: Bool) { (self.folder, self.isOfService) = (folder, isOfService) }

  /// The environment that decides where sockets are.
  package struct Surroundings: Sendable {
    /// `RUNTIME_DIRECTORY`, which systemd sets for a service; colons separate several folders.
    package var runtimeDirectory: String?
    /// `XDG_RUNTIME_DIR`, which is set in the session of a user.
    package var userDirectory: String?
    package var user: UInt32
    /// The folder that has a folder for each user with a session.
    package var users = "/run/user"
    /// The folder that has the runtime directories of services.
    package var services = "/run"

    package init(runtimeDirectory: String? = nil, userDirectory: String? = nil, user: UInt32) {
      (self.runtimeDirectory, self.userDirectory, self.user) = (runtimeDirectory, userDirectory, user)
    }

    package static var ofThisProcess: Surroundings {
      func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
      return Surroundings(
        runtimeDirectory: variable("RUNTIME_DIRECTORY"), userDirectory: variable("XDG_RUNTIME_DIR"), user: geteuid())
    }
  }

  /// The place for a recording of this process. It is never a folder to which other users can write, such as /tmp.
  /// - Throws: Why there is none.
  package static func own(_ surroundings: Surroundings) throws(SluiceError) -> ControlPlace {
    if let first = surroundings.runtimeDirectory?.split(separator: ":").first {
      let folder = String(first)
      try check(folder, surroundings.user)
      return ControlPlace(folder: folder, isOfService: true)
    }
    let base = try userFolder(surroundings)
    return ControlPlace(folder: base + "/sluice", isOfService: false)
  }

  /// The folders in which `sluice ctl` looks: the folder of the user, and the folders of services.
  package static func all(_ surroundings: Surroundings) -> [String] {
    var folders: [String] = []
    if let base = try? userFolder(surroundings) { folders.append(base + "/sluice") }
    func names(_ folder: String) -> [String] { ((try? SystemFiles().names(in: folder)) ?? []).sorted() }
    for name in names(surroundings.services) where name.hasPrefix("sluice") {
      let folder = "\(surroundings.services)/\(name)"
      folders.append(folder)
      // The runtime directory of a service may be a folder within another one, such as sluice/NAME.
      folders += names(folder).filter { !$0.hasSuffix(ControlSocket.ending) && !$0.hasSuffix(ControlSocket.lockEnding) }
        .map { "\(folder)/\($0)" }.filter { FileIdentity(path: $0)?.isDirectory ?? false }
    }
    return folders
  }

  /// The runtime folder of the user.
  /// - Throws: Why there is none, such as for a user without a session.
  private static func userFolder(_ surroundings: Surroundings) throws(SluiceError) -> String {
    if let folder = surroundings.userDirectory, !folder.isEmpty {
      try check(folder, surroundings.user)
      return folder
    }
    let folder = "\(surroundings.users)/\(surroundings.user)"
    guard FileIdentity(path: folder) != nil else {
      throw SluiceError(
        .notFound, "control recordings in", folder, because: "there is no such folder, and XDG_RUNTIME_DIR is not set",
        remedy: "log in as this user, or set XDG_RUNTIME_DIR to a folder that only you can open")
    }
    try check(folder, surroundings.user)
    return folder
  }

  /// Checks that no other user can put a socket into a folder.
  private static func check(_ folder: String, _ user: UInt32) throws(SluiceError) {
    func refused(_ cause: String) -> SluiceError {
      SluiceError(
        .permissionDenied, "control recordings in", folder, because: cause,
        remedy: "set XDG_RUNTIME_DIR to a folder that only you can open")
    }
    guard folder.hasPrefix("/") else { throw refused("it is not an absolute path") }
    var status = stat()
    guard stat(folder, &status) == 0 else {
      throw SluiceError(
        "control recordings in", folder, errno: errno,
        remedy: "set XDG_RUNTIME_DIR to a folder that only you can open")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw refused("it is no folder") }
    guard status.st_uid == user else { throw refused("it is the folder of another user") }
    guard status.st_mode & 0o022 == 0 else { throw refused("others can write to it") }
  }

  /// Makes the folder of a user, which no other user can open. The folder of a service exists already.
  func make(_ user: UInt32) throws(SluiceError) {
    guard !isOfService else { return }
    if mkdir(folder, 0o700) != 0, errno != EEXIST { throw SluiceError("make the folder", folder, errno: errno) }
    var status = stat()
    guard lstat(folder, &status) == 0 else { throw SluiceError("look at", folder, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == user else {
      throw SluiceError(
        .permissionDenied, "control recordings in", folder, because: "it is no folder of this user",
        remedy: "remove it")
    }
    if status.st_mode & 0o077 != 0, chmod(folder, 0o700) != 0 {
      throw SluiceError("close", "\(folder) for others", errno: errno)
    }
  }
}
