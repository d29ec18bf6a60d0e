import Dispatch
import Sluice
import SluiceSystem

/// The free bytes of the disks of outputs, for whoever shows them. A disk that does not answer delays nobody: what is known
/// is what it said last.
package final class FreeBytes: Sendable {
  private struct State {
    var bytes: [String: Int] = [:]
    /// In nanoseconds since the boot.
    var asked: UInt64 = 0
    var isAsking = false
  }

  private let state = Locked(State())
  private let queue = DispatchQueue(label: "sluice.disks")
  /// How old what is known may be.
  private static var age: UInt64 { 5_000_000_000 }

  package init() {}

  /// What is known of the disks of these outputs. They are asked again if that is older than five seconds.
  package func known(of paths: [String]) -> [String: Int] {
    let now = DispatchTime.now().uptimeNanoseconds
    let (bytes, isDue) = state.withLock { state in
      // It is not asked again before it has answered.
      let isDue = !state.isAsking && (state.asked == 0 || now >= state.asked &+ Self.age)
      if isDue { state.isAsking = true }
      return (state.bytes, isDue)
    }
    if isDue { queue.async { self.ask(paths) } }
    return bytes
  }

  private func ask(_ paths: [String]) {
    for path in paths where path != "-" {
      guard FileIdentity(path: path).map({ $0.isRegular || $0.isDirectory }) ?? true else { continue }
      let bytes = FreeSpace.system(path)
      state.withLock { $0.bytes[path] = bytes }
    }
    state.withLock { ($0.asked, $0.isAsking) = (DispatchTime.now().uptimeNanoseconds, false) }
  }
}
