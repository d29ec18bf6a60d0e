import SluiceReadings
import XCTest

@testable import SluicePipeline
@testable import SluiceRecording

/// Formats and kinds of output that a program adds.
final class RecordingFormatsTests: XCTestCase {
  private struct BagFormat: EncodedFormat {
    static let name = "bag"
    static let extensions = ["bag"]
    init(_ options: FormatOptions) {}
    func encoder(_ streams: EncoderStreams) -> JSONLinesEncoder { JSONLinesEncoder(streams) }
  }

  private struct ScreenOutput: OutputKind {
    let address: String
    init?(_ address: String) {
      guard address.hasPrefix("screen://") else { return nil }
      self.address = address
    }
    func claim(
      _ output: RecordingOutput, number: Int, for streams: [StreamDescription], _ claims: inout OutputClaims
    ) throws(SluiceError) -> [ClaimedStore] { [] }
  }

  private func error(_ plan: OutputPlan) -> String {
    do throws(SluiceError) {
      _ = try RecordingOutput(plan, for: [])
      return "none"
    } catch {
      return "\(error)"
    }
  }

  /// Its ending is one that is refused otherwise.
  func testAFormatIsFoundByItsNameAndItsEnding() throws {
    XCTAssertTrue(error(OutputPlan("a.bag")).contains("sluice does not write this format"))
    try RecordingFormats.add(BagFormat.self)
    defer { RecordingFormats.remove(BagFormat.self) }
    XCTAssertEqual(error(OutputPlan("a.bag")), "none")
    XCTAssertTrue(try RecordingOutput(OutputPlan("a.bag"), for: []).format is BagFormat)
    XCTAssertTrue(try RecordingOutput(OutputPlan("a.csv", format: "bag"), for: []).format is BagFormat)
  }

  func testEndingsThatCannotBeFound() {
    struct None: EncodedFormat {
      static let name = "none"
      static let extensions: [String] = []
      init(_ options: FormatOptions) {}
      func encoder(_ streams: EncoderStreams) -> JSONLinesEncoder { JSONLinesEncoder(streams) }
    }
    struct Large: EncodedFormat {
      static let name = "large"
      static let extensions = ["LRG"]
      init(_ options: FormatOptions) {}
      func encoder(_ streams: EncoderStreams) -> JSONLinesEncoder { JSONLinesEncoder(streams) }
    }
    for format in [None.self, Large.self] as [any RecordingFormat.Type] {
      XCTAssertThrowsError(try RecordingFormats.add(format)) {
        XCTAssertTrue("\($0)".contains("it needs an ending of file names"), "\($0)")
      }
    }
    XCTAssertFalse(RecordingFormats.names.contains("none"))
  }

  /// An address is no path: its end is neither a format nor a compression.
  func testAnAddressHasNoEnding() {
    OutputKinds.add(ScreenOutput.self)
    OutputKinds.add(ScreenOutput.self)
    defer { OutputKinds.remove(ScreenOutput.self) }
    for address in ["screen://a.vcd", "screen://a.csv.gz", "screen://a.db", "screen://a.parquet"] {
      XCTAssertEqual(error(OutputPlan(address, existing: .append)), "none", address)
      XCTAssertNil(RecordingFormats.compression(of: address), address)
      XCTAssertTrue(RecordingFormats.type(of: address, nil) == CSVFormat.self, address)
    }
    var plan = OutputPlan("screen://a")
    plan.rotation = Rotation(period: .seconds(60))
    XCTAssertEqual(error(plan), "cannot cut screen://a into parts: it is no file; leave out --rotate for it")
    XCTAssertTrue(OutputKinds.kind(of: "screen://a") is ScreenOutput)
    OutputKinds.remove(ScreenOutput.self)
    XCTAssertTrue(OutputKinds.kind(of: "screen://a") is FileOutput)
  }
}
