/// Publishes recorded values and a recorded end to each subscriber.
///
/// ```swift
/// Record<Int, Never> { recording in
///   recording.receive(1)
///   recording.receive(completion: .finished)
/// }.sink { print($0) }  // 1
/// ```
public struct Record<Output, Failure: Error>: _DirectPublisher {
  /// Values and an end to publish.
  public struct Recording {
    private enum State { case recording, complete }

    private var state = State.recording
    /// The recorded values.
    public private(set) var output: [Output]
    /// The recorded end.
    public private(set) var completion: Subscribers.Completion<Failure>

    /// An empty recording that finishes.
    public init() {
      output = []
      completion = .finished
    }

    /// Makes a recording of values and an end.
    public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
      self.output = output
      self.completion = completion
      state = .complete
    }

    /// Adds a value. It traps after the completion.
    public mutating func receive(_ input: Output) {
      precondition(state == .recording, "receive values should not be sent after completion")
      output.append(input)
    }

    /// Sets the end, once.
    public mutating func receive(completion: Subscribers.Completion<Failure>) {
      precondition(state == .recording, "receive completion should not be sent more than once")
      self.completion = completion
      state = .complete
    }
  }

  /// The recording for each subscriber.
  public let recording: Recording

  /// Makes a recording with a closure.
  public init(record: (inout Recording) -> Void) {
    var recording = Recording()
    record(&recording)
    self.init(recording: recording)
  }

  /// Publishes a recording.
  public init(recording: Recording) { self.recording = recording }

  /// Publishes values and an end.
  public init(output: [Output], completion: Subscribers.Completion<Failure>) {
    self.init(recording: Recording(output: output, completion: completion))
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let events = RecordPull(SequencePull(recording.output), completion: recording.completion)
    Operators.PullConduit.attach(
      "Cancelled Events", events, to: subscriber, showsSequence: true, completion: recording.completion)
  }
}

private struct RecordPull<Output, Failure: Error>: Operators.Pull {
  var values: SequencePull<[Output], Never>
  let completion: Subscribers.Completion<Failure>

  init(_ values: SequencePull<[Output], Never>, completion: Subscribers.Completion<Failure>) {
    self.values = values
    self.completion = completion
  }

  var sequence: Any? { values.sequence }

  mutating func next() throws(Failure) -> Output? {
    if let value = values.next() { return value }
    if case .failure(let error) = completion { throw error }
    return nil
  }
}

extension Record.Recording: Codable where Output: Codable, Failure: Codable {
  private enum CodingKeys: String, CodingKey { case output, completion }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      output: try container.decode([Output].self, forKey: .output),
      completion: try container.decode(Subscribers.Completion<Failure>.self, forKey: .completion))
  }

  /// The same as `encode(to:)`; Combine has both.
  public func encode(into encoder: any Encoder) throws { try encode(to: encoder) }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(output, forKey: .output)
    try container.encode(completion, forKey: .completion)
  }
}

extension Record: Codable where Output: Codable, Failure: Codable {
  private enum CodingKeys: String, CodingKey { case recording }
}

extension Record.Recording: Sendable where Output: Sendable {}

extension Record: Sendable where Output: Sendable {}
