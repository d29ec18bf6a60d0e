import Foundation
import XCTest

/// A process that a test starts. Not Foundation's: that one needs sockets, which the board's kernel does not have, and
/// then may wait for ever for a process that has ended.
struct ChildProcess {
  let id: pid_t

  /// - Parameter output: The file that its standard output goes to.
  init(_ path: String, _ arguments: [String], output: String? = nil) {
    let words = [path] + arguments
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let output { posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600) }
    var child = pid_t()
    let failure = posix_spawn(&child, path, &actions, nil, &pointers, environ)
    XCTAssertEqual(failure, 0, "\(path): \(String(cString: strerror(failure)))")
    id = failure == 0 ? child : -1
  }

  /// Waits until it has ended.
  /// - Parameter signal: What ends it; 0 lets it end by itself.
  /// - Returns: Its exit status; nil where it was killed, or could not be started.
  @discardableResult
  func wait(after signal: Int32 = 0) -> Int32? {
    guard id > 0 else { return nil }
    if signal != 0 { kill(id, signal) }
    var status: Int32 = 0
    waitpid(id, &status, 0)
    return status & 0x7f == 0 ? status >> 8 & 0xff : nil
  }
}
