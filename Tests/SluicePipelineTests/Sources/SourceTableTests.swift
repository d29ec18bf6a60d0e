import Dispatch
import PublisherRules
import Sluice
import SluiceExtras
import SluiceReadings
import SluiceRecording
import SluiceTesting
import XCTest

@testable import SluicePipeline

/// What a recording reads from, and what the pipeline puts in between.
final class SourceTableTests: XCTestCase {
  func testEverySource() {
    for rule in SourceRule.allCases { XCTAssertEqual(rule.faults(of: rows), []) }
  }

  private var rows: [SourceRow] {
    func ticks() {
      try? Publishers.timer(interval: .milliseconds(10), times: .max(2)).record().finished(within: .seconds(60))
    }
    /// Each subscriber is a recording of its own, as in the pipeline.
    func liveRow(_ name: String, _ make: @escaping () -> Source) -> SourceRow {
      SourceRow(name, "0 1 2", [.endless], .elsewhere, many: 200) { _ in
        .init(
          Deferred { make().publisher(StreamID(0), EpochClock()) }.scan(-1) { number, _ in number + 1 }
            .map { Token($0) },
          settle: ticks)
      }
    }
    func upstream(_ count: Int) -> AnyPublisher<Reading, SluiceError> {
      (0..<count).map { Reading(time: Int64($0), stream: StreamID(0), values: Values(Int64($0))) }.publisher
        .setFailureType(to: SluiceError.self).eraseToAnyPublisher()
    }
    func row<P: Publisher<Reading, any Error>>(
      _ name: String, _ output: String, _ make: @escaping (AnyPublisher<Reading, SluiceError>) -> P
    ) -> SourceRow {
      SourceRow(name, output) { .init(make(upstream($0)).map { Token(Int($0.values[0].significand)) }) }
    }
    return [
      liveRow("SimulatedSource") {
        Source(SimulatedSource("imu@1000")!.open(SourceSettings(), SourceContext())[0])
      },
      liveRow("TimerSource") { Source(TimerSource("500us")!.open(SourceSettings(), SourceContext())[0]) },
      SourceRow("MarkSource", "0 1 2", [.endless], .elsewhere, many: 5_000) { count in
        let events = RecordingEvents()
        var context = SourceContext()
        context.events = events
        let source = Source(MarkSource("number")!.open(SourceSettings(), context)[0])
        return .init(
          source.publisher(StreamID(0), EpochClock()).map { Token(Int($0.values[0].significand)) },
          drive: {
            for number in 0..<count { events.send(Mark(time: Int64(number), text: "mark"), number: number) }
          }, settle: ticks)
      },
      row("Intake", "0 1 2 finished") {
        $0.intake([StreamLedger()], quota: nil) { _ in }.setFailureType(to: (any Error).self)
      },
      row("Exchanged", "0 1 2 finished") { upstream in
        Deferred {
          StageExchange { readings, _ in readings }
            .publisher(upstream.catch { _ in Empty() }.eraseToAnyPublisher())
        }.setFailureType(to: (any Error).self)
      },
      row("Tapped", "0 1 2 finished") {
        $0.catch { _ in Empty() }.tapped(by: ReadingTap()).setFailureType(to: (any Error).self)
      },
      SourceRow("RecordingReadings", "0 1 2 finished", [], .elsewhere, many: 5_000) { count in
        let tap = ReadingTap()
        return .init(
          RecordingReadings(tap).holding(.max).map { Token(Int($0.values[0].significand)) },
          drive: {
            for number in 0..<count {
              tap.show([Reading(time: 0, stream: StreamID(0), values: Values(Int64(number)))])
            }
            tap.end()
          }, settle: ticks)
      },
      row("Until", "0 1 2 finished") { $0.until(StopFlag()).mapError { $0 as any Error } },
      row("Paced", "0 1 2 finished") {
        Publishers.Paced(upstream: $0, pace: Pace(rate: 1_000)).mapError { $0 as any Error }
      },
    ]
  }
}
