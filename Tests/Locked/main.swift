// Values that a lock guards, read by one thread and replaced by another, for the given seconds: arrays, strings,
// existentials and closures. Only an optimized build shows whether a value is retained before the lock is released
// (Locked.swift has why it may not be); where it is not, the program ends by a signal.
import Sluice
import SluiceSystem
import SluiceTesting

/// One value that is guarded. What reads and writes it is not inlined, as in a program where both have functions of their own.
final class Guarded<Value: Sendable>: Sendable {
  private let state: Locked<Value>
  init(_ value: Value) { state = Locked(value) }
  @inline(never) var value: Value { state.withLock { $0 } }
  @inline(never) func replace(_ value: Value) {
    let before = state.withLock { held in
      defer { held = value }
      return held
    }
    withExtendedLifetime(before) {}
  }
}

/// - Parameter use: Whatever needs the value alive, so that reading it is not left out.
func stress<Value: Sendable>(
  _ name: String, for milliseconds: UInt64, _ make: @escaping (Int) -> Value, use: @escaping (Value) -> Int
) {
  let guarded = Guarded(make(0))
  let end = monotonicMilliseconds() + milliseconds
  onThreads(2) { thread in
    var (count, used) = (0, 0)
    repeat {
      for _ in 0..<1000 {
        count += 1
        if thread == 0 { guarded.replace(make(count)) } else { used &+= use(guarded.value) }
      }
    } while monotonicMilliseconds() < end
    if thread == 1 { print("\(name): read \(count) times, \(used) used") }
  }
}

protocol Named: Sendable { var name: String { get } }
final class Large: Named {
  let name: String
  init(_ number: Int) { name = "a name that has its own memory, number \(number)" }
}

guard CommandLine.arguments.count == 2, let seconds = UInt64(CommandLine.arguments[1]), 1...3600 ~= seconds else {
  print("LockedStress SECONDS: 1 to 3600 seconds")
  exit(64)
}
// One after the other, because each takes two processors.
let share = seconds * 1000 / 4
stress("arrays", for: share, { ["x\($0)", "y"] }, use: \.count)
stress("strings", for: share, { "a text that has its own memory, number \($0)" }, use: \.utf8.count)
stress("existentials", for: share, { Large($0) as any Named }, use: \.name.utf8.count)
stress("closures", for: share, { number in { @Sendable in number &* 3 } }, use: { $0() })
