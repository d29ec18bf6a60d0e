import Dispatch
import SluiceSystem

/// Gives back what a recording does not need any more: what its start needed, after three seconds, and then once per
/// minute what buffers have freed. It runs for years on boards with little memory.
final class MemoryUpkeep {
  private let timer: any DispatchSourceTimer

  init() {
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "sluice.memory"))
    // By then the first rows were written and the first status was shown.
    timer.schedule(deadline: .now() + .seconds(3), repeating: .seconds(60), leeway: .seconds(1))
    nonisolated(unsafe) var isFirst = true
    timer.setEventHandler {
      // Once: under pressure the kernel may have taken the pages away, and a reader of a sensor should not wait for a disk.
      if isFirst { releaseProgram() }
      isFirst = false
      trimHeap()
    }
    timer.activate()
    self.timer = timer
  }

  func end() { timer.cancel() }
}
