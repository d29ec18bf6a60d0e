/// A folder or a link through which a path leads. Who may change one of them decides where the path leads.
package struct PathStep: Equatable, Sendable {
  package var path: String
  package var owner: uid_t
  /// Whether it is a folder in which every user may rename and remove what others have made.
  package var isOpenToAll: Bool

  /// The steps of a path, from the root folder on. What is not there is left out.
  package static func steps(to path: String) -> [PathStep] {
    var steps = [PathStep("/")]
    // What is still to be looked up, the next name last.
    var names = Array(names(of: path.hasPrefix("/") ? path : "\(workingFolder)/\(path)").reversed())
    var folder = ""
    var links = 0
    while let name = names.popLast() {
      guard name != ".." else {
        // The folder has no link in it, so the one above it is the one before its last slash.
        folder = String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
        continue
      }
      let next = "\(folder)/\(name)"
      steps.append(PathStep(next))
      guard let target = Self.target(of: next) else {
        folder = next
        continue
      }
      links += 1
      guard links <= mostLinks else { break }
      if target.hasPrefix("/") { folder = "" }
      names += Self.names(of: target).reversed()
    }
    return steps.compactMap { $0 }
  }

  /// As many links as Linux follows.
  private static let mostLinks = 40

  /// Nil if there is nothing at the path.
  private init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    (self.path, owner) = (path, status.st_uid)
    // With the sticky bit, a file is renamed by its owner or that of the folder only.
    isOpenToAll = status.st_mode & S_IFMT == S_IFDIR && status.st_mode & (0o002 | S_ISVTX) == 0o002
  }

  private static func names(of path: String) -> [Substring] { path.split(separator: "/").filter { $0 != "." } }

  private static var workingFolder: String {
    guard let path = getcwd(nil, 0) else { return "" }
    defer { free(path) }
    return String(cString: path)
  }

  /// Where a link leads; nil if it is none.
  private static func target(of link: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }
}
