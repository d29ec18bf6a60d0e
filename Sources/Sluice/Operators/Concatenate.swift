extension Publisher {
  /// Publishes some values after upstream has finished.
  ///
  /// ```swift
  /// (1...2).publisher.append(8, 9).sink { print($0) }  // 1 2 8 9
  /// ```
  ///
  /// - Demand: Passes through; unmet demand of one publisher goes to the next.
  /// - Thread: The thread of the current publisher.
  /// - Memory: Keeps the elements to append.
  /// - Failure: Passes on upstream's, without the elements.
  @inlinable public func append(
    _ elements: Output...
  ) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> {
    append(elements)
  }

  /// Publishes the elements of a sequence after upstream has finished.
  @inlinable public func append<S: Swift.Sequence>(
    _ elements: S
  ) -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>> where S.Element == Output {
    append(Publishers.Sequence(sequence: elements))
  }

  /// Continues with another publisher after upstream has finished.
  @inlinable public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Concatenate(prefix: self, suffix: publisher)
  }

  /// Publishes some values first.
  ///
  /// ```swift
  /// (1...2).publisher.prepend(0).sink { print($0) }  // 0 1 2
  /// ```
  ///
  /// - Demand: Passes through; unmet demand of one publisher goes to the next.
  /// - Thread: The thread of the current publisher.
  /// - Memory: Keeps the elements to prepend.
  /// - Failure: Passes on upstream's.
  @inlinable public func prepend(
    _ elements: Output...
  ) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
    prepend(elements)
  }

  /// Publishes the elements of a sequence first.
  @inlinable public func prepend<S: Swift.Sequence>(
    _ elements: S
  ) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self> where S.Element == Output {
    prepend(Publishers.Sequence(sequence: elements))
  }

  /// Publishes the values of another publisher first, and subscribes to upstream when that publisher has finished.
  @inlinable public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Concatenate(prefix: publisher, suffix: self)
  }
}

extension Publishers {
  /// Publishes the values of one publisher, then those of another.
  public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: _DirectPublisher
  where Prefix.Failure == Suffix.Failure, Prefix.Output == Suffix.Output {
    public typealias Output = Suffix.Output
    public typealias Failure = Suffix.Failure

    /// The publisher whose values come first.
    public let prefix: Prefix
    /// The publisher whose values follow.
    public let suffix: Suffix

    @inlinable public init(prefix: Prefix, suffix: Suffix) {
      self.prefix = prefix
      self.suffix = suffix
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let succession = Succession("Concatenate", takesNoDemand: true)
      prefix._attach(PrefixSubscriber(subscriber, succession, suffix: suffix))
    }
  }
}

extension Publishers.Concatenate: Sendable where Prefix: Sendable, Suffix: Sendable {}

extension Publishers.Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}

@usableFromInline
struct PrefixSubscriber<Suffix: Publisher, Downstream: Subscriber>: Subscriber, Operators.Description
where Suffix.Output == Downstream.Input, Suffix.Failure == Downstream.Failure {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let succession: Succession
  @usableFromInline let suffix: Suffix

  @inlinable init(_ downstream: Downstream, _ succession: Succession, suffix: Suffix) {
    self.downstream = downstream
    self.succession = succession
    self.suffix = suffix
  }

  @usableFromInline var name: StaticString { succession.name }
  @inlinable var combineIdentifier: CombineIdentifier { succession.combineIdentifier }

  @inlinable func receive(subscription: any Subscription) {
    if succession.connect(subscription) != nil {
      downstream.receive(subscription: succession)
    } else {
      subscription.cancel()
    }
  }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    guard succession.isFirst, succession.spend() else { return .none }
    return succession.answer(with: downstream.receive(input))
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    guard succession.isFirst else { return }
    switch completion {
    case .finished:
      if succession.awaitNext() { suffix._attach(SuccessorSubscriber(downstream, succession)) }
    case .failure:
      if succession.end() != nil { downstream.receive(completion: completion) }
    }
  }
}
