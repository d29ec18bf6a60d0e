import Dispatch
import SluiceSystem

/// Gives back what a recording does not need any more: three seconds after its start and then every 5 seconds, the
/// instructions that ran once, and what buffers have freed. It runs for years on boards with little memory.
final class MemoryUpkeep {
  private let timer: any DispatchSourceTimer

  init() {
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "sluice.memory"))
    // By then the first rows were written and the first status was shown.
    timer.schedule(deadline: .now() + .seconds(3), repeating: .seconds(5), leeway: .seconds(1))
    timer.setEventHandler {
      releaseProgram()
      trimHeap()
    }
    timer.activate()
    self.timer = timer
  }

  func end() { timer.cancel() }
}
