import Sluice
package import SluiceReadings
package import SluiceRecording
import SluiceSystem

/// What an output that is a server has claimed: its spool.
package final class ServerClaim: OutputClaim {
  package let name: String
  /// Called once when nothing begins with it.
  private let discarding: @Sendable () -> Void

  init(name: String, discarding: @escaping @Sendable () -> Void) { (self.name, self.discarding) = (name, discarding) }

  package var safety: Safety { .acknowledgement }

  /// Whether its spool may have room again, or its disk be back.
  package func comesBack(from error: SluiceError) -> Bool {
    switch error.errno {
    case ENOENT: true
    case let code?: SystemErrno.ofDisk.contains(code)
    case nil: false
    }
  }

  package func discard() { discarding() }
}
