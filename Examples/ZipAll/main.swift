// Any number of publishers, row by row.
//
// Look at the end of the second part: the fast publisher has made two values, as many as rows were asked for, though it
// has a million and could have made them all at once. It waits for the slow one, and nothing piles up.
import Sluice
import SluiceExtras

print("-- three lists")
_ = [[1, 2, 3], [4, 5, 6], [7, 8, 9, 10]].map(\.publisher).zipAll().sink(
  receiveCompletion: { print($0) }, receiveValue: { print($0) })

print("-- a fast one and a slow one, two rows wanted")
var made = 0
let fast = (1...1_000_000).publisher.handleEvents(receiveOutput: { _ in made += 1 }).eraseToAnyPublisher()
let slow = PassthroughSubject<Int, Never>()
[fast, slow.eraseToAnyPublisher()].zipAll().subscribe(
  AnySubscriber(
    receiveSubscription: { $0.request(.max(2)) },
    receiveValue: {
      print($0)
      return .none
    }))
for value in [100, 200] {
  slow.send(value)
  print("the fast one has made \(made)")
}

print("-- an error ends it at once")
enum SensorError: Error { case broken }
let sensors = (0..<2).map { _ in PassthroughSubject<Int, SensorError>() }
let rows = sensors.zipAll().sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
for sensor in sensors { sensor.send(1) }
sensors[0].send(2)
sensors[1].send(completion: .failure(.broken))
rows.cancel()
