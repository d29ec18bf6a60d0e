/// Decodes a value from another form, such as bytes.
public protocol TopLevelDecoder<Input> {
  /// The type of the encoded form.
  associatedtype Input
  /// Decodes a value of a type from the input.
  func decode<T: Decodable>(_ type: T.Type, from input: Input) throws -> T
}

extension Publisher {
  /// Decodes every value.
  ///
  /// ```swift
  /// lines.decode(type: Measurement.self, decoder: JSONDecoder())  // with SluiceFoundation
  /// ```
  ///
  /// - Demand: Passes through.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's; an error of the decoder ends the stream and cancels upstream.
  @inlinable public func decode<Item: Decodable, Coder: TopLevelDecoder>(
    type: Item.Type, decoder: Coder
  ) -> Publishers.Decode<Self, Item, Coder> where Output == Coder.Input {
    Publishers.Decode(upstream: self, decoder: decoder)
  }
}

extension Publishers {
  /// Decodes every value.
  public struct Decode<Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder>: _DirectPublisher
  where Upstream.Output == Coder.Input {
    /// Upstream's failure, or an error of the coder.
    public typealias Failure = any Error

    public let upstream: Upstream
    @usableFromInline let decoder: Coder

    @inlinable public init(upstream: Upstream, decoder: Coder) {
      self.upstream = upstream
      self.decoder = decoder
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let decoder = decoder
      let stage = CodingStage<Upstream.Output, Output> { try decoder.decode(Output.self, from: $0) }
      upstream._attach(Operators.StageConduit("Decode", stage, subscriber, takesNoDemand: true))
    }
  }
}

extension Publishers.Decode: Sendable where Upstream: Sendable, Coder: Sendable {}
