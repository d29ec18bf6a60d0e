import Foundation
import Sluice
import SluiceReadings
import XCTest

@testable import SluiceRecording

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
