import SluiceSystem

/// Identifies the thread that made it, as long as that thread lives.
struct ThreadIdentity: Equatable {
  private let thread = pthread_self()

  static func == (a: ThreadIdentity, b: ThreadIdentity) -> Bool { pthread_equal(a.thread, b.thread) != 0 }
}
