/// Something that the schedule does, from outside or from within a call that it receives.
public enum Act: Hashable, Sendable {
  /// A downstream subscribes.
  case subscribe(probe: Int)
  /// A downstream asks for values; `Act.unlimited` for all.
  case request(probe: Int, Int)
  case cancel(probe: Int)
  /// Values, one after the other; a library that has runs gets several as one.
  case send(source: Int, [Int])
  case finish(source: Int)
  case fail(source: Int, Int)
  /// A source that gave its subscriber no subscription gives it now, or else a second one.
  case subscription(source: Int)
  case advance(Int)
  case connect
  case disconnect

  public static let unlimited = -1
}

extension Act: CustomStringConvertible {
  public var description: String {
    switch self {
    case .subscribe(let probe): "probe \(probe) subscribes"
    case .request(let probe, let demand):
      "probe \(probe) requests \(demand == Act.unlimited ? "unlimited" : "\(demand)")"
    case .cancel(let probe): "probe \(probe) cancels"
    case .send(let source, let values): "source \(source) sends \(values.map(String.init).joined(separator: " "))"
    case .finish(let source): "source \(source) finishes"
    case .fail(let source, let fault): "source \(source) fails with \(fault)"
    case .subscription(let source): "source \(source) gives a subscription"
    case .advance(let ticks): "time moves by \(ticks)"
    case .connect: "connect"
    case .disconnect: "disconnect"
    }
  }
}

/// What a party does when it is called: these acts, then the answer.
public struct Reaction: Hashable, Sendable {
  public var acts: [Act]
  /// The demand that an answer to a value asks for.
  public var answer: Int

  public init(_ acts: [Act] = [], answer: Int = 0) {
    self.acts = acts
    self.answer = answer
  }
}
