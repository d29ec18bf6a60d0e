// Subjects, and a log of what passes with the time before each line.
//
// Look at what the late subscriber gets: a PassthroughSubject keeps nothing, a CurrentValueSubject its latest value.
// The times are virtual, so that they are the same in every run; `TimeLogger()` without arguments takes the clock's.
import Sluice
import SluiceExtras

let time = VirtualTimeScheduler()
let logger = TimeLogger(elapsed: { .nanoseconds(time.now.nanoseconds) })

let passing = PassthroughSubject<Int, Never>()
let current = CurrentValueSubject<Int, Never>(0)
let early = passing.print("passing", to: logger).merge(with: current.print("current", to: logger)).sink { _ in }

for value in 1...2 {
  time.advance(by: .milliseconds(350))
  passing.send(value)
  current.value = 10 * value
}

print("-- late subscribers")
let lateToPassing = passing.sink { print("passing to the late one:", $0) }
let lateToCurrent = current.sink { print("current to the late one:", $0) }

print("-- the end")
time.advance(by: .seconds(1))
passing.send(completion: .finished)
current.send(3)
early.cancel()
print("current still holds", current.value)
