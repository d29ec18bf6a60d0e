import Dispatch
import Foundation
import Sluice
import XCTest

@testable import SluiceTool

/// Signals that this process sends to itself. There can be one test only: Dispatch does not hear a signal again after its
/// default action was set.
final class SignalsTests: XCTestCase {
  private let requests = Locked<[SignalRequest]>([])
  private let heard = DispatchSemaphore(value: 0)

  private func send(_ signal: Int32) {
    kill(getpid(), signal)
    XCTAssertEqual(heard.wait(timeout: .now() + 60), .success)
  }

  private func isDefault(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 0
  }

  override func tearDown() { for number in [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2] { signal(number, SIG_DFL) } }

  /// A terminal that closes sends SIGHUP twice, and timeout(1) SIGTERM: that is no second time, and no third.
  func testTheSecondStopsAtOnceAndTheThirdHasItsDefaultAction() {
    let signals = Signals(queue: DispatchQueue(label: "signals"), stops: 2, echo: .seconds(600)) {
      [requests, heard] request in
      requests.withLock { $0.append(request) }
      heard.signal()
    }
    defer { signals.cancel() }
    for signal in [SIGHUP, SIGTERM] { send(signal) }
    kill(getpid(), SIGTERM)  // the same stop once more, as timeout(1) sends it
    for signal in [SIGHUP, SIGUSR1] { send(signal) }
    XCTAssertFalse(isDefault(SIGTERM))
    send(SIGINT)
    XCTAssertTrue(isDefault(SIGTERM))
    XCTAssertTrue(isDefault(SIGINT))
    XCTAssertFalse(isDefault(SIGHUP))
    send(SIGHUP)
    XCTAssertEqual(requests.withLock { $0 }, [.stop, .stop, .stop, .pause, .stopAtOnce, .stop])
  }
}
