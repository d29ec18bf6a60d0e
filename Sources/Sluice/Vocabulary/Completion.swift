extension Subscribers {
  /// The end of a stream.
  public enum Completion<Failure: Error> {
    /// The stream has finished.
    case finished
    /// The stream has failed.
    case failure(Failure)
  }
}

extension Subscribers.Completion: Sendable {}
extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}

extension Subscribers.Completion: Encodable where Failure: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CompletionCodingKeys.self)
    switch self {
    case .finished:
      try container.encode(true, forKey: .success)
    case .failure(let error):
      try container.encode(false, forKey: .success)
      try container.encode(error, forKey: .error)
    }
  }
}

extension Subscribers.Completion: Decodable where Failure: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CompletionCodingKeys.self)
    let success = try container.decode(Bool.self, forKey: .success)
    self = success ? .finished : .failure(try container.decode(Failure.self, forKey: .error))
  }
}

private enum CompletionCodingKeys: String, CodingKey { case success, error }
