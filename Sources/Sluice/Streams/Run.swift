// Many values in one call. The contract stays that of single values: a run is never longer than the demand. Any cutting
// of the same values into runs gives the same values, in the same order, with the same end and the same demand.

extension Operators {
  /// The answer of a subscriber to a run of values.
  @frozen public struct Taken: Equatable, Sendable {
    /// The number of values taken, from the first on: all values, unless it is over.
    public var count: Int
    /// The number of further values wanted: the total demand that the subscriber returned for these values.
    public var demand: Subscribers.Demand
    /// Whether the stream was cancelled or has ended with the last value that was taken.
    public var isOver: Bool

    /// Makes the answer to a run.
    @inlinable public init(count: Int, demand: Subscribers.Demand, isOver: Bool) {
      self.count = count
      self.demand = demand
      self.isOver = isOver
    }

    /// The answer of a stream that has already ended.
    @inlinable static var nothing: Taken { Taken(count: 0, demand: .none, isOver: true) }
  }
}

extension Subscriber {
  /// By default a subscriber takes single values.
  @inlinable public var _takesRuns: Bool { false }

  /// By default the values are received one by one.
  @inlinable public func _receive(run: ArraySlice<Input>) -> Operators.Taken { _receiveEach(of: run) { true } }

  /// Delivers a run of values: in one call if the subscriber takes runs, one by one otherwise.
  ///
  /// Use it in your source or operator if it has many values at once. Keep the values that were not taken. The closures of
  /// operators such as `map` and `filter` may run for many values before the first of them is delivered, so they must not
  /// depend on what subscribers do with earlier values.
  ///
  /// ```swift
  /// let taken = subscriber._receive(run: scans[..<wanted]) { !isCancelled }
  /// scans.removeFirst(taken.count)
  /// wanted += taken.demand
  /// ```
  ///
  /// - Parameters:
  ///   - run: At most as many values as there is demand for.
  ///   - isWanted: Called before each value that is delivered alone; returns false if the stream is cancelled.
  @inlinable public func _receive(run: ArraySlice<Input>, while isWanted: () -> Bool) -> Operators.Taken {
    _takesRuns ? _receive(run: run) : _receiveEach(of: run, while: isWanted)
  }

  /// Delivers the values one by one.
  @inlinable public func _receiveEach(of run: ArraySlice<Input>, while isWanted: () -> Bool) -> Operators.Taken {
    var taken = Operators.Taken(count: 0, demand: .none, isOver: !isWanted())
    for value in run {
      if taken.isOver { break }
      taken.demand += receive(value)
      taken.count += 1
      taken.isOver = !isWanted()
    }
    return taken
  }
}

/// The result of an operator for one value of a run.
@usableFromInline
enum RunStep<Output> {
  case output(Output)
  /// No value; upstream is asked for another.
  case skip
  /// No value; another input has been requested already.
  case absorb
  /// No value: upstream keeps this one.
  case rest
}

extension ArraySlice {
  /// Delivers the results of an operator for a run of values as a run.
  ///
  /// It takes 64 values at a time. The bits of a word show which values are left if downstream ends among them.
  /// - Parameter ratio: The number of inputs for one output.
  @inlinable @inline(__always)  // a call of the step would cost as much as everything else
  func receive<S: Subscriber>(
    by downstream: S, perDemand ratio: Int = 1, _ step: (Element) -> RunStep<S.Input>
  ) -> Operators.Taken {
    var taken = Operators.Taken(count: 0, demand: .none, isOver: false)
    var rest = self
    while !rest.isEmpty {
      let part = rest.prefix(64)
      var isOutput: UInt64 = 0
      var (received, skipped) = (0, 0)
      let outputs = [S.Input](unsafeUninitializedCapacity: part.count) { outputs, count in
        for value in part {
          switch step(value) {
          case .output(let output):
            outputs.initializeElement(at: count, to: output)
            count += 1
            isOutput |= 1 << UInt64(received)
          case .skip: skipped += 1
          case .absorb: break
          case .rest: continue
          }
          received += 1
        }
      }
      if !outputs.isEmpty {
        let below = downstream._receive(run: outputs[...])
        taken.demand += ratio == 1 ? below.demand : below.demand * ratio
        if below.isOver {
          // The inputs up to the one that made the last taken output.
          for _ in 1..<Swift.max(below.count, 1) { isOutput &= isOutput - 1 }
          if below.count > 0 { taken.count += isOutput.trailingZeroBitCount + 1 }
          taken.isOver = true
          return taken
        }
      }
      taken.demand += skipped
      taken.count += received
      if received < part.count { return taken }
      rest.removeFirst(part.count)
    }
    return taken
  }
}
