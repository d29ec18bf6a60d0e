package import SluiceSystem

extension FileSystem {
  /// Refuses a folder of another user, who can put links, FIFOs and files of his own into it while it is used. A
  /// folder of root is accepted, because /tmp and mounted disks belong to root.
  /// - Parameter action: What is done in it: `open the log in`.
  package func checkOwner(
    of folder: String, _ action: String, user: uid_t = geteuid()
  ) throws(SluiceError) {
    // With `/.`, a link gives the owner of its target; without it, that of the link. If neither can be found out, using the
    // folder fails, and says why.
    let owners = ["\(folder)/.", folder].compactMap { (try? status(at: $0))?.owner }
    guard let owner = owners.first(where: { $0 != 0 && $0 != user }) else { return }
    throw SluiceError(
      .permissionDenied, action, folder, because: "the folder belongs to another user (number \(owner))",
      remedy: "use a folder of your own, or run the same command as that user, with sudo -u '#\(owner)' before it")
  }
}
