package import SluiceSystem

extension FileSystem {
  /// Refuses a folder that another user may change or put another one in the place of: he could put links, FIFOs and files
  /// of his own there while it is used. As ssh does with its keys, each folder and link on the way to it is looked at. It
  /// must belong to this user or to root, and if every user may write to it, it must have the sticky bit, as /tmp has.
  /// - Parameters:
  ///   - action: What is done in it: `open the log in`.
  ///   - trusted: The users who may change it, besides root.
  package func checkOwner(
    of folder: String, _ action: String, trusted: Set<uid_t> = FolderOwners.trusted
  ) throws(SluiceError) {
    let steps = steps(to: folder)
    // In a user namespace, root may have another number. Whoever owns the root folder can do everything.
    let trusted = trusted.union([0, steps.first?.owner ?? 0])
    guard let step = steps.first(where: { !trusted.contains($0.owner) || $0.isOpenToAll }) else { return }
    let place = step == steps.last ? "the folder" : "\(step.path), which is on the way to it,"
    guard !trusted.contains(step.owner) else {
      throw SluiceError(
        .permissionDenied, action, folder,
        because: "every user may rename or remove what is in \(step == steps.last ? "it" : step.path)",
        remedy: "change that with chmod o-w \(step.path), or chmod +t, or use another folder")
    }
    throw SluiceError(
      .permissionDenied, action, folder, because: "\(place) belongs to another user (number \(step.owner))",
      remedy:
        "use a folder of your own, or run the same command as that user, with sudo -u '#\(step.owner)' before it")
  }
}

/// The users whose folders are used.
package enum FolderOwners {
  /// This user. If root has been asked with sudo, also the user who has asked: he can do as root what he wants.
  package static var trusted: Set<uid_t> {
    let asking = geteuid() == 0 ? getenv("SUDO_UID").flatMap { uid_t(String(cString: $0)) } : nil
    return Set([geteuid(), asking].compactMap { $0 })
  }
}
