// Operators of one's own: made of others, and from scratch.
//
// Look at the last part: an operator that leaves a value out asks for another one in its place, so that downstream gets
// the three it wanted, and upstream makes no more than it takes.
import Sluice
import SluiceExtras

// Three that the library has: each is an extension of Publisher for a certain Output.
_ = [false, true, true, false].publisher.toggle().collect().sink { print("toggle:", $0) }
_ = [1, 2, nil, 3, nil, 4].publisher.unwrap().collect().sink { print("unwrap:", $0) }
_ = (1...5).publisher.pair().collect().sink { print("pair:  ", $0) }

// Made of others: a name for a combination.
extension Publisher where Output == Int {
  /// How much each value differs from the one before.
  func differences() -> Publishers.Map<Publishers.Nwise<Self>, Int> { pair().map { $0[1] - $0[0] } }
}
_ = [1, 4, 9, 16, 25].publisher.differences().collect().sink { print("differences:", $0) }

// From scratch: a publisher that puts a subscriber of its own between upstream and downstream.
struct Above<Upstream: Publisher>: Publisher where Upstream.Output: Comparable {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure
  let upstream: Upstream
  let limit: Output

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(AboveSubscriber(downstream: subscriber, limit: limit))
  }
}

struct AboveSubscriber<Downstream: Subscriber>: Subscriber where Downstream.Input: Comparable {
  let downstream: Downstream
  let limit: Downstream.Input
  let combineIdentifier = CombineIdentifier()

  // Downstream gets upstream's own subscription: what it asks for needs no translation.
  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    input > limit ? downstream.receive(input) : .max(1)
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) { downstream.receive(completion: completion) }
}

extension Publisher where Output: Comparable {
  func above(_ limit: Output) -> Above<Self> { Above(upstream: self, limit: limit) }
}

let three = AnySubscriber<Int, Never>(
  receiveSubscription: { $0.request(.max(3)) },
  receiveValue: {
    print("above 2:", $0)
    return .none
  })
[5, 1, 3, 2, 4, 9, 8].publisher
  .handleEvents(receiveOutput: { print("made:   ", $0) })
  .above(2)
  .subscribe(three)
