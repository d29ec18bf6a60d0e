import CLinux

/// Watches many sockets with one descriptor, which can itself be watched.
/// Source: epoll(7).
package struct Epoll: Sendable {
  /// Can be read when a socket is ready.
  package let descriptor: Int32

  package init() throws(SystemErrno) { descriptor = try valueOrErrno { csocket_epoll() } }

  /// Says what an open socket is watched for. For nothing, it is not watched: a hangup would be told again and again.
  /// - Parameter isWatched: Whether it was watched for something before.
  package func watch(_ socket: Int32, reads: Bool, writes: Bool, isWatched: Bool) {
    // It cannot fail for an open socket, but for want of memory in the kernel.
    _ = csocket_watch(descriptor, socket, reads ? 1 : 0, writes ? 1 : 0, isWatched ? 1 : 0)
  }

  /// Some of the sockets that are ready now, or have hung up.
  package func ready() -> [Int32] {
    var sockets = [Int32](repeating: 0, count: 64)
    let count = Int(csocket_ready(descriptor, &sockets, Int32(sockets.count)))
    return Array(sockets.prefix(max(0, count)))
  }

  package func close() { closeFile(descriptor) }
}
