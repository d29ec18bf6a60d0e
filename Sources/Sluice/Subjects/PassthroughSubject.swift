/// Broadcasts what it is sent to whoever is subscribed and wants it.
///
/// ```swift
/// let subject = PassthroughSubject<Int, Never>()
/// let cancellable = subject.sink { print($0) }
/// subject.send(1)  // 1
/// ```
///
/// A subscriber that has asked for nothing misses the value. `send` may be called from any thread; each subscriber gets
/// its values one at a time, and one sent from within `receive(_:)` after those sent before it.
public final class PassthroughSubject<Output, Failure: Error>: Subject, _DirectPublisher, @unchecked Sendable {
  // The lock protects all of its state.
  @usableFromInline let broadcast = Locked(Broadcast<Output, Failure>())

  @inlinable public init() {}

  @inlinable deinit {
    for upstream in broadcast.withLock({ $0.upstreams }) { upstream.cancel() }
  }

  @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let line = SubjectLine<Output, Failure>("PassthroughSubject", RelayCore(forwards: false), AnySubscriber(subscriber))
    let end = broadcast.withLock { broadcast in
      if broadcast.end == nil { broadcast.lines.append(line) }
      return broadcast.end
    }
    guard let end else { return line.connect(SubjectLink(self, line), 0) }
    subscriber.receive(subscription: Subscriptions.empty)
    subscriber.receive(completion: end)
  }

  @inlinable public func send(_ value: Output) {
    let lines = broadcast.withLock { $0.lines }
    for line in lines { line.feed(passing: { $0.pass(value) }) { $0.receive(value) } }
  }

  @inlinable public func send(completion: Subscribers.Completion<Failure>) {
    let lines = broadcast.withLock { broadcast -> [SubjectLine<Output, Failure>] in
      guard broadcast.end == nil else { return [] }
      broadcast.end = completion
      defer { broadcast.lines = [] }
      return broadcast.lines
    }
    for line in lines {
      line.disconnect(0)
      line.feed { $0.receive(completion: completion) }
    }
  }

  @inlinable public func send(subscription: any Subscription) {
    let wanted = broadcast.withLock { broadcast in
      broadcast.upstreams.append(subscription)
      return broadcast.wanted
    }
    if wanted { subscription.request(.unlimited) }
  }
}

@usableFromInline
typealias SubjectLine<Output, Failure: Error> = Conduit<
  RelayCore<Output, Failure>, AnySubscriber<Output, Failure>
>

/// A subscriber's tie to its subject, which the line treats as its upstream.
@usableFromInline
final class SubjectLink<Output, Failure: Error>: Subscription {
  @usableFromInline let subject: PassthroughSubject<Output, Failure>
  @usableFromInline let line: SubjectLine<Output, Failure>

  @inlinable init(_ subject: PassthroughSubject<Output, Failure>, _ line: SubjectLine<Output, Failure>) {
    self.subject = subject
    self.line = line
  }

  @usableFromInline func request(_ demand: Subscribers.Demand) {
    let upstreams = subject.broadcast.withLock { broadcast in
      defer { broadcast.wanted = true }
      return broadcast.wanted ? [] : broadcast.upstreams
    }
    for upstream in upstreams { upstream.request(.unlimited) }
  }

  @usableFromInline func cancel() {
    let line = self.line
    subject.broadcast.withLock { $0.lines.removeAll { $0 === line } }
  }
}

@usableFromInline
struct Broadcast<Output, Failure: Error> {
  @usableFromInline var lines: [SubjectLine<Output, Failure>] = []
  @usableFromInline var end: Subscribers.Completion<Failure>?
  @usableFromInline var upstreams: [any Subscription] = []
  /// Somebody has asked for values: only then are upstreams asked.
  @usableFromInline var wanted = false

  @inlinable init() {}
}
