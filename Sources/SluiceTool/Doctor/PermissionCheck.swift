import SluiceAnalysis
import SluicePipeline
import SluiceSystem

/// Finds the device files that the user cannot open, and the group that could.
enum PermissionCheck {
  static let name = "permissions"

  static func findings(_ surroundings: Surroundings, kinds: [any DeviceKind] = DeviceKinds.all) -> [Finding] {
    var files: [DeviceFile] = []
    var titles: [String] = []
    for kind in kinds {
      guard let own = kind.files(surroundings) else { continue }
      files += own
      titles.append(kind.title)
    }
    let refused = files.compactMap { file in
      surroundings.access(file.path, file.mode).map { finding(file.path, file.mode, errno: $0, surroundings) }
    }
    if !refused.isEmpty { return refused }
    guard !files.isEmpty else { return [.ok(name, "there is no device to open")] }
    let devices = [titles.dropLast().joined(separator: ", "), titles.last ?? ""].filter { !$0.isEmpty }
    let all = files.count == 1 ? "1 file" : "all \(files.count) files"
    return [.ok(name, "\(all) of \(devices.joined(separator: " and ")) devices can be opened")]
  }

  private static func finding(_ path: String, _ mode: Int32, errno: Int32, _ surroundings: Surroundings) -> Finding {
    let verb = mode & W_OK == 0 ? "read" : mode & R_OK == 0 ? "written" : "read and written"
    guard errno == EACCES || errno == EPERM, let status = Surroundings.status(path) else {
      return .problem(
        name, "\(path) cannot be \(verb): \(String(cString: strerror(errno)))",
        errno == ENOENT ? "the device file is missing: mount devtmpfs on /dev, or let udev run" : nil)
    }
    let (user, accounts) = (surroundings.user, surroundings.accounts)
    let group = accounts.group(status.st_gid)
    let meaning = "\(path) cannot be \(verb) by \(accounts.name(user))"
    // The permissions of the group, in the place where access(2) has those of others.
    guard status.st_mode >> 3 & UInt32(mode) == UInt32(mode), status.st_gid != 0 else {
      return .problem(
        name, meaning + ", only by root",
        "give it to a group with a udev rule, as 60-sluice.rules of the package does, or run as root")
    }
    if accounts.pending(user).contains(where: { $0.id == status.st_gid }) {
      return .problem(name, meaning + ", whose membership of \(group) is younger than this login", "log in again")
    }
    return .problem(
      name, meaning + ", but by the group \(group)",
      "sudo usermod --append --groups \(group) \(accounts.name(user)), then log in again")
  }
}
