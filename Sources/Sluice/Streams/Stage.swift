// Tier 1: operators that answer each input at once, on the thread of the input.

extension Operators {
  /// The result of a ``Stage`` for one input.
  public enum Step<Output, Failure: Error> {
    /// A value.
    case emit(Output)
    /// No value; upstream is asked for another input.
    case skip
    /// No value; the next input has been requested already.
    case absorb
    /// A last value, then a finish.
    case last(Output)
    /// A finish.
    case finish
    /// A failure.
    case fail(Failure)
  }

  /// The input that an operator accepts if upstream breaks the rules, and sends after the end or before the
  /// subscription.
  public enum LateInput {
    /// Nothing.
    case ignored
    /// Values.
    case values
    /// A second end, unless the stream was cancelled.
    case end
    /// Values and a second end, unless the stream was cancelled.
    case valuesAndEnd
    /// Values and the end before the subscription, nothing after the end.
    case unlessEnded
  }

  /// A synchronous operator as a value. Upstream calls are serial by contract, so a stage needs no lock.
  public protocol Stage<Input, Output, Failure> {
    /// The type of upstream's values.
    associatedtype Input
    /// The type of the values that it makes.
    associatedtype Output
    /// The type of the failure that it ends with.
    associatedtype Failure: Error

    /// Returns the result for an input.
    mutating func receive(_ input: Input) -> Operators.Step<Output, Failure>
    /// The outputs for a run of inputs, if each input makes one and the stream continues; nil if the inputs must be
    /// received one by one. It saves a copy if the outputs are inputs.
    mutating func pass(run: ArraySlice<Input>) -> ArraySlice<Output>?
    /// The last output, when upstream finishes; ``ratio`` guarantees demand for it.
    mutating func flush() -> Output?

    /// The number of inputs per output: 1, or the chunk size of `collect`.
    var ratio: Int { get }
    /// The number of inputs used up before the first output.
    var surplus: Int { get }
    /// The input that it accepts if upstream breaks the rules, like the operator of this name in Combine.
    static var lateInput: Operators.LateInput { get }
  }
}

extension Operators.Stage {
  /// By default the inputs are received one by one.
  @inlinable public mutating func pass(run: ArraySlice<Input>) -> ArraySlice<Output>? { nil }
  /// By default there is no output at the end.
  @inlinable public mutating func flush() -> Output? { nil }
  /// By default one input makes one output.
  @inlinable public var ratio: Int { 1 }
  /// By default no input is used up before the first output.
  @inlinable public var surplus: Int { 0 }
  /// By default late input is ignored.
  @inlinable public static var lateInput: Operators.LateInput { .ignored }
}
