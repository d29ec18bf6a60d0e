public import Sluice

extension Collection where Element: Publisher {
  /// Publishes the latest values of any number of publishers together, whenever one of them has a new value.
  ///
  /// ```swift
  /// [kitchen, cellar, attic].combineLatestAll().sink { print($0) }
  /// ```
  ///
  /// ```text
  /// a                             -1--------------2------|
  /// b                             --3------|
  /// c                             ----5-----6-|
  /// [a, b, c].combineLatestAll()  ----[135]-[136]-[236]--|
  /// ```
  ///
  /// It starts when each publisher has had a value, and finishes when all have finished; at once if there are no
  /// publishers.
  ///
  /// - Demand: Asks each publisher for what downstream asks for.
  /// - Thread: The thread of the upstream already delivering, or of a request: see Threads in `Sluice`.
  /// - Memory: Keeps the latest value of each publisher, and outputs made during a delivery.
  /// - Failure: Passes on the failure of any publisher at once, and cancels the others.
  @inlinable public func combineLatestAll() -> Publishers.CombineLatestAll<Element> {
    Publishers.CombineLatestAll(self)
  }
}

extension Publishers {
  /// Publishes the latest values of any number of publishers together.
  public struct CombineLatestAll<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    public let publishers: [Upstream]

    @inlinable public init<S: Swift.Sequence>(_ publishers: S) where S.Element == Upstream {
      self.publishers = Array(publishers)
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      typealias Values = (latest: [Upstream.Output?], missing: Int)
      let count = publishers.count
      let none: Values = (Array(repeating: nil, count: count), count)
      let core = CombineLatestCore<Values, Output, Failure>(inlets: count, values: none) { values in
        guard values.missing == 0 else { return nil }
        var latest: Output = []
        latest.reserveCapacity(values.latest.count)
        for case let value? in values.latest { latest.append(value) }
        return latest
      }
      let conduit = Operators.Conduit("CombineLatestAll", core, subscriber)
      if publishers.isEmpty { conduit.open() }
      for (inlet, publisher) in publishers.enumerated() {
        let port = CombineLatestPort<Upstream.Output, Values, Output, Failure>(inlet: inlet) { value, values in
          swap(&value, &values.latest[inlet])
          if value == nil { values.missing -= 1 }
        }
        publisher._attach(Operators.Inlet(conduit, port))
      }
    }
  }
}

extension Publishers.CombineLatestAll: Equatable where Upstream: Equatable {}
