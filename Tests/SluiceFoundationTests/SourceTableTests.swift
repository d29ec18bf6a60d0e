import Dispatch
import Foundation
import PublisherRules
import SluiceFoundation
import SluiceTesting
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The publishers of Foundation's objects.
final class SourceTableTests: XCTestCase {
  func testEverySource() {
    for rule in SourceRule.allCases { XCTAssertEqual(rule.faults(of: rows), []) }
  }

  private var rows: [SourceRow] {
    var rows = [
      SourceRow("NotificationCenter", "0 1 2") { count in
        let (center, object) = (NotificationCenter(), NSObject())
        let name = Notification.Name("token")
        return .init(
          center.publisher(for: name, object: object).map { $0.userInfo?["token"] as? Token ?? Token(-2) },
          keeping: [center, object]
        ) {
          for number in 0..<count { center.post(name: name, object: object, userInfo: ["token": Token(number)]) }
        }
      },
      SourceRow("TimerPublisher", "0 1 2", [.endless], .runLoop, many: 100) { _ in
        let timer = Timer.publish(every: 0.002, on: .main, in: .default)
        let connection = Locked<AnyCancellable?>(nil)
        return .init(
          Self.numbered(timer), keeping: [timer],
          drive: { connection.withLock { if $0 == nil { $0 = AnyCancellable(timer.connect()) } } },
          settle: Self.someTicks)
      },
      SourceRow("TimerPublisher", "0 1 2", [.endless], .runLoop, many: 100) { _ in
        let timer = Timer.publish(every: 0.002, on: .main, in: .default)
        return .init(Self.numbered(timer.autoconnect()), keeping: [timer], settle: Self.someTicks)
      },
    ]
    #if canImport(FoundationNetworking)
      func task(_ path: String, _ output: String, _ traits: Set<SourceRow.Trait> = []) -> SourceRow {
        SourceRow("DataTaskPublisher", output, traits, .elsewhere, many: 50) { _ in
          func publisher(_ path: String) -> URLSession.DataTaskPublisher {
            URLSession.echo.dataTaskPublisher(for: URL(string: "echo://host/\(path)")!)
          }
          return .init(
            publisher(path).map { _ in Token(0) },
            // Delivered on the same queue, which is serial.
            settle: { try? publisher("after").record().finished(within: .seconds(60)) })
        }
      }
      // FoundationNetworking crashes if a task is cancelled at the moment it finishes.
      rows += [
        task("hello", "0 finished", [.mustNotBeCancelledWhileItSends]),
        task("fail", "failed", [.mustNotBeCancelledWhileItSends]), task("hang", ""),
      ]
    #endif
    return rows
  }

  private static func numbered(_ ticks: some Publisher<Date, Never>) -> AnyPublisher<Token, Never> {
    ticks.scan(-1) { number, _ in number + 1 }.map { Token($0) }.eraseToAnyPublisher()
  }

  /// Waits for two ticks of another timer on the run loop.
  private static func someTicks() {
    let left = Locked(2)
    let cancellable = Timer.publish(every: 0.002, on: .main, in: .default).autoconnect().sink { _ in
      left.withLock { $0 -= 1 }
    }
    let deadline = ContinuousClock.now + .seconds(60)
    while left.withLock({ $0 }) > 0, .now < deadline { _ = RunLoop.main.run(mode: .default, before: Date() + 0.01) }
    cancellable.cancel()
  }
}
