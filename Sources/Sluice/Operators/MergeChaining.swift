// `a.merge(with: b).merge(with: c)` is one operator, not two.

extension Publishers.Merge {
  /// Merges these publishers and one more.
  ///
  /// ```swift
  /// [1].publisher.merge(with: Just(2)).merge(with: Just(3)).sink { print($0) }  // 1 2 3
  /// ```
  @inlinable public func merge<P: Publisher>(
    with p: P
  ) -> Publishers.Merge3<A, B, P>
  where
    P.Output == Output, P.Failure == Failure
  {
    Publishers.Merge3(a, b, p)
  }

  /// Merges these publishers and two more.
  @inlinable public func merge<P: Publisher, Q: Publisher>(
    with p: P, _ q: Q
  ) -> Publishers.Merge4<A, B, P, Q>
  where
    P.Output == Output, P.Failure == Failure,
    Q.Output == Output, Q.Failure == Failure
  {
    Publishers.Merge4(a, b, p, q)
  }

  /// Merges these publishers and three more.
  @inlinable public func merge<P: Publisher, Q: Publisher, R: Publisher>(
    with p: P, _ q: Q, _ r: R
  ) -> Publishers.Merge5<A, B, P, Q, R>
  where
    P.Output == Output, P.Failure == Failure,
    Q.Output == Output, Q.Failure == Failure,
    R.Output == Output, R.Failure == Failure
  {
    Publishers.Merge5(a, b, p, q, r)
  }

  /// Merges these publishers and four more.
  @inlinable public func merge<P: Publisher, Q: Publisher, R: Publisher, S: Publisher>(
    with p: P, _ q: Q, _ r: R, _ s: S
  ) -> Publishers.Merge6<A, B, P, Q, R, S>
  where
    P.Output == Output, P.Failure == Failure,
    Q.Output == Output, Q.Failure == Failure,
    R.Output == Output, R.Failure == Failure,
    S.Output == Output, S.Failure == Failure
  {
    Publishers.Merge6(a, b, p, q, r, s)
  }

  /// Merges these publishers and five more.
  @inlinable public func merge<P: Publisher, Q: Publisher, R: Publisher, S: Publisher, T: Publisher>(
    with p: P, _ q: Q, _ r: R, _ s: S, _ t: T
  ) -> Publishers.Merge7<A, B, P, Q, R, S, T>
  where
    P.Output == Output, P.Failure == Failure,
    Q.Output == Output, Q.Failure == Failure,
    R.Output == Output, R.Failure == Failure,
    S.Output == Output, S.Failure == Failure,
    T.Output == Output, T.Failure == Failure
  {
    Publishers.Merge7(a, b, p, q, r, s, t)
  }

  /// Merges these publishers and six more.
  @inlinable public func merge<P: Publisher, Q: Publisher, R: Publisher, S: Publisher, T: Publisher, U: Publisher>(
    with p: P, _ q: Q, _ r: R, _ s: S, _ t: T, _ u: U
  ) -> Publishers.Merge8<A, B, P, Q, R, S, T, U>
  where
    P.Output == Output, P.Failure == Failure,
    Q.Output == Output, Q.Failure == Failure,
    R.Output == Output, R.Failure == Failure,
    S.Output == Output, S.Failure == Failure,
    T.Output == Output, T.Failure == Failure,
    U.Output == Output, U.Failure == Failure
  {
    Publishers.Merge8(a, b, p, q, r, s, t, u)
  }
}

extension Publishers.Merge3 {
  /// Merges these publishers and one more.
  @inlinable public func merge<P: Publisher>(
    with p: P
  ) -> Publishers.Merge4<A, B, C, P>
  where
    P.Output == Output, P.Failure == Failure
  {
    Publishers.Merge4(a, b, c, p)
  }

  /// Merges these publishers and two more.
  @inlinable public func merge<P: Publisher, Q: Publisher>(
    with p: P, _ q: Q
  ) -> Publishers.Merge5<A, B, C, P, Q>
  where
    P.Output == Output, P.Failure == Failure,
    Q.Output == Output, Q.Failure == Failure
  {
    Publishers.Merge5(a, b, c, p, q)
  }

  /// Merges these publishers and three more.
  @inlinable public func merge<P: Publisher, Q: Publisher, R: Publisher>(
    with p: P, _ q: Q, _ r: R
  ) -> Publishers.Merge6<A, B, C, P, Q, R>
  where
    P.Output == Output, P.Failure == Failure,
    Q.Output == Output, Q.Failure == Failure,
    R.Output == Output, R.Failure == Failure
  {
    Publishers.Merge6(a, b, c, p, q, r)
  }

  /// Merges these publishers and four more.
  @inlinable public func merge<P: Publisher, Q: Publisher, R: Publisher, S: Publisher>(
    with p: P, _ q: Q, _ r: R, _ s: S
  ) -> Publishers.Merge7<A, B, C, P, Q, R, S>
  where
    P.Output == Output, P.Failure == Failure,
    Q.Output == Output, Q.Failure == Failure,
    R.Output == Output, R.Failure == Failure,
    S.Output == Output, S.Failure == Failure
  {
    Publishers.Merge7(a, b, c, p, q, r, s)
  }

  /// Merges these publishers and five more.
  @inlinable public func merge<P: Publisher, Q: Publisher, R: Publisher, S: Publisher, T: Publisher>(
    with p: P, _ q: Q, _ r: R, _ s: S, _ t: T
  ) -> Publishers.Merge8<A, B, C, P, Q, R, S, T>
  where
    P.Output == Output, P.Failure == Failure,
    Q.Output == Output, Q.Failure == Failure,
    R.Output == Output, R.Failure == Failure,
    S.Output == Output, S.Failure == Failure,
    T.Output == Output, T.Failure == Failure
  {
    Publishers.Merge8(a, b, c, p, q, r, s, t)
  }
}

extension Publishers.Merge4 {
  /// Merges these publishers and one more.
  @inlinable public func merge<P: Publisher>(
    with p: P
  ) -> Publishers.Merge5<A, B, C, D, P>
  where
    P.Output == Output, P.Failure == Failure
  {
    Publishers.Merge5(a, b, c, d, p)
  }

  /// Merges these publishers and two more.
  @inlinable public func merge<P: Publisher, Q: Publisher>(
    with p: P, _ q: Q
  ) -> Publishers.Merge6<A, B, C, D, P, Q>
  where
    P.Output == Output, P.Failure == Failure,
    Q.Output == Output, Q.Failure == Failure
  {
    Publishers.Merge6(a, b, c, d, p, q)
  }

  /// Merges these publishers and three more.
  @inlinable public func merge<P: Publisher, Q: Publisher, R: Publisher>(
    with p: P, _ q: Q, _ r: R
  ) -> Publishers.Merge7<A, B, C, D, P, Q, R>
  where
    P.Output == Output, P.Failure == Failure,
    Q.Output == Output, Q.Failure == Failure,
    R.Output == Output, R.Failure == Failure
  {
    Publishers.Merge7(a, b, c, d, p, q, r)
  }

  /// Merges these publishers and four more.
  @inlinable public func merge<P: Publisher, Q: Publisher, R: Publisher, S: Publisher>(
    with p: P, _ q: Q, _ r: R, _ s: S
  ) -> Publishers.Merge8<A, B, C, D, P, Q, R, S>
  where
    P.Output == Output, P.Failure == Failure,
    Q.Output == Output, Q.Failure == Failure,
    R.Output == Output, R.Failure == Failure,
    S.Output == Output, S.Failure == Failure
  {
    Publishers.Merge8(a, b, c, d, p, q, r, s)
  }
}

extension Publishers.Merge5 {
  /// Merges these publishers and one more.
  @inlinable public func merge<P: Publisher>(
    with p: P
  ) -> Publishers.Merge6<A, B, C, D, E, P>
  where
    P.Output == Output, P.Failure == Failure
  {
    Publishers.Merge6(a, b, c, d, e, p)
  }

  /// Merges these publishers and two more.
  @inlinable public func merge<P: Publisher, Q: Publisher>(
    with p: P, _ q: Q
  ) -> Publishers.Merge7<A, B, C, D, E, P, Q>
  where
    P.Output == Output, P.Failure == Failure,
    Q.Output == Output, Q.Failure == Failure
  {
    Publishers.Merge7(a, b, c, d, e, p, q)
  }

  /// Merges these publishers and three more.
  @inlinable public func merge<P: Publisher, Q: Publisher, R: Publisher>(
    with p: P, _ q: Q, _ r: R
  ) -> Publishers.Merge8<A, B, C, D, E, P, Q, R>
  where
    P.Output == Output, P.Failure == Failure,
    Q.Output == Output, Q.Failure == Failure,
    R.Output == Output, R.Failure == Failure
  {
    Publishers.Merge8(a, b, c, d, e, p, q, r)
  }
}

extension Publishers.Merge6 {
  /// Merges these publishers and one more.
  @inlinable public func merge<P: Publisher>(
    with p: P
  ) -> Publishers.Merge7<A, B, C, D, E, F, P>
  where
    P.Output == Output, P.Failure == Failure
  {
    Publishers.Merge7(a, b, c, d, e, f, p)
  }

  /// Merges these publishers and two more.
  @inlinable public func merge<P: Publisher, Q: Publisher>(
    with p: P, _ q: Q
  ) -> Publishers.Merge8<A, B, C, D, E, F, P, Q>
  where
    P.Output == Output, P.Failure == Failure,
    Q.Output == Output, Q.Failure == Failure
  {
    Publishers.Merge8(a, b, c, d, e, f, p, q)
  }
}

extension Publishers.Merge7 {
  /// Merges these publishers and one more.
  @inlinable public func merge<P: Publisher>(
    with p: P
  ) -> Publishers.Merge8<A, B, C, D, E, F, G, P>
  where
    P.Output == Output, P.Failure == Failure
  {
    Publishers.Merge8(a, b, c, d, e, f, g, p)
  }
}
