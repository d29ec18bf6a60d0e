import Sluice

// A project's own types and operators; other files of the project import SluiceExtras.

struct Own {}

protocol ElementKeys {}
protocol ElementStamps {}
struct ClosureKeys {}
struct ClosureStamps {}
struct HoldValue<Value> { var value: Value }
struct ReplaySubject<Output, Failure: Error> { var bufferSize: Int }
protocol Pausable {}
struct TimeLogger {}
struct VirtualTimeScheduler {}

/// Counts the calls of own operators that have the very signature of one of SluiceExtras.
final class Calls: @unchecked Sendable {
  // Used on the main thread only.
  static let shared = Calls()
  var names: [String] = []
}

extension Publisher {
  func unwrap<T>() -> Publishers.CompactMap<Self, T> where Output == T? {
    Calls.shared.names.append("unwrap")
    return Publishers.CompactMap(upstream: self) { $0 }
  }

  func toggle() -> Publishers.Map<Self, Bool> where Output == Bool {
    Calls.shared.names.append("toggle")
    return Publishers.Map(upstream: self) { !$0 }
  }

  /// Another result than that of SluiceExtras.
  func pair() -> Own { Own() }

  /// Other parameters than those of SluiceExtras.
  func nwise(of size: Int) -> Own { Own() }
}

extension Collection where Element: Publisher {
  func mergeAll() -> Publishers.MergeMany<Element> {
    Calls.shared.names.append("mergeAll")
    return Publishers.MergeMany(self)
  }
}
