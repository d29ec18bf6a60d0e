import Foundation
import Sluice
import SluiceReadings
import XCTest

@testable import SluiceRecording

/// Reads dumps from texts.
class VCDTestCase: XCTestCase {
  let warnings = Locked<[String]>([])
  var said: [String] { warnings.withLock { $0 } }

  func trace(_ text: String, metadata: String? = nil) throws -> TraceReader {
    let warnings = warnings
    return try TraceReader(Array(text.utf8), name: "dump.vcd", metadata: metadata.map { Array($0.utf8) }) { sentence in
      warnings.withLock { $0.append(sentence) }
    }
  }

  /// A line per reading: `time stream values flags`.
  func lines(_ trace: TraceReader, batch: Int = 7) throws -> [String] {
    var lines: [String] = []
    var readings = Array(repeating: Reading.empty, count: batch)
    while case let count = try trace.next(into: &readings), count > 0 {
      for reading in readings[..<count] {
        let values = reading.values.map { $0.isMissing ? "-" : $0.description }.joined(separator: " ")
        let stream = trace.streams[Int(reading.stream.index)].name
        lines.append("\(reading.time) \(stream) \(values)\(reading.flags.contains(.initialLevel) ? " initial" : "")")
      }
    }
    return lines
  }

  func lines(_ text: String, metadata: String? = nil) throws -> [String] {
    try lines(try trace(text, metadata: metadata))
  }

  /// Reads what is good, and says what is wrong behind it.
  func failure(_ text: String) -> (lines: Int, cause: String?) {
    var count = 0
    do {
      let trace = try trace(text)
      while try trace.next() != nil { count += 1 }
      return (count, nil)
    } catch {
      return (count, (error as? SluiceError)?.cause)
    }
  }

  /// One wire `a` (`!`), a vector `v` (`"`) and a real `r` (`#`) in a scope.
  func dump(_ changes: String, timescale: String = "1 ns") -> String {
    """
    $timescale \(timescale) $end
    $scope module top $end
    $var wire 1 ! a $end
    $var reg 8 " v [7:0] $end
    $var real 64 # r $end
    $upscope $end
    $enddefinitions $end
    \(changes)
    """ + "\n"
  }

  let own = """
    $version sluice $end
    $timescale 1 ns $end
    $scope module rear_imu $end
    $var real 64 ! x $end
    $var real 64 " y $end
    $upscope $end
    $scope module button $end
    $var wire 1 # level $end
    $upscope $end
    $comment time_ns 1700000000000000000 is #0 $end
    $enddefinitions $end
    #0
    r1.50 !
    rnan "
    0#
    #1000
    r1.50 !
    r2 "
    r1.50 !
    r3 "
    1#
    1#
    #2000
    x#

    """

  func metadata(_ members: String, channels: String = #"{"sluice:name": "level", "sluice:format": "level"}"#)
    -> String
  {
    #"""
    {"sluice:format": "vcd", \#(members), "sluice:streams": [
      {"sluice:name": "rear imu", "sluice:channels": [
        {"sluice:name": "x", "sluice:unit": "g", "sluice:scale": 0.5}, {"sluice:name": "é y"}]},
      {"sluice:name": "button", "sluice:channels": [\#(channels)]}],
     "sluice:initial_level": [{"sluice:stream": "button", "sluice:count": 1, "sluice:times_ns": [1700000000000000000]}]}
    """#
  }
}
