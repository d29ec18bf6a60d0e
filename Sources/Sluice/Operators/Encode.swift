/// Encodes a value in another form, such as bytes.
public protocol TopLevelEncoder<Output> {
  /// The type of the encoded form.
  associatedtype Output
  /// Encodes a value.
  func encode<T: Encodable>(_ value: T) throws -> Output
}

extension Publisher where Output: Encodable {
  /// Encodes every value.
  ///
  /// ```swift
  /// readings.encode(encoder: JSONEncoder())  // with SluiceFoundation
  /// ```
  ///
  /// - Demand: Passes through.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's; an error of the encoder ends the stream and cancels upstream.
  @inlinable public func encode<Coder: TopLevelEncoder>(encoder: Coder) -> Publishers.Encode<Self, Coder> {
    Publishers.Encode(upstream: self, encoder: encoder)
  }
}

extension Publishers {
  /// Encodes every value.
  public struct Encode<Upstream: Publisher, Coder: TopLevelEncoder>: _DirectPublisher
  where Upstream.Output: Encodable {
    public typealias Output = Coder.Output
    /// Upstream's failure, or an error of the coder.
    public typealias Failure = any Error

    public let upstream: Upstream
    @usableFromInline let encoder: Coder

    @inlinable public init(upstream: Upstream, encoder: Coder) {
      self.upstream = upstream
      self.encoder = encoder
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let encoder = encoder
      let stage = CodingStage<Upstream.Output, Output> { try encoder.encode($0) }
      upstream._attach(Operators.StageConduit("Encode", stage, subscriber, takesNoDemand: true))
    }
  }
}

extension Publishers.Encode: Sendable where Upstream: Sendable, Coder: Sendable {}

@usableFromInline
struct CodingStage<Input, Output>: Operators.Stage {
  @usableFromInline let convert: (Input) throws -> Output
  @inlinable init(_ convert: @escaping (Input) throws -> Output) { self.convert = convert }

  @inlinable static var lateInput: Operators.LateInput { .unlessEnded }
  @inlinable mutating func receive(_ input: Input) -> Operators.Step<Output, any Error> {
    do { return .emit(try convert(input)) } catch { return .fail(error) }
  }
}
