#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import SluiceFoundation
  import SluiceTesting
  import XCTest

  @testable import Sluice

  final class URLSessionTests: XCTestCase {
    private typealias Answers = TestSubscriber<URLSession.DataTaskPublisher.Output, URLError>

    private let session = URLSession.echo

    override func setUp() { Echo.log.withLock { $0 = [] } }

    private func url(_ path: String) throws -> URL { try XCTUnwrap(URL(string: "echo://host/\(path)")) }

    func testAnAnswer() throws {
      let done = expectation(description: "finished")
      let subscriber = Answers(initial: .max(1), ended: { _ in done.fulfill() })
      session.dataTaskPublisher(for: try url("hello")).subscribe(subscriber)
      wait(for: [done], timeout: 60)
      XCTAssertEqual(subscriber.values.map { String(decoding: $0.data, as: UTF8.self) }, ["/hello"])
      XCTAssertEqual(subscriber.values.map { $0.response.url }, [try url("hello")])
      XCTAssertTrue(subscriber.isFinished)
      XCTAssertEqual(subscriber.violations, [])
    }

    func testAFailure() throws {
      let done = expectation(description: "failed")
      let subscriber = Answers(ended: { _ in done.fulfill() })
      session.dataTaskPublisher(for: URLRequest(url: try url("fail"))).subscribe(subscriber)
      wait(for: [done], timeout: 60)
      XCTAssertEqual(subscriber.failure?.code, .badServerResponse)
      XCTAssertEqual(subscriber.values.count, 0)
    }

    func testStartsWithTheFirstDemandAndForEachSubscriber() throws {
      let publisher = session.dataTaskPublisher(for: try url("again"))
      let done = expectation(description: "finished")
      done.expectedFulfillmentCount = 2
      let subscribers = (0..<2).map { _ in Answers(initial: .none, ended: { _ in done.fulfill() }) }
      for subscriber in subscribers { publisher.subscribe(subscriber) }
      XCTAssertEqual(Echo.log.withLock { $0 }, [])
      for subscriber in subscribers {
        subscriber.request(.max(2))
        subscriber.request(.max(1))
      }
      wait(for: [done], timeout: 60)
      XCTAssertEqual(Echo.log.withLock { $0 }, ["start /again", "start /again"])
      XCTAssertEqual(subscribers.map(\.values.count), [1, 1])
    }

    func testCancellingEndsTheTask() throws {
      let stopped = expectation(description: "stopped")
      Echo.stopped.withLock { $0 = { stopped.fulfill() } }
      defer { Echo.stopped.withLock { $0 = nil } }
      let started = expectation(description: "started")
      Echo.hanging.withLock { $0 = { started.fulfill() } }
      defer { Echo.hanging.withLock { $0 = nil } }
      let subscriber = Answers(ended: { _ in XCTFail("ended") })
      session.dataTaskPublisher(for: try url("hang")).subscribe(subscriber)
      wait(for: [started], timeout: 60)
      subscriber.cancel()
      wait(for: [stopped], timeout: 60)
      XCTAssertEqual(subscriber.values.count, 0)
      XCTAssertNil(subscriber.completion)
    }

    func testDecodes() throws {
      let done = expectation(description: "finished")
      let subscriber = TestSubscriber<[Int], any Error>(ended: { _ in done.fulfill() })
      let json = try XCTUnwrap(URL(string: "data:application/json,%5B1,2%5D"))
      URLSession.shared.dataTaskPublisher(for: json).map(\.data).decode(type: [Int].self, decoder: JSONDecoder())
        .subscribe(subscriber)
      wait(for: [done], timeout: 60)
      XCTAssertEqual(subscriber.values, [[1, 2]])
    }
  }

  extension URLSession {
    /// Sends nothing over a network.
    static let echo: URLSession = {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.protocolClasses = [Echo.self]
      return URLSession(configuration: configuration)
    }()
  }

  /// Answers requests in this process: with their path, with an error, or not at all.
  private final class Echo: URLProtocol {
    static let log = Locked([String]())
    static let hanging = Locked((() -> Void)?.none)
    static let stopped = Locked((() -> Void)?.none)

    override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "echo" }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
      guard let url = request.url else { return }
      Self.log.withLock { $0.append("start \(url.path)") }
      switch url.path {
      case "/hang":
        Self.hanging.withLock { $0 }?()
      case "/fail":
        client?.urlProtocol(self, didFailWithError: URLError(.badServerResponse))
      case let path:
        let data = Data(path.utf8)
        let response = URLResponse(
          url: url, mimeType: nil, expectedContentLength: data.count, textEncodingName: nil)
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: data)
        client?.urlProtocolDidFinishLoading(self)
      }
    }

    override func stopLoading() {
      if request.url?.path == "/hang" { Self.stopped.withLock { $0 }?() }
    }
  }
#endif
