// A subscriber that waits before it asks.
//
// Look at the counts: nothing comes before the request, three values after it, and then neither a fourth nor the end:
// the timer goes on for as long as somebody might ask again.
import Dispatch
import Sluice
import SluiceDispatch
import SluiceExtras

let queue = DispatchQueue(label: "demand")
let done = DispatchSemaphore(value: 0)
var values = 0
var ended = false
var held: (any Subscription)?

func after(_ interval: DispatchQueue.SchedulerTimeType.Stride, _ action: @escaping () -> Void) {
  queue.schedule(after: queue.now.advanced(by: interval), action)
}

Publishers.timer(queue: queue, interval: .milliseconds(10)).subscribe(
  AnySubscriber(
    receiveSubscription: { subscription in
      print("subscribed, asked for nothing")
      held = subscription
      after(.milliseconds(100)) {
        print("after 100 ms: \(values) values; asking for 3")
        subscription.request(.max(3))
      }
    },
    receiveValue: { _ in
      values += 1
      print("value \(values)")
      if values == 3 {
        after(.milliseconds(100)) {
          print("100 ms later: \(values) values, ended: \(ended)")
          done.signal()
        }
      }
      return .none
    },
    receiveCompletion: { _ in ended = true }))
done.wait()
held?.cancel()
