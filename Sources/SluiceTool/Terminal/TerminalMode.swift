import Sluice
import SluiceSystem

/// The mode of a terminal in which each key comes at once and is not shown. Ctrl-C and Ctrl-Z still send their signals.
final class TerminalMode: Sendable {
  private struct State {
    /// The mode before the change, while it is changed.
    var before: termios?
    /// Whether the mode must stay as it is, for now or for good.
    var isLocked = false
    var hasEnded = false
  }

  private let descriptor: Int32
  private let state = PriorityInheritanceMutex(State())

  /// - Parameter descriptor: The descriptor of a terminal.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Whether this process, and not another job of the shell, is in the foreground of the terminal. True if no shell of
  /// this session controls the terminal.
  private var isForeground: Bool { Self.isForeground(descriptor) }

  /// The same for any descriptor of a terminal.
  static func isForeground(_ descriptor: Int32) -> Bool {
    let group = tcgetpgrp(descriptor)
    return group == getpgrp() || group == -1 && errno == ENOTTY && isatty(descriptor) == 1
  }

  /// Sets the mode unless it is set.
  /// - Returns: Whether keys can come. False in the background: keys go to another process, and setting the mode would
  ///   stop this one.
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

  /// Restores the mode, and keeps it until ``unlock()``, or for good. It may be called more than once.
  func restore(forGood: Bool = false) {
    state.withLock { state in
      state.isLocked = true
      if forGood { state.hasEnded = true }
      guard var before = state.before else { return }
      state.before = nil
      // In the background, the terminal has the mode of another process.
      if isForeground { tcsetattr(descriptor, TCSANOW, &before) }
    }
  }

  /// Allows the mode to be set again.
  func unlock() { state.withLock { $0.isLocked = $0.hasEnded } }
}
