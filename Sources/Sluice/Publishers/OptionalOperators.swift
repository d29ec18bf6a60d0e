// Operators of a publisher with one value or none. The result is known when the operator is applied. So, as in Combine,
// the result is a plain publisher without an operator. The closures run when the operator is applied, not at the
// subscription. Without a value only `collect` and `replaceEmpty` publish one.

extension Optional.Publisher {
  /// The transformed value.
  @inlinable public func map<T>(_ transform: (Output) -> T) -> Optional<T>.Publisher { .init(output.map(transform)) }

  /// The transformed value, or nothing if the closure returns nil.
  @inlinable public func compactMap<T>(_ transform: (Output) -> T?) -> Optional<T>.Publisher {
    .init(output.flatMap(transform))
  }

  /// The value, if the closure returns true.
  @inlinable public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
    compactMap { isIncluded($0) ? $0 : nil }
  }

  /// The same: there is no failure to replace.
  @inlinable public func replaceError(with output: Output) -> Optional<Output>.Publisher { self }

  /// The value, or the replacement.
  @inlinable public func replaceEmpty(with output: Output) -> Just<Output> { Just(self.output ?? output) }

  /// The same: there is no failure to retry.
  @inlinable public func retry(_ times: Int) -> Optional<Output>.Publisher { self }
}

// MARK: Single results

extension Optional.Publisher {
  /// Whether the value satisfies the predicate.
  @inlinable public func allSatisfy(_ predicate: (Output) -> Bool) -> Optional<Bool>.Publisher { map(predicate) }

  /// Whether the value satisfies the predicate.
  @inlinable public func contains(where predicate: (Output) -> Bool) -> Optional<Bool>.Publisher { map(predicate) }

  /// The value in an array; an empty array if there is none.
  @inlinable public func collect() -> Optional<[Output]>.Publisher { .init(output.map { [$0] } ?? []) }

  /// The count, which is one.
  @inlinable public func count() -> Optional<Int>.Publisher { map { _ in 1 } }

  /// The same: there is no other to compare it with.
  @inlinable public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher { self }

  /// The same: there is no other to compare it with.
  @inlinable public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher { self }

  /// The end, without the value.
  @inlinable public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

  /// The value combined with an initial one.
  @inlinable public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) -> T
  ) -> Optional<T>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  /// The value combined with an initial one.
  @inlinable public func scan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) -> T
  ) -> Optional<T>.Publisher {
    reduce(initialResult, nextPartialResult)
  }
}

extension Optional.Publisher where Wrapped: Comparable {
  /// The same: there is no other value.
  @inlinable public func min() -> Optional<Wrapped>.Publisher { self }

  /// The same: there is no other value.
  @inlinable public func max() -> Optional<Wrapped>.Publisher { self }
}

extension Optional.Publisher where Wrapped: Equatable {
  /// Whether this is the value.
  @inlinable public func contains(_ output: Output) -> Optional<Bool>.Publisher { map { $0 == output } }

  /// The same: there is no other value.
  @inlinable public func removeDuplicates() -> Optional<Wrapped>.Publisher { self }
}

// MARK: Parts

extension Optional.Publisher {
  /// The same: there is no other value.
  @inlinable public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
    self
  }

  /// The same.
  @inlinable public func first() -> Optional<Output>.Publisher { self }

  /// The value if it satisfies the predicate.
  @inlinable public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// The same.
  @inlinable public func last() -> Optional<Output>.Publisher { self }

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

  /// The value if 0 is in the range. As in Combine, the range must have an end below `Int.max - 1`.
  @inlinable public func output<R: RangeExpression>(in range: R) -> Optional<Output>.Publisher where R.Bound == Int {
    let range = range.relative(to: 0..<Int.max)
    precondition(range.lowerBound >= 0, "lowerBound must not be negative")
    precondition(range.upperBound < Int.max - 1, "upperBound must be less than Int.max - 1")
    return .init(range.contains(0) ? output : nil)
  }
}
