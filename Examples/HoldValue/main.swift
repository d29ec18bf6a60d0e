// An object that holds a value and publishes its changes.
//
// Look at who gets how many of the ten changes: whoever asked for three gets three and the end; whoever asked for
// everything gets all of them.
import Sluice
import SluiceExtras

let level = HoldValue(0)

level.subscribe(
  AnySubscriber(
    receiveSubscription: { $0.request(.max(3)) },
    receiveValue: {
      print("three: \($0)")
      return .none
    },
    receiveCompletion: { print("three: \($0)") }))

var all: [Int] = []
let everything = level.sink { all.append($0) }

for value in 1...10 { level.value = value }
print("everything: \(all)")
print("it holds \(level.value)")
