#if canImport(FoundationNetworking)
  public import Foundation
  public import FoundationNetworking
  public import Sluice

  extension URLSession {
    /// Publishes the response of a URL, then finishes, or fails.
    public func dataTaskPublisher(for url: URL) -> DataTaskPublisher { dataTaskPublisher(for: URLRequest(url: url)) }

    /// Publishes the response to a request, then finishes, or fails.
    ///
    /// ```swift
    /// let forecast = URLSession.shared.dataTaskPublisher(for: url)
    ///   .map(\.data)
    ///   .decode(type: Forecast.self, decoder: JSONDecoder())
    /// ```
    public func dataTaskPublisher(for request: URLRequest) -> DataTaskPublisher {
      DataTaskPublisher(request: request, session: self)
    }

    /// Publishes the response to a request, then finishes, or fails.
    ///
    /// Each subscriber has its own task. It starts with the first demand, and is cancelled with the subscription. It
    /// delivers on the queue of the session. An HTTP status such as 404 is a response, not a failure.
    public struct DataTaskPublisher: _DirectPublisher {
      public typealias Output = (data: Data, response: URLResponse)
      /// The error of the request.
      public typealias Failure = URLError

      /// The request.
      public let request: URLRequest
      /// The session that sends the request.
      public let session: URLSession

      /// Makes a publisher that sends a request for each subscriber.
      public init(request: URLRequest, session: URLSession) {
        self.request = request
        self.session = session
      }

      public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == URLError {
        let subscriber = AnySubscriber(subscriber)
        let conduit = DataTask.Line("DataTaskPublisher", Operators.RelayCore(forwards: false), subscriber)
        let task = DataTask(self, for: conduit, subscriber)
        conduit.children = { [weak task] conduit in task?.children(of: conduit) ?? [] }
        conduit.connect(task, 0)
      }
    }
  }

  /// The task of one subscriber. Its conduit treats it as upstream.
  private final class DataTask: Subscription, @unchecked Sendable {
    // The lock protects the state; `conduit` is set once.
    typealias Output = URLSession.DataTaskPublisher.Output
    typealias Line = Operators.Conduit<Operators.RelayCore<Output, URLError>, AnySubscriber<Output, URLError>>

    private enum State { case idle, running(URLSessionDataTask), ended }

    private let publisher: URLSession.DataTaskPublisher
    private weak var conduit: Line?
    private let subscriber: AnySubscriber<Output, URLError>
    private let state = Locked(State.idle)

    init(
      _ publisher: URLSession.DataTaskPublisher, for conduit: Line, _ subscriber: AnySubscriber<Output, URLError>
    ) {
      self.publisher = publisher
      self.conduit = conduit
      self.subscriber = subscriber
    }

    /// Starts the task. It is called once, with the first demand. Resuming a running task would start its load again,
    /// which may crash FoundationNetworking.
    func request(_ demand: Subscribers.Demand) {
      // The task holds the conduit, so a subscriber gets the response even if it releases its subscription.
      guard let conduit else { return }
      let task = publisher.session.dataTask(with: publisher.request) { data, response, error in
        guard case .running = self.end() else { return }
        conduit.feed { core in
          if error == nil, let response {
            core.receive((data ?? Data(), response))
            core.receive(completion: .finished)
          } else {
            core.receive(completion: .failure(error as? URLError ?? URLError(.unknown)))
          }
        }
      }
      let isWanted = state.withLock { state in
        guard case .idle = state else { return false }
        state = .running(task)
        return true
      }
      if isWanted { task.resume() } else { task.cancel() }
    }

    func cancel() {
      if case .running(let task) = end() { task.cancel() }
    }

    func children(of conduit: Line) -> [Mirror.Child] {
      let (task, isEnded): (URLSessionDataTask?, Bool) =
        switch state.withLock({ $0 }) {
        case .idle: (nil, false)
        case .running(let task): (task, false)
        case .ended: (nil, true)
        }
      return [
        ("task", task as Any), ("downstream", (isEnded ? nil : subscriber) as Any),
        ("parent", Optional(publisher) as Any),
        ("demand", conduit.demand()),
      ]
    }

    /// - Returns: The state before.
    private func end() -> State {
      state.withLock { state in
        defer { state = .ended }
        return state
      }
    }
  }
#endif
