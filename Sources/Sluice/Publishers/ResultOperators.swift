// Operators of a publisher with one value or a failure. The result is known when the operator is applied. So, as in
// Combine, the result is a plain publisher without an operator. The closures run when the operator is applied, not at
// the subscription.

extension Result.Publisher {
  /// The transformed value.
  @inlinable public func map<T>(_ transform: (Output) -> T) -> Result<T, Failure>.Publisher {
    .init(result.map(transform))
  }

  /// The transformed value, or the error of the closure.
  @inlinable public func tryMap<T>(_ transform: (Output) throws -> T) -> Result<T, any Error>.Publisher {
    .init(Result<T, any Error> { try transform(result.get()) })
  }

  /// The transformed failure.
  @inlinable public func mapError<E: Error>(_ transform: (Failure) -> E) -> Result<Output, E>.Publisher {
    .init(result.mapError(transform))
  }

  /// The value, or the replacement for the failure.
  @inlinable public func replaceError(with output: Output) -> Result<Output, Never>.Publisher {
    .init((try? result.get()) ?? output)
  }

  /// The same: there is a value or a failure.
  @inlinable public func replaceEmpty(with output: Output) -> Result<Output, Failure>.Publisher { self }

  /// The same: another try would give the same failure.
  @inlinable public func retry(_ times: Int) -> Result<Output, Failure>.Publisher { self }
}

extension Result.Publisher where Failure == Never {
  /// The same value, with a failure that never happens.
  @inlinable public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher {
    .init(result.get())
  }
}

// MARK: Single results

extension Result.Publisher {
  /// Whether the value satisfies the predicate.
  @inlinable public func allSatisfy(_ predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    map(predicate)
  }

  /// Whether the value satisfies the predicate, or the error that it throws.
  @inlinable public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// Whether the value satisfies the predicate.
  @inlinable public func contains(where predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    map(predicate)
  }

  /// Whether the value satisfies the predicate, or the error that it throws.
  @inlinable public func tryContains(
    where predicate: (Output) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// The value in an array.
  @inlinable public func collect() -> Result<[Output], Failure>.Publisher { map { [$0] } }

  /// The count, which is one.
  @inlinable public func count() -> Result<Int, Failure>.Publisher { map { _ in 1 } }

  /// The same: there is no other to compare it with.
  @inlinable public func min(
    by areInIncreasingOrder: (Output, Output) -> Bool
  ) -> Result<Output, Failure>.Publisher {
    self
  }

  /// The same, or the error that the closure throws for a comparison of the value with itself.
  @inlinable public func tryMin(
    by areInIncreasingOrder: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryRemoveDuplicates(by: areInIncreasingOrder)
  }

  /// The same: there is no other to compare it with.
  @inlinable public func max(
    by areInIncreasingOrder: (Output, Output) -> Bool
  ) -> Result<Output, Failure>.Publisher {
    self
  }

  /// The same, or the error that the closure throws for a comparison of the value with itself.
  @inlinable public func tryMax(
    by areInIncreasingOrder: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryRemoveDuplicates(by: areInIncreasingOrder)
  }

  /// The end, without the value; as in Combine, also without the failure.
  @inlinable public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

  /// The value combined with an initial one.
  @inlinable public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) -> T
  ) -> Result<T, Failure>.Publisher {
    map { nextPartialResult(initialResult, $0) }
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
  ) -> Result<T, Failure>.Publisher {
    reduce(initialResult, nextPartialResult)
  }

  /// The value combined with an initial one, or the error of the closure.
  @inlinable public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    tryReduce(initialResult, nextPartialResult)
  }
}

extension Result.Publisher where Success: Comparable {
  /// The same: there is no other value.
  @inlinable public func min() -> Result<Output, Failure>.Publisher { self }

  /// The same: there is no other value.
  @inlinable public func max() -> Result<Output, Failure>.Publisher { self }
}

extension Result.Publisher where Success: Equatable {
  /// Whether this is the value.
  @inlinable public func contains(_ output: Output) -> Result<Bool, Failure>.Publisher { map { $0 == output } }

  /// The same: there is no other value.
  @inlinable public func removeDuplicates() -> Result<Output, Failure>.Publisher { self }
}

// MARK: Parts

extension Result.Publisher {
  /// The same: there is no other value.
  @inlinable public func removeDuplicates(
    by predicate: (Output, Output) -> Bool
  ) -> Result<Output, Failure>.Publisher {
    self
  }

  /// The same, or the error that the closure throws for a comparison of the value with itself.
  @inlinable public func tryRemoveDuplicates(
    by predicate: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryMap { value in
      _ = try predicate(value, value)
      return value
    }
  }

  /// The same.
  @inlinable public func first() -> Result<Output, Failure>.Publisher { self }

  /// The same.
  @inlinable public func last() -> Result<Output, Failure>.Publisher { self }
}
