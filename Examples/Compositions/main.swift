// Operators put together, and what types come out.
//
// Look at the demand: a subscriber made of closures asks for two values and gets two of a publisher that has five.
import Sluice
import SluiceExtras

print("-- AnySubscriber")
let subscriber = AnySubscriber<String, Never>(
  receiveSubscription: { $0.request(.max(2)) },
  receiveValue: { value in
    print("received", value)
    return .none
  },
  receiveCompletion: { print("completed with", $0) })
// Whoever takes it need not know how it is made.
let words: AnyPublisher<String, Never> = ["12", "3", "x", "45", "6"].publisher
  .compactMap { Int($0) }
  .filter { $0 > 3 }
  .map { "<\($0)>" }
  .eraseToAnyPublisher()
words.subscribe(subscriber)

print("-- scan tells every sum, reduce the last one")
_ = (1...4).publisher.scan(0, +).collect().sink { print($0) }
_ = (1...4).publisher.reduce(0, +).sink { print($0) }

print("-- zip needs the same Failure on both sides")
enum SensorError: Error { case broken }
let readings = [20, 21, 19].publisher.setFailureType(to: SensorError.self)
let labels = ["kitchen", "cellar", "attic"].publisher.setFailureType(to: SensorError.self)
_ = readings.zip(labels).map { "\($1): \($0)" }.append(Fail(error: SensorError.broken)).sink(
  receiveCompletion: { print($0) }, receiveValue: { print($0) })

print("-- any number of publishers, folded with zip")
let columns = [["a", "b"], ["c", "d"], ["e", "f"]].map(\.publisher)
let first = columns[0].map { [$0] }.eraseToAnyPublisher()
let rows = columns.dropFirst().reduce(first) { rows, column in
  rows.zip(column) { $0 + [$1] }.eraseToAnyPublisher()
}
_ = rows.sink { print($0) }

print("-- combineLatestAll: the latest of each, once each has one")
let rooms = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
let latest = rooms.combineLatestAll().sink { print($0) }
for (room, value) in [(0, 20), (1, 15), (0, 21), (2, 8), (1, 14)] { rooms[room].send(value) }
latest.cancel()
