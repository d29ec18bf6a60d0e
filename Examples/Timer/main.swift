// A DispatchSource timer as a publisher of times.
//
// Look at the second part: a timer emits only while somebody wants values. The ticks meanwhile are missed, and counted:
// nothing piles up.
import Dispatch
import Sluice
import SluiceDispatch
import SluiceExtras

print("-- six times, then the end")
let finished = DispatchSemaphore(value: 0)
var count = 0
var last = DispatchTime(uptimeNanoseconds: 0)
let six = Publishers.timer(interval: .milliseconds(20), times: .max(6)).sink(
  receiveCompletion: {
    print($0)
    finished.signal()
  },
  receiveValue: { time in
    count += 1
    print("tick \(count), later than the one before: \(time > last)")
    last = time
  })
finished.wait()

print("-- two, asked for with the subscription, and one more after a rest of six periods")
let queue = DispatchQueue(label: "ticks")
let done = DispatchSemaphore(value: 0)
var held: (any Subscription)?
var ticks: [Publishers.Tick] = []
Publishers.timer(queue: queue, interval: .milliseconds(10)).ticks.subscribe(
  AnySubscriber(
    receiveSubscription: {
      held = $0
      $0.request(.max(2))
    },
    receiveValue: {
      ticks.append($0)
      if ticks.count == 2 {
        queue.schedule(after: queue.now.advanced(by: .milliseconds(60))) {
          print("\(ticks.count) so far")
          held?.request(.max(1))
        }
      }
      if ticks.count == 3 { done.signal() }
      return .none
    }))
done.wait()
held?.cancel()
print("\(ticks.count) in all; periods missed before the last one: \(ticks[2].missed > 0 ? "some" : "none")")
