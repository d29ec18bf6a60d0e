import Foundation
import SluiceDevices
import TestFiles
import XCTest

@testable import SluiceTool

/// A machine of plain files: as root's files are everybody's, what can be opened is said here.
class DoctorTestCase: XCTestCase {
  private lazy var folder = temporaryFolder()
  var root: String { folder.path }
  var refused: [String: Int32] = [:]
  var interfaces: [Int]? = [1, 2]
  var user = User(id: 1_000, groups: [1_000])
  var accounts = Accounts(
    passwd: "root:x:0:0:root:/root:/bin/bash\npi:x:1000:1000::/home/pi:/bin/bash\nnonsense\n",
    group: "root:x:0:\npi:x:1000:\ngpio:x:\(getegid()):\nbroken:x:many:pi\n")

  func put(_ path: String, _ text: String = "", mode: Int = 0o660) throws {
    let file = URL(fileURLWithPath: "\(root)/\(path)")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
  }

  var surroundings: Surroundings {
    let (refused, interfaces, root) = (refused, interfaces, root)
    return Surroundings(
      roots: DeviceRoots(sys: "\(root)/sys", dev: "\(root)/dev", run: "\(root)/run"), proc: "\(root)/proc", user: user,
      accounts: accounts, access: { path, _ in refused[String(path.dropFirst(root.count + 1))] },
      interfaceVersions: { _ in interfaces })
  }
}
