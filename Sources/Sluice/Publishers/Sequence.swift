extension Publishers {
  /// Publishes the elements of a sequence to each subscriber on demand, then finishes.
  ///
  /// ```swift
  /// [1, 2, 3].publisher.sink { print($0) }  // 1 2 3
  /// ```
  ///
  /// The stream finishes with its last element, without waiting for further demand.
  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: _DirectPublisher {
    public typealias Output = Elements.Element

    /// The sequence whose elements are published.
    public let sequence: Elements

    /// Publishes the elements of a sequence.
    @inlinable public init(sequence: Elements) { self.sequence = sequence }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      Operators.PullConduit.attach(
        "Sequence", SequencePull<Elements, Failure>(sequence), to: subscriber, showsSequence: true)
    }
  }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}
extension Publishers.Sequence: Sendable where Elements: Sendable {}

extension Swift.Sequence {
  /// The elements of this sequence as a publisher.
  @inlinable public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}

@usableFromInline
struct SequencePull<Elements: Sequence, Failure: Error>: Operators.Pull {
  @usableFromInline typealias Output = Elements.Element

  @usableFromInline let elements: Elements
  @usableFromInline var iterator: Elements.Iterator

  @inlinable init(_ elements: Elements) {
    self.elements = elements
    iterator = elements.makeIterator()
  }

  @inlinable mutating func next() throws(Failure) -> Elements.Element? { iterator.next() }
  @inlinable var sequence: Any? { elements }
}

@usableFromInline
struct IteratorPull<Iterator: IteratorProtocol, Failure: Error>: Operators.Pull {
  @usableFromInline typealias Output = Iterator.Element

  @usableFromInline var iterator: Iterator
  @inlinable init(_ iterator: Iterator) { self.iterator = iterator }
  @inlinable mutating func next() throws(Failure) -> Iterator.Element? { iterator.next() }
}
