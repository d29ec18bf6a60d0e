import SluicePipeline
import SluiceReadings
import SluiceSystem

/// The steps that make a plan a service: files to write, and commands of systemd to run. The initializer changes
/// nothing.
struct ServiceInstallation {
  enum Step: Hashable {
    case write(path: String, contents: [UInt8])
    /// The file exists already, with the same contents.
    case keep(path: String)
    case remove(path: String)
    case run([String])

    /// The step as a text for the user, with all that is written: a stranger may have made the plan.
    var text: String {
      switch self {
      case .write(let path, let contents):
        (["write \(path):"] + Self.lines(contents)).map(\.inOneLine).joined(separator: "\n")
      case .keep(let path): "keep \(path), which is the same".inOneLine
      case .remove(let path): "remove \(path), which is not needed".inOneLine
      case .run(let words): "run \(words.joined(separator: " "))".inOneLine
      }
    }

    private static func lines(_ contents: [UInt8]) -> [String] {
      var lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      if lines.last?.isEmpty ?? false { lines.removeLast() }
      return lines.map { "  | " + String(decoding: $0, as: UTF8.self) }
    }
  }

  let steps: [Step]
  private let root: String

  /// - Parameters:
  ///   - file: The name of the plan's file, without its folder.
  ///   - contents: The contents of this file.
  ///   - root: The folder of the tree of another system, on which nothing is started; empty for this system.
  ///   - existing: Returns the contents of a file; nil if there is no such file.
  init(
    _ name: ServiceName, file: String, contents: [UInt8], needs: ServiceNeeds, root: String,
    existing: (String) -> [UInt8]?
  ) {
    let plan = "\(root)/etc/sluice/\(file)"
    let dropIn = "\(root)/etc/systemd/system/\(name.unit).d/sluice.conf"
    let others = ServicePlan.endings.map { "\(root)/etc/sluice/\(name)\($0)" }.filter { $0 != plan }
    let former = others.filter { existing($0) != nil }
    var steps: [Step] = []
    func put(_ path: String, _ contents: [UInt8]) {
      steps.append(existing(path) == contents ? .keep(path: path) : .write(path: path, contents: contents))
    }
    let isNew = existing(plan) == nil && former.isEmpty
    put(plan, contents)
    // Behind it, so that the service never has no plan.
    steps += former.map { .remove(path: $0) }
    if let text = needs.dropIn {
      put(dropIn, Array(text.utf8))
    } else if existing(dropIn) != nil {
      steps.append(.remove(path: dropIn))
    }
    if root.isEmpty {
      steps.append(.run(["systemctl", "daemon-reload"]))
      steps.append(.run(["systemctl", "enable", name.unit]))
      // A service that runs already has the old plan.
      steps.append(.run(["systemctl", isNew ? "start" : "restart", name.unit]))
    } else {
      steps.append(.run(["systemctl", "--root=\(root)", "enable", name.unit]))
    }
    (self.steps, self.root) = (steps, root)
  }

  /// Performs the steps, one after the other.
  /// - Parameter tell: Called with each step before it is performed.
  func run(_ tell: (Step) throws -> Void) throws {
    if !root.isEmpty { try checkFolders() }
    for step in steps {
      try tell(step)
      switch step {
      case .keep: break
      case .write(let path, let contents): try Self.write(path, contents)
      case .remove(let path):
        guard unlink(path) == 0 else { throw Self.failure("remove", path, errno) }
      case .run(let words): try Self.run(words)
      }
    }
  }

  /// Refuses links in the tree of another system. Somebody else may have made it, and a link in it would lead to a file of
  /// this system.
  private func checkFolders() throws(SluiceError) {
    for step in steps {
      switch step {
      case .write(let path, _), .remove(let path): try checkFolders(to: path)
      case .keep, .run: break
      }
    }
  }

  private func checkFolders(to path: String) throws(SluiceError) {
    let parent = folder(of: path)
    guard parent.utf8.count > root.utf8.count else { return }
    try checkFolders(to: parent)
    guard let status = try? SystemFiles().status(at: parent), !status.identity.isDirectory else { return }
    throw SluiceError(
      .unsupported, "write", path, because: "\(parent) is a link, or a file, and may lead out of the tree \(root)",
      remedy: "put a folder in its place")
  }

  private static func failure(_ action: String, _ path: String, _ code: Int32) -> SluiceError {
    let isDenied = code == EACCES || code == EPERM || code == EROFS
    return SluiceError(action, path, errno: code, remedy: isDenied ? "run it as root (sudo)" : nil)
  }

  /// Replaces a file at once, so that a service that starts now reads either the old or the new file.
  private static func write(_ path: String, _ contents: [UInt8]) throws(SluiceError) {
    try makeFolders(folder(of: path))
    do throws(SystemErrno) {
      try SystemFiles().replace(path, with: contents, syncs: true)
      // The user of the service must be able to read it, whatever the umask of this process is.
      _ = try valueOrErrno { chmod(path, 0o644) }
    } catch {
      throw failure("write", path, error.code)
    }
  }

  private static func makeFolders(_ path: String) throws(SluiceError) {
    guard FileIdentity(path: path) == nil else { return }
    try makeFolders(folder(of: path))
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw failure("make the folder", path, errno) }
  }

  private static func run(_ words: [String]) throws(SluiceError) {
    let title = words.joined(separator: " ")
    let end: ProgramEnd
    do throws(SystemErrno) {
      end = try runProgram(words, limit: nil).end
    } catch {
      throw SluiceError("run", title, errno: error.code, remedy: "this needs systemd")
    }
    guard end == .exited(0) else {
      throw SluiceError(
        .failed, "run", title, because: "it has failed; what it said is above",
        remedy: "sluice service status shows the journal")
    }
  }
}
