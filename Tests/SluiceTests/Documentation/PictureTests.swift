import Foundation
import SluiceExtras
import TestFiles
import XCTest

@testable import Sluice

/// An array or a tuple, as pictures show it.
private func group(_ values: [String]) -> String { "[\(values.joined())]" }

/// The pictures in the documentation of operators are what the operators do, in virtual time.
final class PictureTests: XCTestCase {
  /// What each line of an output is made by. Every one of these operators has its picture.
  private var operators: [String: Picture.Make] {
    [
      "debounce(for: 30 ms)": { $0[0].debounce(for: .milliseconds(30), scheduler: $1).eraseToAnyPublisher() },
      "throttle(for: 30 ms, latest: true)": {
        $0[0].throttle(for: .milliseconds(30), scheduler: $1, latest: true).eraseToAnyPublisher()
      },
      "throttle(for: 30 ms, latest: false)": {
        $0[0].throttle(for: .milliseconds(30), scheduler: $1, latest: false).eraseToAnyPublisher()
      },
      "delay(for: 20 ms)": { $0[0].delay(for: .milliseconds(20), scheduler: $1).eraseToAnyPublisher() },
      "timeout(30 ms)": { $0[0].timeout(.milliseconds(30), scheduler: $1).eraseToAnyPublisher() },
      "timeout(30 ms) { error }": {
        $0[0].timeout(.milliseconds(30), scheduler: $1) { Boom() }.eraseToAnyPublisher()
      },
      "collect(.byTime(50 ms))": {
        $0[0].collect(.byTime($1, .milliseconds(50))).map(group).eraseToAnyPublisher()
      },
      "collect(.byTimeOrCount(50 ms, 2))": {
        $0[0].collect(.byTimeOrCount($1, .milliseconds(50), 2)).map(group).eraseToAnyPublisher()
      },
      "zip(other)": { streams, _ in streams[0].zip(streams[1]) { group([$0, $1]) }.eraseToAnyPublisher() },
      "combineLatest(other)": { streams, _ in
        streams[0].combineLatest(streams[1]) { group([$0, $1]) }.eraseToAnyPublisher()
      },
      "merge(with: other)": { streams, _ in streams[0].merge(with: streams[1]).eraseToAnyPublisher() },
      "flatMap(its stream)": { streams, _ in
        streams[0].flatMap { streams[$0 == "a" ? 1 : 2] }.eraseToAnyPublisher()
      },
      "map(its stream).switchToLatest()": { streams, _ in
        streams[0].map { streams[$0 == "a" ? 1 : 2] }.switchToLatest().eraseToAnyPublisher()
      },
      "buffer(size: 2, .byRequest, .dropNewest)": { streams, _ in
        streams[0].buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher()
      },
      "buffer(size: 2, .byRequest, .dropOldest)": { streams, _ in
        streams[0].buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
      },
      "removeDuplicates()": { streams, _ in streams[0].removeDuplicates().eraseToAnyPublisher() },
      "scan(0, +)": { streams, _ in
        streams[0].compactMap { Int($0) }.scan(0, +).map { "\($0)" }.eraseToAnyPublisher()
      },
      "prefix(untilOutputFrom: other)": { streams, _ in
        streams[0].prefix(untilOutputFrom: streams[1]).eraseToAnyPublisher()
      },
      "drop(untilOutputFrom: other)": { streams, _ in
        streams[0].drop(untilOutputFrom: streams[1]).eraseToAnyPublisher()
      },
      "withLatestFrom(other)": { streams, _ in streams[0].withLatestFrom(streams[1]).eraseToAnyPublisher() },
      "withLatestFrom(other) { both }": { streams, _ in
        streams[0].withLatestFrom(streams[1]) { group([$0, $1]) }.eraseToAnyPublisher()
      },
      "[a, b, c].zipAll()": { streams, _ in streams.zipAll().map(group).eraseToAnyPublisher() },
      "[a, b, c].combineLatestAll()": { streams, _ in
        streams.combineLatestAll().map(group).eraseToAnyPublisher()
      },
      "pair()": { streams, _ in streams[0].pair().map(group).eraseToAnyPublisher() },
    ]
  }

  func testEveryPictureIsTrue() throws {
    let operators = operators
    var drawn: [String] = []
    for folder in ["Sluice/Operators", "SluiceExtras/Operators"] {
      for picture in try Picture.all(in: Checkout.file("Sources/\(folder)")) {
        XCTAssertFalse(picture.outputs.isEmpty, "\(picture.method) shows no output")
        for output in picture.outputs {
          drawn.append(output.label)
          XCTAssertTrue(output.label.contains(picture.method + "("), "\(picture.method) shows \(output.label)")
          guard let make = operators[output.label] else {
            XCTFail("\(picture.method) shows what no test knows: \(output.label)")
            continue
          }
          let events = picture.run(make)
          XCTAssertEqual(
            output.events, events,
            "in the documentation of \(picture.method), this is what happens:\n\(output.label)  \(Picture.line(events))"
          )
        }
      }
    }
    XCTAssertEqual(operators.keys.filter { !drawn.contains($0) }.sorted(), [], "without a picture")
    XCTAssertEqual(Set(drawn).count, drawn.count, "drawn twice: \(drawn.sorted())")
  }

  /// The article that explains the notation shows one of the pictures.
  func testTheArticleShowsOneOfThem() throws {
    func text(_ path: String) throws -> String {
      try Checkout.text("Sources/Sluice/\(path)")
    }
    let shown = try text("Sluice.docc/Sluice.md").components(separatedBy: "```text\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    XCTAssertEqual(shown.count, 1)
    let source = try text("Operators/Debounce.swift").replacingOccurrences(of: "  /// ", with: "")
    for picture in shown { XCTAssertTrue(source.contains(picture), picture) }
  }

  /// What stands only in docs/Operators.md: whole pipelines, and a subscriber.
  private var pipelines: [String: Picture.Make] {
    [
      "buffer(size: 2, .keepFull)": { streams, _ in
        streams[0].buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).eraseToAnyPublisher()
      },
      "collect(2)": { streams, _ in streams[0].collect(2).map(group).eraseToAnyPublisher() },
      "share()": { streams, _ in streams[0].share().eraseToAnyPublisher() },
      "throttle(for: 30 ms).buffer(size: 3)": {
        $0[0].throttle(for: .milliseconds(30), scheduler: $1, latest: true)
          .buffer(size: 3, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
      },
      "buffer(size: 3).throttle(for: 30 ms)": {
        $0[0].buffer(size: 3, prefetch: .byRequest, whenFull: .dropOldest)
          .throttle(for: .milliseconds(30), scheduler: $1, latest: true).eraseToAnyPublisher()
      },
      "pausableSink(pauses after 2)": { streams, _ in Self.pausing(streams[0], after: "2", until: streams[1]) },
      "buffer(size: 9).pausableSink(pauses after 2)": { streams, _ in
        let kept = streams[0].buffer(size: 9, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
        return Self.pausing(kept, after: "2", until: streams[1])
      },
    ]
  }

  /// The values that a pausable sink takes.
  private static func pausing(
    _ stream: AnyPublisher<String, Boom>, after last: String, until resume: AnyPublisher<String, Boom>
  ) -> AnyPublisher<String, Boom> {
    Deferred {
      let taken = PassthroughSubject<String, Boom>()
      var parts: [any Cancellable] = []
      return taken.handleEvents(
        receiveCancel: { parts.forEach { $0.cancel() } },
        receiveRequest: { _ in
          let sink = stream.pausableSink(
            receiveCompletion: { taken.send(completion: $0) },
            receiveValue: { value in
              taken.send(value)
              return value != last
            })
          parts = [sink, resume.sink(receiveCompletion: { _ in }, receiveValue: { _ in sink.resume() })]
        })
    }.eraseToAnyPublisher()
  }

  /// The page about the choice of an operator shows also what the operator asks for.
  func testThePicturesOfDemandAreTrue() throws {
    let known = operators.merging(pipelines) { operators, _ in operators }
    let page = Checkout.file("docs/Operators.md")
    let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```text\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0].split(separator: "\n").map(String.init) }
    var drawn: [String] = []
    for block in blocks {
      let picture = try Picture(block, method: block.last ?? "")
      let output = try XCTUnwrap(picture.outputs.first, "\(block)")
      XCTAssertEqual(picture.outputs.count, 1, "\(block)")
      drawn.append(output.label)
      guard let make = known[output.label] else {
        XCTFail("a picture shows what no test knows: \(output.label)")
        continue
      }
      let (events, asked) = picture.runWithDemand(make)
      XCTAssertEqual(output.events, events, "this happens:\n\(output.label)  \(Picture.line(events))")
      let shown = try XCTUnwrap(picture.asked, "\(block)")
      XCTAssertEqual(shown.events, asked, "\(output.label) asks for:\n\(Picture.line(asked))")
    }
    XCTAssertEqual(pipelines.keys.filter { !drawn.contains($0) }.sorted(), [], "without a picture")
    XCTAssertGreaterThan(drawn.count, 8)
  }

  func testAPictureIsReadAsItIsWritten() throws {
    let picture = try Picture(
      ["upstream  -1--[ab]-(2[cd]|)", "later         -3x", "pair()    -"], method: "pair")
    func events(_ line: Picture.Line) -> [String] { line.events.map(\.description) }
    XCTAssertEqual(picture.inputs.map(\.label), ["upstream", "later"])
    XCTAssertEqual(events(picture.inputs[0]), ["1 1", "4 [ab]", "9 2", "9 [cd]", "9 |"])
    XCTAssertEqual(events(picture.inputs[1]), ["5 3", "6 x"])
    XCTAssertEqual(Picture.line(picture.inputs[0].events), "-1--[ab]-(2[cd]|)")
    XCTAssertEqual(picture.width, 17)
    for lines in [["upstream -1"], ["a  -1", "pair()  -1"], ["a  (-1)", "b  1"], ["pair()  1", "a       1"]] {
      XCTAssertThrowsError(try Picture(lines, method: "pair"), "\(lines)")
    }
  }
}
