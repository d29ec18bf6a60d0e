package import SluiceSystem

extension FileSystem {
  /// Refuses a folder of another user, who can put links, FIFOs and files of his own into it while it is used. Folders of
  /// root are those of the system, such as /tmp, and mounted disks.
  /// - Parameter action: What is done in it: `open the log in`.
  package func checkOwner(
    of folder: String, _ action: String, user: uid_t = geteuid()
  ) throws(SluiceError) {
    // The folder itself if the path is a link. What cannot be found out fails when it is used.
    guard let owner = (try? status(at: "\(folder)/."))?.owner, owner != 0, owner != user else { return }
    throw SluiceError(
      .permissionDenied, action, folder, because: "the folder belongs to another user (number \(owner))",
      remedy: "use a folder of your own, or do this as that user: sudo -u '#\(owner)'")
  }
}
