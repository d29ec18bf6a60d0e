// What publisher, subscription and subscriber say to each other.
//
// Look at the order of the lines: subscription, request, values, completion. The publisher has nothing more to do once
// the subscription exists: the subscriber asks the subscription. Demand only adds up, and a value that nobody has asked
// for does not come.
import Sluice

/// Says what happens to it. Asks for two values, then for three more; with the fourth value for one more.
final class Logger: Subscriber {
  typealias Input = Int
  typealias Failure = Never

  private var outstanding = Subscribers.Demand.none

  func receive(subscription: any Subscription) {
    print("receive(subscription:)")
    for count in [2, 3] {
      outstanding += .max(count)
      print("request(.max(\(count))): \(outstanding) outstanding")
      subscription.request(.max(count))
    }
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    outstanding -= 1
    let more: Subscribers.Demand = input == 4 ? .max(1) : .none
    outstanding += more
    print("receive(\(input)) returns \(more): \(outstanding) outstanding")
    return more
  }

  func receive(completion: Subscribers.Completion<Never>) { print("receive(completion: \(completion))") }
}

print("-- a subscriber that asks for six values, and a subject that sends eight")
let subject = PassthroughSubject<Int, Never>()
subject.subscribe(Logger())
for value in 1...8 { subject.send(value) }
subject.send(completion: .finished)

print("-- sink and assign ask for everything; letting go of what they return stops them")
final class Display {
  var level = 0
}
let display = Display()
let level = PassthroughSubject<Int, Never>()
var sink: AnyCancellable? = level.sink { print("sink: \($0)") }
var assign: AnyCancellable? = level.assign(to: \.level, on: display)
level.send(1)
sink = nil
level.send(2)
assign = nil
level.send(3)
print("display: \(display.level)")
