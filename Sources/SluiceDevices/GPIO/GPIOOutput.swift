public import Sluice
public import SluiceReadings

extension Subscribers {
  /// Sets GPIO lines of one chip to the levels that it receives: one level per line, in the order of the lines.
  ///
  /// ```swift
  /// let output = try Subscribers.GPIOOutput<Never>(GPIOLines(chip: "gpiochip0", lines: ["5", "6"]))
  /// [[true, false], [false, true]].publisher.subscribe(output)
  /// ```
  ///
  /// The initializer requests the lines, and sets them low unless other levels are given. It requests one value at a
  /// time, and sets all lines at once, on the thread that delivers. The end of the stream or a cancel releases the
  /// lines; their levels then depend on the chip. A value that cannot be set cancels the stream, and is reported as its
  /// end.
  public final class GPIOOutput<Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
    // The lock protects `state`. The request is used only under the lock.
    /// The levels of all lines.
    public typealias Input = [Bool]

    private struct State {
      var request: GPIORequest?
      var subscription: (any Subscription)?
    }

    private let state: PriorityInheritanceMutex<State>  // may sleep: an I2C expander is slow
    private let receiveCompletion: @Sendable (Subscribers.Completion<any Error>) -> Void

    /// - Parameters:
    ///   - initial: One level per line, set at once; nil for low.
    ///   - drive: The drive of the lines.
    ///   - isActiveLow: Whether `true` is a low voltage.
    ///   - root: The folder of device files.
    ///   - receiveCompletion: Called with the end of upstream, or with a `SluiceError` of the lines.
    public init(
      _ lines: GPIOLines, initial: [Bool]? = nil, drive: GPIOOptions.Drive = .pushPull, bias: GPIOOptions.Bias = .asIs,
      isActiveLow: Bool = false, consumer: String = "sluice", root: String = "/dev",
      receiveCompletion: @escaping @Sendable (Subscribers.Completion<any Error>) -> Void = { _ in }
    ) throws(SluiceError) {
      var options = GPIOOptions()
      options.bias = bias
      options.isActiveLow = isActiveLow
      let request = try GPIORequest(
        lines, for: .output(initial, drive), options: options, consumer: consumer, root: root)
      state = PriorityInheritanceMutex(State(request: request))
      self.receiveCompletion = receiveCompletion
    }

    public func receive(subscription: any Subscription) {
      let isFirst = state.withLock { state in
        guard state.request != nil, state.subscription == nil else { return false }
        state.subscription = subscription
        return true
      }
      if isFirst { subscription.request(.max(1)) } else { subscription.cancel() }
    }

    /// Sets the lines.
    public func receive(_ input: [Bool]) -> Subscribers.Demand {
      let failed: SluiceError? = state.withLock { state in
        do throws(SluiceError) {
          try state.request?.set(input)
          return nil
        } catch {
          return error
        }
      }
      guard let failed else { return .max(1) }
      cancel()
      receiveCompletion(.failure(failed))
      return .none
    }

    public func receive(completion: Subscribers.Completion<Failure>) {
      guard take() else { return }
      switch completion {
      case .finished: receiveCompletion(.finished)
      case .failure(let error): receiveCompletion(.failure(error))
      }
    }

    /// Cancels upstream and releases the lines.
    public func cancel() { take() }

    /// - Returns: Whether it was still running.
    @discardableResult
    private func take() -> Bool {
      let last = state.withLock { state in
        defer { state = State() }
        return state
      }
      last.subscription?.cancel()
      last.request?.release()
      return last.request != nil
    }
  }
}
