/// The timer of an operator: one at a time, cancelled with the stream.
///
/// Schedulers can cancel only repeating actions. So the alarm repeats, and stops after the first time.
@usableFromInline
final class Alarm: Cancellable {
  @usableFromInline struct State {
    @usableFromInline var number = 0  // of the timer that was set last
    @usableFromInline var isSet = false
    @usableFromInline var timer: (any Cancellable)?  // nil during the call of the scheduler
    @usableFromInline var isOver = false
    @inlinable init() {}
  }

  @usableFromInline let state = Locked(State())

  @inlinable init() {}

  /// Sets the timer. It replaces the previous one.
  ///
  /// - Parameters:
  ///   - schedule: Makes the scheduler call the closure, once or repeatedly.
  ///   - ring: Called once, unless another timer is set before, or the stream ends.
  @inlinable func set(_ schedule: (@escaping () -> Void) -> any Cancellable, _ ring: @escaping () -> Void) {
    let (number, former) = state.withLock { state -> (Int?, (any Cancellable)?) in
      guard !state.isOver else { return (nil, nil) }
      state.number += 1
      state.isSet = true
      return (state.number, state.timer.take())
    }
    former?.cancel()
    guard let number else { return }
    let timer = schedule { [self] in if clear(number) { ring() } }
    // The timer may have gone off already, or the stream may have ended.
    let isKept = state.withLock { state in
      guard state.isSet, state.number == number else { return false }
      state.timer = timer
      return true
    }
    if !isKept { timer.cancel() }
  }

  /// - Returns: Whether this timer was still set.
  @usableFromInline func clear(_ number: Int) -> Bool {
    let (isCurrent, timer) = state.withLock { state -> (Bool, (any Cancellable)?) in
      guard state.isSet, state.number == number else { return (false, nil) }
      state.isSet = false
      return (true, state.timer.take())
    }
    timer?.cancel()
    return isCurrent
  }

  @usableFromInline func cancel() {
    let timer = state.withLock { state in
      state.isOver = true
      state.isSet = false
      return state.timer.take()
    }
    timer?.cancel()
  }
}
