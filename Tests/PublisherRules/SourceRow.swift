import Foundation
import Sluice
import SluiceTesting

/// A publisher that is no operator, or what becomes of one that is shared: ``SourceRule`` holds all of them to the same rules.
///
/// ```swift
/// SourceRow("Just", "0 finished") { _ in .init(Just(Token(0))) }
/// ```
package struct SourceRow {
  package enum Trait {
    /// It has an end and nothing else, which comes with an empty subscription: there is nothing to cancel.
    case onlyEnds
    /// Publishes whatever the demand.
    case ignoresDemand
    /// Goes on after the values of ``SourceRow/output``.
    case endless
    /// Opens files.
    case opens
    /// The library below it crashes if it is cancelled at the moment it ends.
    case mustNotBeCancelledWhileItSends
  }

  /// Where it delivers.
  package enum Place {
    /// On the thread that asks it or drives it: what it has to give has come when that returns.
    case here
    /// On other threads.
    case elsewhere
    /// On the main thread, while its run loop runs.
    case runLoop
  }

  package struct Source {
    package let publisher: AnyPublisher<Any, any Error>
    /// Makes it send what it does not send by itself.
    package let drive: () -> Void
    /// Waits until what was on its way has come, or would have: for a source whose place is not here.
    package let settle: () -> Void
    /// The objects that must be released with the source and its subscribers.
    fileprivate(set) package var kept: [() -> AnyObject?]

    /// - Parameter keeping: Objects that only the source may keep, such as a queue.
    package init<P: Publisher>(
      _ publisher: P, keeping kept: [AnyObject] = [], drive: @escaping () -> Void = {},
      settle: @escaping () -> Void = {}
    ) {
      // Released with the last subscriber that the source keeps, so that a leak shows even if the values are no tokens.
      let witness = Token(-1)
      self.publisher = publisher.map { value in withExtendedLifetime(witness) { value as Any } }
        .mapError { $0 as any Error }.eraseToAnyPublisher()
      self.drive = drive
      self.settle = settle
      self.kept = kept.map { object in { [weak object] in object } }
    }
  }

  /// The type that publishes: a test compares the names with the sources.
  package let name: String
  /// The output under unlimited demand, for three values if the number can be chosen.
  package let output: String
  package let traits: Set<Trait>
  package let place: Place
  /// The number of values in the tests with many values: fewer for a slow source.
  package let many: Int
  package let make: (_ count: Int) -> Source

  package init(
    _ name: String, _ output: String, _ traits: Set<Trait> = [], _ place: Place = .here, many: Int = 20_000,
    make: @escaping (_ count: Int) -> Source
  ) {
    self.name = name
    self.output = output
    self.traits = traits
    self.place = place
    self.many = many
    self.make = make
  }

  /// How many values ``output`` has.
  var values: Int { output.split(separator: " ").count { Int($0) != nil } }
  var ends: Bool { output.hasSuffix("finished") || output.hasSuffix("failed") }

  /// Waits until the condition holds, at most a minute. Does not wait for a source that delivers here, unless it opens
  /// files.
  /// - Returns: Whether it is.
  @discardableResult func wait(_ isReached: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while !isReached() {
      // Files are closed on queues of their own.
      guard place != .here || traits.contains(.opens), .now < deadline else { return false }
      // What delivers on the main thread is tested on it; where the waiting is done by another thread, it only looks on.
      if place == .runLoop, Thread.isMainThread {
        _ = RunLoop.main.run(mode: .default, before: Date() + 0.01)
      } else {
        sched_yield()
      }
    }
    return true
  }
}
