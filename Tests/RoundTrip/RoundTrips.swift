import Foundation
import Sluice
import Synchronization

/// The property that the commands can read what another one has written. It is tested with random pipelines, each from a
/// seed.
///
/// If `record`, `replay` or `convert` has written a file with exit status 0, the file passes `verify`, and `replay` gives
/// the readings that the format and its options keep (``kept(_:in:)``).
struct RoundTrips {
  let folder: WorkFolder
  let lineProtocol: LineProtocol?
  var willRun: (Command) -> Void = { _ in }
  private(set) var total = RandomPipeline.Statistics()
  private(set) var refused: [String: Int] = [:]
  private(set) var pipelines = 0

  /// A pipeline that does what it should not do.
  struct Failure {
    var seed: UInt64
    var lines: [String]
    var text: String
  }

  /// - Parameter script: The path of line_protocol.py; nil if nothing is to read line protocol.
  init(folder: WorkFolder, script: String?) throws {
    self.folder = folder
    lineProtocol = try script.map { try LineProtocol(script: $0) }
  }

  /// Empties the folder, and runs the pipeline of a seed in it.
  mutating func run(seed: UInt64) throws -> Failure? {
    try folder.empty()
    var pipeline = RandomPipeline(seed: seed, lineProtocol)
    pipeline.willRun = willRun
    var failure: Failure?
    do {
      try pipeline.run()
    } catch {
      let text = (error as? Fault)?.text ?? "\(error)"
      failure = Failure(seed: seed, lines: pipeline.lines, text: text)
    }
    pipelines += 1
    total.add(pipeline.statistics)
    for refusal in pipeline.refusals { refused[Self.kind(refusal), default: 0] += 1 }
    return failure
  }

  /// A refusal without the names in it.
  private static func kind(_ refusal: String) -> String {
    let cause = refusal.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? refusal
    return String(cause.split(separator: ";")[0].prefix(60))
  }
}

extension RandomPipeline.Statistics {
  mutating func add(_ more: Self) {
    commands += more.commands
    outputs.merge(more.outputs, uniquingKeysWith: +)
    stages.merge(more.stages, uniquingKeysWith: +)
    endings.merge(more.endings, uniquingKeysWith: +)
  }

  static func text(_ counts: [String: Int]) -> String {
    counts.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}
