import Synchronization

/// Counts how many of its kind are alive.
package final class Token: CustomStringConvertible, Sendable {
  private static let count = Atomic(0)
  package static var alive: Int { count.load(ordering: .sequentiallyConsistent) }
  package let number: Int
  package init(_ number: Int = 0) {
    self.number = number
    Token.count.add(1, ordering: .sequentiallyConsistent)
  }
  deinit { Token.count.subtract(1, ordering: .sequentiallyConsistent) }
  package var description: String { "\(number)" }
}
