#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Which upstream a ``Conduit`` is asking for values just now, and on which thread.
///
/// A synchronous upstream sends before the request returns. If the next upstream were asked from within, each would take
/// its part of the stack, and there may be thousands. So other requests wait until that one has returned, and are then
/// made one after the other. One that goes on and on may have no end: after some events the others are made from within,
/// after twice as many for each level, so that the stack grows with the logarithm of the values.
///
/// A request on another thread keeps nobody waiting: it takes nothing of this stack, and may wait for this thread.
@usableFromInline
struct Asking {
  private let thread: UInt
  @usableFromInline let inlet: Int
  private let level: Int
  private var events = 0  // while others wait

  @usableFromInline static var nobody: Asking { Asking(thread: 0, inlet: -1, level: 0) }

  private init(thread: UInt, inlet: Int, level: Int) {
    (self.thread, self.inlet, self.level) = (thread, inlet, level)
  }

  /// - Parameter outer: The request on this thread from within which this one is made.
  init(_ inlet: Int, within outer: Asking) {
    self.init(thread: Self.thisThread, inlet: inlet, level: outer.level + 1)
  }

  var isAnybody: Bool { thread != 0 }
  var isOnThisThread: Bool { thread != 0 && thread == Self.thisThread }
  var isLasting: Bool { events >= 64 << min(level, 32) }

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
