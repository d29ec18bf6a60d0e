import Sluice

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// The mode of a terminal in which each key comes at once and is not shown. Ctrl-C and Ctrl-Z still send their signals.
final class TerminalMode: Sendable {
  private struct State {
    /// What the mode was, while it is changed.
    var before: termios?
    /// It stays as it was: for now, or for good.
    var isLocked = false
    var hasEnded = false
  }

  private let descriptor: Int32
  private let state = PriorityInheritanceMutex(State())

  /// - Parameter descriptor: Of a terminal.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Whether the terminal is with this process, and not with another job of the same shell. A terminal that no shell of
  /// this session controls is with everybody.
  private var isForeground: Bool {
    let group = tcgetpgrp(descriptor)
    return group == getpgrp() || group == -1 && errno == ENOTTY && isatty(descriptor) == 1
  }

  /// Sets the mode unless it is set.
  /// - Returns: Whether keys come. In the background they are for somebody else, and to set the mode would stop this
  ///   process.
  func set() -> Bool {
    state.withLock { state in
      guard !state.isLocked, isForeground else { return false }
      guard state.before == nil else { return true }
      var mode = termios()
      guard tcgetattr(descriptor, &mode) == 0 else { return false }
      let before = mode
      mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
      withUnsafeMutableBytes(of: &mode.c_cc) { characters in
        characters[Int(VMIN)] = 1
        characters[Int(VTIME)] = 0
      }
      guard tcsetattr(descriptor, TCSANOW, &mode) == 0 else { return false }
      state.before = before
      return true
    }
  }

  /// Sets the mode that it had before, and leaves it so until ``unlock()``, or for good. It may be called more than once.
  func restore(forGood: Bool = false) {
    state.withLock { state in
      state.isLocked = true
      if forGood { state.hasEnded = true }
      guard var before = state.before else { return }
      state.before = nil
      // In the background the terminal has the mode of somebody else.
      if isForeground { tcsetattr(descriptor, TCSANOW, &before) }
    }
  }

  /// Lets it be set again.
  func unlock() { state.withLock { $0.isLocked = $0.hasEnded } }
}
