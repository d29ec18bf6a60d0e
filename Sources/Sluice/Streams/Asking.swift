#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Which upstream a ``Conduit`` is asking for values just now, and on which thread.
///
/// A synchronous upstream sends before the request returns. What it sends leads to the next upstream's request. If requests
/// were nested, each would use more stack, and there may be thousands. So a second request waits until the first has
/// returned.
///
/// The first may never return, or only after a long time. So after 8 events the waiting requests are made while it still
/// runs. Each nested level waits for twice as many events, so the depth of the stack grows only with the logarithm of the
/// number of values.
///
/// A request on another thread does not delay those on this one: it uses no stack here, and may itself be waiting for this
/// thread. So while one thread asks, requests of others are made at once, one within another.
@usableFromInline
struct Asking {
  private let thread: UInt
  @usableFromInline let inlet: Int
  private let level: Int
  private var events = 0  // while others wait

  @usableFromInline static var nobody: Asking { Asking(thread: 0, inlet: -1, level: -1) }

  private init(thread: UInt, inlet: Int, level: Int) {
    (self.thread, self.inlet, self.level) = (thread, inlet, level)
  }

  /// - Parameter outer: The request on this thread from within which this one is made.
  init(_ inlet: Int, within outer: Asking) {
    self.init(thread: Self.thisThread, inlet: inlet, level: outer.level + 1)
  }

  var isAnybody: Bool { thread != 0 }
  var isOnThisThread: Bool { thread != 0 && thread == Self.thisThread }
  var isLasting: Bool { events >= 8 << min(level, 32) }

  /// Counts an event.
  mutating func hasLasted() -> Bool {
    events += 1
    return isLasting
  }

  private static var thisThread: UInt {
    #if canImport(Glibc)
      pthread_self()
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }
}
