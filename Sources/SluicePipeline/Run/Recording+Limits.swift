import Dispatch
import Sluice
import SluiceDispatch
import SluiceReadings

// What ends a recording by itself.

extension Recording {
  func watch(_ space: FreeSpace) {
    let watch = watchSpace(space)
    state.withLock { $0.timers.append(watch) }
  }

  /// Stops the recording when a disk is nearly full. It has its own queue, so that a file system that does not answer
  /// delays no other limit.
  private func watchSpace(_ space: FreeSpace) -> any Cancellable {
    let queue = DispatchQueue(label: "sluice.recording.space")
    let step = DispatchQueue.SchedulerTimeType.Stride(nanoseconds: 1_000_000_000)
    var isStopped = false
    return queue.schedule(after: queue.now.advanced(by: step), interval: step) { [weak pipeline] in
      guard let pipeline, !isStopped, let path = space.shortage else { return }
      isStopped = true
      pipeline.report(space.error(path))
      pipeline.stop()
    }
  }

  /// Stops the recording if no reading has come for this time.
  func watchIdleness(_ timeout: TimeSpan) -> any Cancellable {
    var last = (count: -1, time: DispatchTime.now())
    let step = DispatchQueue.SchedulerTimeType.Stride(nanoseconds: max(timeout.nanoseconds / 10, 1_000_000))
    return queue.schedule(after: queue.now.advanced(by: step), interval: step) { [weak pipeline] in
      guard let pipeline else { return }
      let count = pipeline.received
      // During a pause no reading is expected.
      if count != last.count || pipeline.isPaused { last = (count, .now()) }
      let silence = DispatchTime.now().uptimeNanoseconds - last.time.uptimeNanoseconds
      if silence >= UInt64(timeout.nanoseconds) { pipeline.stop() }
    }
  }
}
