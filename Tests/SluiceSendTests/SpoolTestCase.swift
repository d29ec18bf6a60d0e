import Sluice
import SluiceLog
import SluiceReadings
import SluiceSystem
import TestDisk
import XCTest

@testable import SluiceRecording
@testable import SluiceSend

/// A sender with a spool on a disk in memory, in virtual time.
class SpoolTestCase: XCTestCase {
  static let stream = StreamDescription(name: "s", channels: [.init(name: "value")])
  static let identity = BoardIdentity(name: "board", machine: "abc", epoch: { "0123" })

  struct Run {
    var sender: Sender
    var end: ModelEnd
    var queues: VirtualQueues
    let heard = Locked(Heard())

    func listen() {
      let heard = heard
      sender.acknowledged = { counts in heard.withLock { $0.acknowledged += counts.reduce(0, +) } }
      sender.lost = { lost in
        heard.withLock { heard in
          if lost.isDropped {
            heard.dropped += lost.counts.reduce(0, +)
          } else {
            heard.lost += lost.counts.reduce(0, +)
          }
        }
      }
      sender.happened = { event in
        if case .spoolFault(let error) = event { heard.withLock { $0.faults.append("\(error)") } }
      }
    }
  }

  struct Heard {
    var (acknowledged, lost, dropped) = (0, 0, 0)
    var faults: [String] = []
  }

  func settings(_ full: ServerSettings.WhenFull = .block, size: Int = 1 << 30) -> ServerSettings {
    var settings = ServerSettings()
    (settings.spool, settings.whenFull, settings.spoolSize) = ("spool", full, size)
    return settings
  }

  func open(
    _ disk: ModelDisk, _ settings: ServerSettings, window: Int, after end: ModelEnd?
  ) throws -> (run: Run, path: String) {
    let queues = VirtualQueues()
    let folder = try SpoolFolder(
      of: "model://end", in: "spool", settings, [Self.stream], raw: false, decimals: nil, Self.identity,
      Disk(files: disk, sync: .every(.milliseconds(50))))
    let end = ModelEnd(window: window, most: 37, queues.queue, after: end)
    let times = SpoolTimes(folder.log, [Self.stream], Disk(files: disk, sync: .every(.milliseconds(50))))
    let spool = DiskSpool(folder.log, limit: Int64(settings.spoolSize), times: times)
    let sender = Sender(
      to: "model://end", settings, spool, end, queues.queue,
      sync: .every(.milliseconds(50)), refusals: nil, patience: (2_000_000_000, 5_000_000_000), seed: 5,
      equalTimes: EqualTimes(after: times.earlier([Self.stream]), run: folder.description.run ?? 0))
    let run = Run(sender: sender, end: end, queues: queues)
    run.listen()
    return (run, folder.path)
  }

  func readings(_ numbers: Range<Int64>, from time: Int64) -> [Reading] {
    numbers.map { Reading(time: time + $0 / 3, stream: StreamID(0), values: Values($0)) }
  }

  /// The path of the first segment.
  func segment(_ disk: ModelDisk) -> String { disk.paths.first { $0.hasSuffix(".log") } ?? "" }
}
