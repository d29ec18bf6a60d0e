// Operators of a publisher with one value. The result is known when the operator is applied. So, as in Combine, the
// result is a plain publisher without an operator. The closures run when the operator is applied, not at the
// subscription.

extension Just {
  /// The transformed value.
  @inlinable public func map<T>(_ transform: (Output) -> T) -> Just<T> { Just<T>(transform(output)) }

  /// The transformed value, or the error of the closure.
  @inlinable public func tryMap<T>(_ transform: (Output) throws -> T) -> Result<T, any Error>.Publisher {
    .init(Result { try transform(output) })
  }

  /// The same value: there is no failure to transform.
  @inlinable public func mapError<E: Error>(_ transform: (Never) -> E) -> Result<Output, E>.Publisher { .init(output) }

  /// The same value, with a failure that never happens.
  @inlinable public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher {
    .init(output)
  }

  /// The transformed value, or nothing if the closure returns nil.
  @inlinable public func compactMap<T>(_ transform: (Output) -> T?) -> Optional<T>.Publisher {
    .init(transform(output))
  }

  /// The value, if the closure returns true.
  @inlinable public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
    .init(isIncluded(output) ? output : nil)
  }

  /// The same value: there is no failure to replace.
  @inlinable public func replaceError(with output: Output) -> Just<Output> { self }

  /// The same value: there is always one.
  @inlinable public func replaceEmpty(with output: Output) -> Just<Output> { self }

  /// The same value: there is no failure to retry.
  @inlinable public func retry(_ times: Int) -> Just<Output> { self }
}

// MARK: Single results

extension Just {
  /// Whether the value satisfies the predicate.
  @inlinable public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> { Just<Bool>(predicate(output)) }

  /// Whether the value satisfies the predicate, or the error that it throws.
  @inlinable public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// Whether the value satisfies the predicate.
  @inlinable public func contains(where predicate: (Output) -> Bool) -> Just<Bool> { allSatisfy(predicate) }

  /// Whether the value satisfies the predicate, or the error that it throws.
  @inlinable public func tryContains(
    where predicate: (Output) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// The value in an array.
  @inlinable public func collect() -> Just<[Output]> { Just<[Output]>([output]) }

  /// The count, which is one.
  @inlinable public func count() -> Just<Int> { Just<Int>(1) }

  /// The same value: there is no other to compare it with.
  @inlinable public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> { self }

  /// The same value: there is no other to compare it with.
  @inlinable public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> { self }

  /// The end, without the value.
  @inlinable public func ignoreOutput() -> Empty<Output, Never> { Empty() }

  /// The value combined with an initial one.
  @inlinable public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) -> T
  ) -> Result<T, Never>.Publisher {
    .init(nextPartialResult(initialResult, output))
  }

  /// The value combined with an initial one, or the error of the closure.
  @inlinable public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    tryMap { try nextPartialResult(initialResult, $0) }
  }

  /// The value combined with an initial one.
  @inlinable public func scan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) -> T
  ) -> Result<T, Never>.Publisher {
    reduce(initialResult, nextPartialResult)
  }

  /// The value combined with an initial one, or the error of the closure.
  @inlinable public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    tryReduce(initialResult, nextPartialResult)
  }
}

extension Just where Output: Comparable {
  /// The same value: there is no other.
  @inlinable public func min() -> Just<Output> { self }

  /// The same value: there is no other.
  @inlinable public func max() -> Just<Output> { self }
}

extension Just where Output: Equatable {
  /// Whether this is the value.
  @inlinable public func contains(_ output: Output) -> Just<Bool> { Just<Bool>(self.output == output) }

  /// The same value: there is no other.
  @inlinable public func removeDuplicates() -> Just<Output> { self }
}

// MARK: Parts

extension Just {
  /// The same value: there is no other.
  @inlinable public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Just<Output> { self }

  /// The same value, or the error that the closure throws for a comparison of the value with itself.
  @inlinable public func tryRemoveDuplicates(
    by predicate: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryMap { value in
      _ = try predicate(value, value)
      return value
    }
  }

  /// The same value.
  @inlinable public func first() -> Just<Output> { self }

  /// The value if it satisfies the predicate.
  @inlinable public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// The same value.
  @inlinable public func last() -> Just<Output> { self }

  /// The value if it satisfies the predicate.
  @inlinable public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// The value if the count is 0.
  @inlinable public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
    precondition(count >= 0, "count must not be negative")
    return .init(count > 0 ? nil : output)
  }

  /// The value unless it satisfies the predicate.
  @inlinable public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter { !predicate($0) }
  }

  /// The value if the length is not 0.
  @inlinable public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
    precondition(maxLength >= 0, "maxLength must not be negative")
    return .init(maxLength > 0 ? output : nil)
  }

  /// The value if it satisfies the predicate.
  @inlinable public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// The value for the index 0.
  @inlinable public func output(at index: Int) -> Optional<Output>.Publisher {
    precondition(index >= 0, "index must not be negative")
    return .init(index == 0 ? output : nil)
  }

  /// The value if the range begins at 0; as in Combine even if the range is empty.
  @inlinable public func output<R: RangeExpression>(in range: R) -> Optional<Output>.Publisher where R.Bound == Int {
    .init(range.relative(to: 0..<Int.max).lowerBound == 0 ? output : nil)
  }
}

// MARK: More values

extension Just {
  /// Some values, then this one.
  @inlinable public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { prepend(elements) }

  /// Some values, then this one.
  @inlinable public func prepend<Elements: Sequence>(
    _ elements: Elements
  ) -> Publishers.Sequence<[Output], Never> where Elements.Element == Output {
    .init(sequence: elements + [output])
  }

  /// This value, then some more.
  @inlinable public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { append(elements) }

  /// This value, then some more.
  @inlinable public func append<Elements: Sequence>(
    _ elements: Elements
  ) -> Publishers.Sequence<[Output], Never> where Elements.Element == Output {
    .init(sequence: [output] + elements)
  }
}
