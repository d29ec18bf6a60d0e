public import Synchronization

extension Operators {
  /// A cold source that makes its values on demand: a sequence, a file.
  public protocol Pull<Output, Failure> {
    /// The type of the values that it makes.
    associatedtype Output
    /// The type of the failure that it ends with.
    associatedtype Failure: Error
    /// The result of one step: one value, or an `ArraySlice` of values.
    associatedtype Part = Output
    /// The next part, which is not empty; nil at the end. One thread at a time calls it.
    mutating func next() throws(Failure) -> Part?
    /// Delivers a part of a step as far as there is demand, for ``PullConduit``. Both kinds of part have
    /// implementations.
    static func deliver<S: Subscriber>(
      _ part: inout Part, to downstream: S, demand: inout Subscribers.Demand, while isWanted: () -> Bool
    ) -> Operators.Delivery where S.Input == Output, S.Failure == Failure
    /// The sequence for the mirror of its subscription, if it is one.
    var sequence: Any? { get }
  }

  /// The result of a delivery.
  @frozen public enum Delivery: Sendable {
    /// All of it was delivered.
    case usedUp
    /// Some of it is left.
    case left
    /// Downstream takes nothing more.
    case over
  }
}

extension Operators.Pull {
  /// By default there is no sequence.
  @inlinable public var sequence: Any? { nil }
}

extension Operators.Pull where Part == Output {
  /// Delivers one value.
  @inlinable public static func deliver<S: Subscriber>(
    _ part: inout Part, to downstream: S, demand: inout Subscribers.Demand, while isWanted: () -> Bool
  ) -> Operators.Delivery where S.Input == Output, S.Failure == Failure {
    demand.spend()
    let more = downstream.receive(part)
    if more != .none { demand += more }
    return .usedUp
  }
}

extension Operators.Pull where Part == ArraySlice<Output> {
  /// Delivers as much of a slice as the demand allows.
  @inlinable public static func deliver<S: Subscriber>(
    _ part: inout Part, to downstream: S, demand: inout Subscribers.Demand, while isWanted: () -> Bool
  ) -> Operators.Delivery where S.Input == Output, S.Failure == Failure {
    let run = part.prefix(demand.max ?? .max)
    demand -= run.count
    let taken = downstream._receive(run: run, while: isWanted)
    demand += taken.demand
    part.removeFirst(taken.count)
    return taken.isOver ? .over : part.isEmpty ? .usedUp : .left
  }
}

extension Operators {
  /// The one class behind every cold synchronous source.
  ///
  /// It delivers in a loop. A request from within `receive(_:)` only adds demand, so the order is kept and the stack
  /// does not grow. The thread that runs the loop takes out all the demand, and needs no lock until it is used up.
  public final class PullConduit<Source: Operators.Pull, Downstream: Subscriber>: @unchecked Sendable
  where Source.Output == Downstream.Input, Source.Failure == Downstream.Failure {
    // `state` has its lock; `held` belongs to the thread that set `running`.

    @usableFromInline struct State {
      @usableFromInline var demand = Subscribers.Demand.none
      @usableFromInline var running = false  // stays true after the end
      @inlinable init() {}
    }

    @usableFromInline let state = Locked(State())
    @usableFromInline let cancelled = Atomic(false)
    #if !DEBUG
      @exclusivity(unchecked)
    #endif
    @usableFromInline var held: Held?

    /// One optional for all three: destroying each optional looks up its type at run time, a seventh of the time of
    /// flatMap with one value each.
    @usableFromInline struct Held {
      @usableFromInline var source: Source
      @usableFromInline var ahead: Source.Part
      @usableFromInline let downstream: Downstream

      @inlinable init(_ source: Source, _ ahead: Source.Part, _ downstream: Downstream) {
        self.source = source
        self.ahead = ahead
        self.downstream = downstream
      }
    }

    @inlinable init(_ source: Source, _ ahead: Source.Part, _ downstream: Downstream) {
      held = Held(source, ahead, downstream)
    }

    /// Attaches a subscriber to a cold source.
    ///
    /// - Parameters:
    ///   - name: The description of the subscription, unless it shows a sequence.
    ///   - takesNoDemand: Whether `request(.none)` is allowed, as in Combine's sequences; otherwise it traps.
    ///   - showsSequence: Whether the description of a waiting subscription has the source's sequence, and not the next value.
    ///   - completion: The end that the subscription shows.
    @inlinable public static func attach(
      _ name: StaticString, _ source: Source, to downstream: Downstream, takesNoDemand: Bool = true,
      showsSequence: Bool = false, completion: Any? = nil
    ) {
      var source = source
      let ahead: Source.Part?
      do throws(Source.Failure) {
        ahead = try source.next()
      } catch {
        downstream.receive(subscription: Subscriptions.empty)
        return downstream.receive(completion: .failure(error))
      }
      guard let ahead else {
        downstream.receive(subscription: Subscriptions.empty)
        return downstream.receive(completion: .finished)
      }
      let conduit = Operators.PullConduit(source, ahead, downstream)
      let link = PullLink(
        name, request: conduit.request, cancel: conduit.cancel, content: conduit.content, takesNoDemand: takesNoDemand,
        showsSequence: showsSequence, completion: completion)
      downstream.receive(subscription: link)
    }

    /// The sequence, or the next value; nil while it runs, because both then belong to the running loop.
    @inlinable func content(_ showsSequence: Bool) -> Any? {
      state.withLock { state -> Any? in
        if state.running { return nil }
        return held.flatMap { showsSequence ? $0.source.sequence : $0.ahead }
      }
    }

    @inlinable func request(_ demand: Subscribers.Demand) {
      let idle = state.withLock { state in
        state.demand += demand
        defer { state.running = true }
        return !state.running
      }
      if idle { run() }
    }

    @inlinable func cancel() {
      cancelled.store(true, ordering: .relaxed)
      let idle = state.withLock { state in
        defer { state.running = true }
        return !state.running
      }
      if idle { held = nil }
    }

    /// Delivers while there is demand. The caller has set `running`.
    @inlinable func run() {
      guard let taken = held.take() else { return }  // during the loop, its copy is the only one
      var (source, next) = (taken.source, taken.ahead)
      let downstream = taken.downstream
      while true {
        let taken = state.withLock { state -> Subscribers.Demand? in
          if cancelled.load(ordering: .relaxed) { return nil }
          if state.demand == .none {
            held = Held(source, next, downstream)
            state.running = false
          }
          return state.demand.take()
        }
        guard var demand = taken else { return }
        if demand == .none { return }
        while demand != .none {
          guard !cancelled.load(ordering: .relaxed) else { return }
          switch Source.deliver(&next, to: downstream, demand: &demand, while: { !cancelled.load(ordering: .relaxed) })
          {
          case .usedUp: break
          case .left: continue
          // A cancel may still be on its way, as through `subscribe(on:)`.
          case .over: return
          }
          do throws(Source.Failure) {
            guard let following = try source.next() else { return finish(.finished, downstream) }
            next = following
          } catch {
            return finish(.failure(error), downstream)
          }
        }
      }
    }

    @inlinable func finish(_ completion: Subscribers.Completion<Source.Failure>, _ downstream: Downstream) {
      if !cancelled.load(ordering: .relaxed) { downstream.receive(completion: completion) }
    }
  }
}

/// The subscription of a cold source. It is not generic, like ``Handle``, and shows the values to publish, as in
/// Combine.
@usableFromInline
final class PullLink: Subscription, CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline let name: StaticString
  @usableFromInline let onRequest: (Subscribers.Demand) -> Void
  @usableFromInline let onCancel: () -> Void
  @usableFromInline let content: (Bool) -> Any?
  @usableFromInline let takesNoDemand: Bool
  @usableFromInline let showsSequence: Bool
  @usableFromInline let completion: Any?

  @inlinable init(
    _ name: StaticString, request: @escaping (Subscribers.Demand) -> Void, cancel: @escaping () -> Void,
    content: @escaping (Bool) -> Any?, takesNoDemand: Bool, showsSequence: Bool, completion: Any?
  ) {
    self.name = name
    onRequest = request
    onCancel = cancel
    self.content = content
    self.takesNoDemand = takesNoDemand
    self.showsSequence = showsSequence
    self.completion = completion
  }

  @usableFromInline func request(_ demand: Subscribers.Demand) {
    precondition(takesNoDemand || demand > .none, "demand must be greater than zero")
    onRequest(demand)
  }

  @usableFromInline func cancel() { onCancel() }

  @usableFromInline var description: String {
    guard showsSequence, let sequence = content(true) else { return name.description }
    return String(describing: sequence)
  }

  @usableFromInline var customMirror: Mirror {
    var children: [Mirror.Child] = []
    if showsSequence {
      children.append(("sequence", content(true) ?? [Any]()))
    } else if let value = content(false) {
      children.append((nil, value))
    }
    if let completion { children.append(("completion", completion)) }
    return Mirror(self, children: children)
  }

  @usableFromInline var playgroundDescription: Any { description }
}
