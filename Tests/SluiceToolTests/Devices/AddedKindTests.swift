import Sluice
import SluiceArguments
import SluiceDevices
import SluicePipeline
import SluiceReadings
import XCTest

@testable import SluiceTool

/// A kind of source as somebody else writes it.
private struct CounterKind: SourceKind {
  static let name = "counter"
  static let form = "NAME[,step=N]"
  static let example = "visitors,step=2"
  let counter: String
  let step: Int64

  init?(_ what: String) {
    let parts = what.split(separator: ",", omittingEmptySubsequences: false)
    guard let first = parts.first, !first.isEmpty, parts.count <= 2 else { return nil }
    counter = String(first)
    guard parts.count == 2 else {
      step = 1
      return
    }
    guard let number = Int64(parts[1].dropFirst("step=".count)) else { return nil }
    step = number
  }

  static let ownSettings = ["step"]

  static func found(_ roots: DeviceRoots) -> [FoundSource] {
    [FoundSource(what: "visitors", description: "at the door", files: ["\(roots.dev)/counter0"])]
  }

  func open(_ settings: SourceSettings, _ context: SourceContext) -> [any ReadingSource] { [Counter(kind: self)] }
}

/// A kind with a setting that plans have too.
private struct NamesakeKind: SourceKind {
  static let name = "namesake"
  static let form = "NAME"
  static let example = "a"
  static let ownSettings = ["step", "name"]

  init?(_ what: String) {}

  func open(_ settings: SourceSettings, _ context: SourceContext) -> [any ReadingSource] { [] }
}

private struct Counter: ReadingSource {
  let kind: CounterKind

  var streams: [StreamDescription] { [StreamDescription(name: kind.counter, channels: [.init(name: "count")])] }

  func readings(from first: StreamID, clock: EpochClock) -> AnyPublisher<Reading, SluiceError> {
    let begin = clock.now
    return (0..<3).publisher
      .map { Reading(time: begin + Int64($0), stream: first, values: Values(Int64($0) * kind.step)) }
      .setFailureType(to: SluiceError.self).eraseToAnyPublisher()
  }
}

final class AddedKindTests: DoctorTestCase {
  override class func setUp() {
    super.setUp()
    XCTAssertNoThrow(try SourceKinds.add(CounterKind.self))
  }

  override class func tearDown() {
    SourceKinds.remove(CounterKind.self)
    super.tearDown()
  }

  func testANameThatCannotBeAdded() {
    enum Fault: Error { case none }
    func refusal(_ kind: any SourceKind.Type) -> String {
      do {
        try SourceKinds.add(kind)
        return "none"
      } catch {
        return "\(error)"
      }
    }
    XCTAssertEqual(
      refusal(CounterKind.self),
      "cannot add the kind of source \"counter\": it was added before; give it another name")
    XCTAssertEqual(
      refusal(NamesakeKind.self),
      "cannot add the kind of source \"namesake\": a plan has something else under \"name\"; give this setting another name"
    )
    XCTAssertEqual(
      refusal(TimerSource.self),
      "cannot add the kind of source \"timer\": sluice has a kind of source of this name; give it another name")
  }

  func testItIsInPlansAndSources() throws {
    let source = try SourceSpec("door=counter:visitors,step=2")
    XCTAssertEqual(source.source as? CounterKind, CounterKind("visitors,step=2"))
    let plan = RecordingPlan(sources: [source], outputs: [OutputPlan("a.csv")])
    XCTAssertEqual(try RecordingPlan(json: Array(plan.text.utf8), name: "copy"), plan)
    XCTAssertThrowsError(try SourceSpec("counter:visitors,stepp=2")) { error in
      XCTAssertEqual(
        "\(error)",
        "cannot use a source: counter:visitors,stepp=2: counter has no setting stepp; did you mean step?")
    }
    XCTAssertThrowsError(try SourceSpec("counter:")) { error in
      XCTAssertEqual(
        "\(error)", "cannot use a source: counter:: counter takes NAME[,step=N], such as visitors,step=2")
    }
  }

  func testAPlanMayHaveItsSettingsBesideWhat() throws {
    func plan(_ source: String) throws -> RecordingPlan {
      let json = #"{"version": 1, "sources": [{"kind": "counter", \#(source)}], "outputs": [{"path": "a.csv"}]}"#
      return try RecordingPlan(json: Array(json.utf8), name: "p")
    }
    XCTAssertEqual(try plan(#""what": "visitors", "step": 2"#), try plan(#""what": "visitors,step=2""#))
    XCTAssertEqual(try plan(#""what": "visitors", "step": 2"#).sources[0].spec.what, "visitors,step=2")
    XCTAssertThrowsError(try plan(#""what": "visitors", "step": [2]"#)) {
      XCTAssertEqual("\($0)", "cannot use the plan p: sources[0].step takes a text, not a list")
    }
    XCTAssertThrowsError(try plan(#""what": "visitors", "stepp": 2"#)) {
      XCTAssertEqual(
        "\($0)", "cannot use the plan p: sources[0].stepp: counter has no such setting; did you mean step?")
    }
  }

  func testHelpAndCompletionNameIt() throws {
    let help = try XCTUnwrap(ArgumentSection.all(of: RecordCommand.self).flatMap(\.rows).first?.help)
    XCTAssertTrue(help.contains("marks, counter:NAME[,step=N]. A key"), help)
    let words = SourceCompletion(roots: surroundings.roots)
    XCTAssertTrue(words.candidates("").contains { $0.word == "counter:" })
    XCTAssertEqual(words.candidates("counter:v").map(\.word), ["counter:visitors"])
    XCTAssertTrue(words.candidates("counter:visitors,st").contains { $0.word == "counter:visitors,step=" })
  }

  func testListAndDoctorHaveIt() throws {
    let kinds: [any DeviceKind] = [AddedKind(source: CounterKind.self)]
    let listing = Listing(roots: surroundings.roots, kinds: kinds)
    XCTAssertEqual(listing.text, "counter\n  counter:visitors  at the door\n")
    XCTAssertEqual(
      listing.json.text,
      "{\"counter\": [{\"what\": \"visitors\", \"description\": \"at the door\"}], \"failures\": []}")
    XCTAssertEqual(DeviceKinds.all.last?.name, "counter")
    XCTAssertEqual(
      DeviceCheck.findings(surroundings, restore: false, kinds: kinds), [.ok("counter", "1 can be recorded")])
    XCTAssertEqual(
      PermissionCheck.findings(surroundings, kinds: kinds),
      [.ok("permissions", "1 file of counter devices can be opened")])
    try put("dev/counter0", mode: 0o600)
    refused["dev/counter0"] = EACCES
    XCTAssertEqual(
      PermissionCheck.findings(surroundings, kinds: kinds).map(\.meaning),
      ["\(root)/dev/counter0 cannot be read by pi, only by root"])
  }
}
