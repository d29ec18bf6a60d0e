package import SluiceSystem

/// The rule for files with a token or a password.
///
/// The owner of the file is this user or root. Its group may read it, because a service gets its secrets so; nobody else
/// may read it, and nobody but its owner may change it.
package enum SecretFile {
  /// - Parameter path: A file, or a link to one.
  /// - Throws: If there is no such file, or if others may read or change it.
  package static func check(_ path: String, _ action: String, missing remedy: String? = nil) throws(SluiceError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw SluiceError(action, path, errno: errno, remedy: remedy) }
    guard let (fault, remedy) = fault(status) else { return }
    throw SluiceError(.permissionDenied, "use", path, because: fault, remedy: "\(remedy) \(path)")
  }

  /// Who else may have the secret, or may have written it, and the command that mends it; nil if nobody.
  package static func fault(_ status: stat, user: uid_t = geteuid()) -> (cause: String, remedy: String)? {
    if status.st_mode & 0o007 != 0 {
      return ("every user of this machine may read or change the secret in it", "chmod o=")
    }
    if status.st_mode & 0o020 != 0 { return ("the group \(status.st_gid) may change the secret in it", "chmod g-w") }
    // What its owner may not do now, the owner can allow.
    if status.st_uid != user, status.st_uid != 0 {
      return ("it belongs to another user (number \(status.st_uid))", "sudo chown \(user)")
    }
    return nil
  }
}
