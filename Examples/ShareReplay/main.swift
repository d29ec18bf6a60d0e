// One subscription shared by many, with the last values for those who come late.
//
// Look at the upstream's line: there is one subscription for four subscribers. A late one begins with the last two
// values; one that comes after the end gets them, and the end.
import Sluice
import SluiceExtras

let subject = PassthroughSubject<Int, Never>()
let shared =
  subject
  .handleEvents(receiveSubscription: { _ in print("upstream: one subscription") })
  .shareReplay(capacity: 2)

func subscribe(_ name: String) -> AnyCancellable {
  print("\(name) subscribes")
  return shared.sink(receiveCompletion: { print("\(name): \($0)") }, receiveValue: { print("\(name): \($0)") })
}

subject.send(0)  // Nobody is there: nobody sees it.
let a = subscribe("A")
for value in 1...3 { subject.send(value) }
let b = subscribe("B")
let c = subscribe("C")
print("C cancels, which is no completion")
c.cancel()
for value in 4...5 { subject.send(value) }
subject.send(completion: .finished)
let d = subscribe("D")
