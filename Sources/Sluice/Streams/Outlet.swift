#if compiler(>=6.3)
  /// The downstream subscriber. It is lent to each call, because a copy would count a reference, which takes longer
  /// than most operators.
  @usableFromInline
  struct Outlet<Downstream: Subscriber>: ~Copyable {
    @usableFromInline var subscriber: Downstream?

    @inlinable init(subscriber: Downstream) { self.subscriber = subscriber }

    @inlinable borrowing func receive(_ output: Downstream.Input) -> Subscribers.Demand {
      subscriber?.receive(output) ?? .none
    }

    @inlinable borrowing func receive(run: ArraySlice<Downstream.Input>) -> Operators.Taken {
      subscriber?._receive(run: run) ?? .nothing
    }
  }
#else
  // Swift 6.0.3 of Debian 13 has assertions. One of them fails (visitRetainValueInst, isMoveOnly) during the
  // optimisation of a program with a noncopyable field in a class that it specialises.
  @usableFromInline
  struct Outlet<Downstream: Subscriber> {
    @usableFromInline var subscriber: Downstream?

    @inlinable init(subscriber: Downstream) { self.subscriber = subscriber }

    @inlinable func receive(_ output: Downstream.Input) -> Subscribers.Demand {
      subscriber?.receive(output) ?? .none
    }

    @inlinable func receive(run: ArraySlice<Downstream.Input>) -> Operators.Taken {
      subscriber?._receive(run: run) ?? .nothing
    }
  }
#endif
