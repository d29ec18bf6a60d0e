/// Decides which events start a program: for each kind of event, one program runs at a time. It is a value, without a
/// process or a clock.
struct EventMachine {
  private struct Kind {
    var isRunning = false
    /// The number of events since the last start that started no program.
    var skipped = 0
    var skippedInAll = 0
  }

  private var kinds: [String: Kind] = [:]

  /// Takes an event of a kind.
  /// - Returns: How many events of this kind were skipped before; nil if a program of this kind still runs, so that
  ///   this event is skipped too.
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

  /// Notes that the program of a kind has ended.
  mutating func ended(_ name: String) { kinds[name]?.isRunning = false }

  /// The kinds of which events were skipped, and how many.
  var skipped: [(kind: String, count: Int)] {
    kinds.filter { $0.value.skippedInAll > 0 }.map { ($0.key, $0.value.skippedInAll) }.sorted { $0.kind < $1.kind }
  }
}
