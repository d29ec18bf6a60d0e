import Foundation
import Sluice
import SluiceReadings
import XCTest

@testable import SluiceRecording

/// A folder for one test.
final class TemporaryFolder {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String, _ text: String? = nil) -> String {
    let file = "\(path)/\(name)"
    if let text { try? text.write(toFile: file, atomically: false, encoding: .utf8) }
    return file
  }

  func text(_ name: String) -> String? { try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }
  var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? [] }
}

/// Recordings of real sensors, beside the checkout.
func trace(_ name: String) throws -> String {
  let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  let path = checkout.deletingLastPathComponent().appendingPathComponent("shared/traces/\(name)").path
  try XCTSkipUnless(FileManager.default.fileExists(atPath: path), "no \(name) beside the checkout")
  return path
}

func reading(_ time: Int64, _ stream: UInt16 = 0, _ values: Values) -> Reading {
  Reading(time: time, stream: StreamID(stream), values: values)
}

func error(of body: () throws -> Void) -> SluiceError? {
  do {
    try body()
    return nil
  } catch {
    return error as? SluiceError
  }
}

/// Keeps the runs that it is given as they are.
final class RunSubscriber: Subscriber {
  typealias Input = Reading
  typealias Failure = SluiceError

  var runs: [ArraySlice<Reading>] = []
  var completion: Subscribers.Completion<SluiceError>?
  var readings: [Reading] { runs.flatMap { $0 } }
  var failure: SluiceError? { if case .failure(let error)? = completion { error } else { nil } }

  var _takesRuns: Bool { true }
  func receive(subscription: any Subscription) { subscription.request(.unlimited) }
  func receive(_ input: Reading) -> Subscribers.Demand {
    runs.append([input])
    return .none
  }
  func _receive(run: ArraySlice<Reading>) -> Operators.Taken {
    runs.append(run)
    return Operators.Taken(count: run.count, demand: .none, isOver: false)
  }
  func receive(completion: Subscribers.Completion<SluiceError>) { self.completion = completion }
}

extension RecordingEncoder {
  /// What it makes of readings, to the end of the last row.
  func text(_ readings: [Reading]) -> String {
    let rows = EncodedRows()
    readings.withUnsafeBufferPointer { XCTAssertEqual(encode($0, into: rows, until: .max), readings.count) }
    endRow(into: rows)
    return rows.text.withBytes { String(decoding: $0, as: UTF8.self) }
  }
}
