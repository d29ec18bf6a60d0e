import Foundation
import SluiceFoundation
import SluiceTesting
import XCTest

final class CodersTests: XCTestCase {
  private struct Sample: Codable, Equatable {
    var channel: String
    var value: Int
  }

  private let samples = [Sample(channel: "x", value: 1), Sample(channel: "y", value: -2)]

  private func roundTrip<E: TopLevelEncoder, D: TopLevelDecoder>(_ encoder: E, _ decoder: D) where E.Output == D.Input {
    let subscriber = TestSubscriber<Sample, any Error>()
    samples.publisher.encode(encoder: encoder).decode(type: Sample.self, decoder: decoder).subscribe(subscriber)
    XCTAssertEqual(subscriber.values, samples)
    XCTAssertTrue(subscriber.isFinished)
  }

  func testThereAndBack() {
    roundTrip(JSONEncoder(), JSONDecoder())
    roundTrip(PropertyListEncoder(), PropertyListDecoder())
  }

  func testWhatCannotBeDecodedIsAFailure() {
    let subscriber = TestSubscriber<Sample, any Error>()
    Just(Data("{".utf8)).decode(type: Sample.self, decoder: JSONDecoder()).subscribe(subscriber)
    XCTAssertTrue(subscriber.failure is DecodingError)
  }
}
