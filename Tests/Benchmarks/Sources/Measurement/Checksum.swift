/// Where every workload's values end, those of the loops too.
///
/// Not inlined: to the optimiser it is a call that has to be made for each value, in order. Without it a loop with these
/// closures is computed several values at a time, or not at all, and is no measure of handing on values one by one. The
/// closures before it may be inlined wherever the compiler can do so, in the loop and in the libraries.
public final class Checksum: @unchecked Sendable {
  // Whoever uses it from two threads sees to it that one comes after the other.
  private var sum = 0

  public init() {}

  @inline(never) public func add(_ value: Int) { sum &+= value }

  public var value: Int { sum }
}
