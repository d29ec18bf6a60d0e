import DequeModule
import Sluice
import SluiceRecording

extension Publisher where Output == ArraySlice<Reading>, Failure == Never {
  /// Keeps so many readings until they are asked for, and asks for everything: `buffer(size:prefetch:whenFull:)` for
  /// readings that come in blocks. A block that is wanted goes on as it came.
  /// - Parameter dropped: Gets how many readings did not fit.
  func buffer(
    readings size: Int, dropsOldest: Bool, dropped: @escaping (Int) -> Void
  ) -> Publishers.BlockBuffer<Self> {
    Publishers.BlockBuffer(upstream: self, size: size, dropsOldest: dropsOldest, dropped: dropped)
  }
}

extension Publishers {
  struct BlockBuffer<Upstream: Publisher>: _DirectPublisher
  where Upstream.Output == ArraySlice<Reading>, Upstream.Failure == Never {
    typealias Output = ArraySlice<Reading>
    typealias Failure = Never

    let upstream: Upstream
    let size: Int
    let dropsOldest: Bool
    let dropped: (Int) -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      let conduit = Conduit("Buffer", BlockBufferCore(size: size, dropsOldest: dropsOldest), subscriber)
      upstream._attach(Inlet(conduit, BlockBufferPort(dropped: dropped)))
    }
  }
}

struct BlockBufferPort: Port {
  typealias Core = BlockBufferCore
  let dropped: (Int) -> Void

  var inlet: Int { 0 }
  func pass(_ input: ArraySlice<Reading>, _ core: inout Core) -> ArraySlice<Reading>? { core.pass(input) }
  func receive(_ input: ArraySlice<Reading>, _ core: inout Core) -> Int { core.receive(input) }
  func receive(completion: Subscribers.Completion<Never>, _ core: inout Core) { core.isFinished = true }
  func settle(_ leftover: Int) { if leftover > 0 { dropped(leftover) } }
}

/// Blocks lose their bounds while they are kept, so that it is readings that are counted and dropped, and that many small
/// blocks take no more memory than a large one.
struct BlockBufferCore: OperatorCore {
  typealias Output = ArraySlice<Reading>
  typealias Failure = Never

  /// Readings that leave together, after they were kept.
  static let block = 512

  let size: Int
  let dropsOldest: Bool
  private(set) var kept: Deque<Reading> = []
  private(set) var demand = Subscribers.Demand.none
  var isFinished = false

  init(size: Int, dropsOldest: Bool) {
    self.size = size
    self.dropsOldest = dropsOldest
  }

  func prefetch(_ inlet: Int) -> Subscribers.Demand { .unlimited }

  mutating func request(_ more: Subscribers.Demand) { demand += more }

  mutating func pass(_ input: ArraySlice<Reading>) -> ArraySlice<Reading>? {
    guard kept.isEmpty, demand != .none, !isFinished else { return nil }
    demand -= 1
    return input
  }

  /// - Returns: How many readings did not fit.
  mutating func receive(_ input: ArraySlice<Reading>) -> Int {
    guard !isFinished else { return input.count }
    let excess = max(0, kept.count + input.count - size)
    if dropsOldest {
      kept.removeFirst(min(excess, kept.count))
      kept.append(contentsOf: input.suffix(size))
    } else {
      kept.append(contentsOf: input.dropLast(excess))
    }
    return excess
  }

  mutating func next(_ out: inout Outbox<Self>) -> Action? {
    if demand != .none, !kept.isEmpty {
      demand -= 1
      let block = Array(kept.prefix(Self.block))
      kept.removeFirst(block.count)
      return out.deliver(block[...])
    }
    return isFinished && kept.isEmpty ? out.complete(.finished) : nil
  }
}
