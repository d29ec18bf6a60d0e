/// The differences of one stream in two traces, A and B. Times are nanoseconds since the epoch. Readings are counted
/// from 1, for each stream, over the whole trace.
package struct StreamDifferences: Equatable, Sendable {
  /// Readings that only one of the traces has.
  package struct Unmatched: Equatable, Sendable {
    package var count = 0
    /// The number and the time of the first of them.
    package var number = 0
    package var time: Int64 = 0
  }

  /// A value that differs.
  package struct Value: Equatable, Sendable {
    package var channel: String
    package var numberInA: Int
    package var numberInB: Int
    package var timeInA: Int64
    package var timeInB: Int64
    /// Nil for a missing value.
    package var a: String?
    package var b: String?
  }

  package var name: String
  /// The name in B, if it differs.
  package var nameInB: String?
  package var isInA = true
  package var isInB = true
  /// Readings that were compared.
  package var readingsInA = 0
  package var readingsInB = 0
  package var onlyInA = Unmatched()
  package var onlyInB = Unmatched()
  package var channelsOnlyInA: [String] = []
  package var channelsOnlyInB: [String] = []
  /// The number of values that differ, and the first of them.
  package var values = 0
  package var firstValue: Value?
  /// The greatest difference between the times of readings that count as the same.
  package var greatestTimeDifference: UInt64 = 0

  /// A stream that only one trace has is one difference.
  package var count: Int {
    guard isInA, isInB else { return 1 }
    return onlyInA.count + onlyInB.count + channelsOnlyInA.count + channelsOnlyInB.count + values
  }
}
