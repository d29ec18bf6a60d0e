import Dispatch
import SluiceSystem

/// Calls handlers on a queue when sockets can be read or written, or when their other ends have hung up.
///
/// Only its queue uses it. Each socket could have a dispatch source of its own. But on Linux, if a socket hangs up while its
/// source is cancelled, the process may end with "Source finalized twice": another thread of libdispatch still has the
/// event. Here one source watches the descriptor of epoll(7), which never hangs up.
/// Source: `_dispatch_event_merge_hangup` in libdispatch.
final class SocketWatch: @unchecked Sendable {
  // Only its queue uses the variables.

  private struct Watched {
    var reads = false
    var writes = false
    var act: () -> Void
  }

  private let epoll: Epoll
  private let source: any DispatchSourceRead
  private var sockets: [Int32: Watched] = [:]

  init(on queue: DispatchQueue) throws(SystemErrno) {
    let epoll = try Epoll()
    self.epoll = epoll
    source = DispatchSource.makeReadSource(fileDescriptor: epoll.descriptor, queue: queue)
    source.setEventHandler(handler: DispatchWorkItem { [weak self] in self?.act() })
    source.setCancelHandler(handler: DispatchWorkItem { epoll.close() })
    source.activate()
  }

  deinit { source.cancel() }

  /// Adds a socket. It is not watched at first.
  /// - Parameter act: Called when the socket is ready for what it is watched for, or has hung up.
  func add(_ socket: Int32, act: @escaping () -> Void) { sockets[socket] = Watched(act: act) }

  /// Says what a socket is watched for.
  func watch(_ socket: Int32, reads: Bool = false, writes: Bool = false) {
    guard let former = sockets[socket], former.reads != reads || former.writes != writes else { return }
    sockets[socket]?.reads = reads
    sockets[socket]?.writes = writes
    epoll.watch(socket, reads: reads, writes: writes, isWatched: former.reads || former.writes)
  }

  /// Forgets a socket, and closes it.
  func close(_ socket: Int32) {
    watch(socket)
    if sockets.removeValue(forKey: socket) != nil { closeFile(socket) }
  }

  private func act() {
    // A handler may close other sockets, and accept one that gets their number. It is then tried once too often.
    for socket in epoll.ready() {
      if let watched = sockets[socket], watched.reads || watched.writes { watched.act() }
    }
  }
}
