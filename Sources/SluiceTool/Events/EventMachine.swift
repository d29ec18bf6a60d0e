/// Which events start a program: one at a time per kind. It is a value: no process, no clock.
struct EventMachine {
  private struct Kind {
    var isRunning = false
    /// The events since the last start that started none.
    var skipped = 0
    var skippedInAll = 0
  }

  private var kinds: [String: Kind] = [:]

  /// An event of this kind has happened.
  /// - Returns: How many events of its kind were skipped before; nil if its program still runs, so that it is skipped too.
  mutating func happened(_ name: String) -> Int? {
    if kinds[name]?.isRunning ?? false {
      kinds[name]?.skipped += 1
      kinds[name]?.skippedInAll += 1
      return nil
    }
    let skipped = kinds[name]?.skipped ?? 0
    kinds[name, default: Kind()].isRunning = true
    kinds[name]?.skipped = 0
    return skipped
  }

  /// The program of this kind has ended.
  mutating func ended(_ name: String) { kinds[name]?.isRunning = false }

  /// The kinds with skipped events, and their numbers.
  var skipped: [(kind: String, count: Int)] {
    kinds.filter { $0.value.skippedInAll > 0 }.map { ($0.key, $0.value.skippedInAll) }.sorted { $0.kind < $1.kind }
  }
}
