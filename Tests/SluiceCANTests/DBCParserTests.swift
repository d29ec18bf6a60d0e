import Foundation
import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceCAN

final class DBCParserTests: XCTestCase {
  private func messages(_ text: String) throws -> [CANMessage] { try DBC(Array(text.utf8)).messages }

  private func fault(_ text: String) -> String? {
    do throws(DBCFault) {
      _ = try DBC(Array(text.utf8))
      return nil
    } catch {
      return "\(error.line): \(error.cause)"
    }
  }

  private static let whole = #"""
    VERSION "created; by \"hand\""


    NS_ :
    	NS_DESC_
    	CM_
    	BA_DEF_
    	SG_MUL_VAL_

    BS_: 500000 : 1,2

    BU_: Engine
     Gearbox
    VAL_TABLE_ OnOff 1 "On" 0 "Off" ;

    BO_ 2364540158 EEC1: 8 Engine
     SG_ Speed : 24|16@1+ (0.125,0) [0|8031.875] "rpm" Gearbox,Dash
     SG_ Torque : 16|8@1- (1,-125) [-125|125] "%"  Vector__XXX

    BO_ 100 Mux: 8 Vector__XXX
     SG_ Mode M : 7|8@0+ (1,0) [0|3] "" Vector__XXX
     SG_ A m0 : 15|16@0- (1E-002,-4.0e+1) [0|0] "km/h" Vector__XXX
     SG_ B m1 : 15|32@0+ (1,0) [0|0] " " Vector__XXX
     SG_ C m1M : 55|8@0+ (1,0) [0|0] "" Vector__XXX
     SG_ D m2 : 63|8@0+ (1,0) [0|0] "" Vector__XXX
    BO_ 3221225472 VECTOR__INDEPENDENT_SIG_MSG: 0 Vector__XXX
     SG_ Lost : 0|8@1+ (1,0) [0|0] "" Vector__XXX
    BO_ 2566844926 Long: 1785 Vector__XXX
     SG_ Far : 8000|8@1+ (1,0) [0|0] "" Vector__XXX

    BO_TX_BU_ 100 : Engine,Gearbox;
    CM_ SG_ 100 A "A comment; with
    a line; and \"quotes\"";
    BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
    VAL_ 100 Mode 0 "Zero" 1 "One" ;
    SIG_VALTYPE_ 100 B : 1;
    SG_MUL_VAL_ 100 C Mode 1-1, 3-7;
    SG_MUL_VAL_ 100 D C 2-2;
    SG_MUL_VAL_ 100 A Mode 0-0;
    SG_MUL_VAL_ 100 B Mode 1-1;
    """#

  func testWholeFile() throws {
    let messages = try messages(Self.whole)
    XCTAssertEqual(messages.map(\.name), ["EEC1", "Mux"])
    XCTAssertEqual(messages.map(\.id), [0x0cf0_04fe, 100])
    XCTAssertEqual(messages.map(\.isExtended), [true, false])
    XCTAssertEqual(messages[0].line, 16)
    XCTAssertEqual(
      messages[0].signals,
      [
        CANSignal(name: "Speed", start: 24, size: 16, factor: ExactDecimal("0.125")!, unit: "rpm"),
        CANSignal(
          name: "Torque", start: 16, size: 8, form: .signed, offset: ExactDecimal(significand: -125), unit: "%"),
      ])
    XCTAssertEqual(messages[1].signals.map(\.form), [.unsigned, .signed, .float, .unsigned, .unsigned])
    XCTAssertEqual(messages[1].signals.map(\.unit), [nil, "km/h", nil, nil, nil])
    XCTAssertEqual(messages[1].signals.map { $0.presence?.selector }, [nil, 0, 0, 0, 3])
    XCTAssertEqual(
      messages[1].signals.map { $0.presence?.ranges ?? [] }, [[], [0...0], [1...1], [1...1, 3...7], [2...2]])
    XCTAssertTrue(messages[0].isWhole)
    XCTAssertFalse(messages[1].isWhole)
  }

  func testUnitsInLatin1() throws {
    let text = Array("BO_ 1 A: 8 X\n SG_ T : 0|8@1+ (1,0) [0|0] \"".utf8) + [0xb0] + Array("C\" X\n".utf8)
    XCTAssertEqual(try DBC(text).messages[0].signals[0].unit, "°C")
    XCTAssertEqual(try messages("BO_ 1 A: 8 X\n SG_ T : 0|8@1+ (1,0) [0|0] \"°C\" X\r\n")[0].signals[0].unit, "°C")
  }

  /// Nothing uses them, so they may be what no reading can hold.
  func testMinimumAndMaximumMayBeAnyNumber() throws {
    for limits in ["-1.7E+308|1.7E+308", "-inf|inf", "nan|NaN", "-1.#INF|1.#INF", "0|1e400", "+1|-2.5"] {
      let messages = try messages("BO_ 1 A: 8 X\n SG_ T : 0|8@1+ (1,0) [\(limits)] \"\" X\n")
      XCTAssertEqual(messages[0].signals.map(\.name), ["T"], limits)
    }
    XCTAssertEqual(
      fault("BO_ 1 A: 8 X\n SG_ T : 0|8@1+ (1,0) [low|1] \"\" X\n"),
      "2: it has \"low\" where the minimum of signal T should be a number")
  }

  func testNobodySendsOrReceives() throws {
    let messages = try messages(
      """
      BO_ 1 A: 64
       SG_ S : 0|8@1+ (1,0) [0|0] ""
       SG_ T : 8|8@1+ (1,0) [0|0] "" X,
       SG_ U : 16|8@1+ (1,0) [0|0] "" X,
         Y
      BO_ 2 B: 8
      BO_ 3 C: 8
      """)
    XCTAssertEqual(messages.map(\.name), ["A", "B", "C"])
    XCTAssertEqual(messages.map(\.length), [64, 8, 8])
    XCTAssertEqual(messages[0].signals.map(\.name), ["S", "T", "U"])
  }

  func testFaultsHavePlaceAndCause() {
    let signal = { (text: String) in "VERSION \"\"\nBO_ 1 A: 8 X\n SG_ \(text) [0|0] \"\" X\n" }
    for (text, expected) in [
      ("", "1: it has no message (BO_)"),
      ("a,b\n1,2\n", "1: \"a\" is no statement of a DBC file"),
      ("%PDF", "1: it has \"%\" where a statement, such as BO_, should be"),
      ("BO_ 1 A: 8 X\nBOO_ 2 B: 8 X\n", "2: \"BOO_\" is no statement of a DBC file"),
      ("BO_ x A: 8 X", "1: it has \"x\" where the identifier of a message should be"),
      ("BO_ 4294967296 A: 8 X", "1: the identifier of a message is too large"),
      ("\n\nBO_ 2048 A: 8 X", "3: the identifier 2048 of message A has more than 11 bits"),
      ("BO_ 2684354560 A: 8 X", "1: the identifier 2684354560 of message A has more than 29 bits"),
      ("BO_ 1 A 8 X", "1: it has \"8\" where \":\" should be after the name of a message"),
      ("BO_ 1 A: 8 X\nBO_ 1 B: 8 X", "2: message B has the identifier of message A in line 1"),
      ("BO_ 1 A: 8 X\nBO_ 2 A: 8 X", "2: message A has the name of another in line 1"),
      (" SG_ S : 0|8@1+ (1,0) [0|0] \"\" X", "1: signal S is before the first message (BO_)"),
      (signal("S : 0|8@2+ (1,0)"), "3: the byte order of signal S is 2, not 0 or 1"),
      (signal("S : 0|8@1* (1,0)"), "3: it has \"*\" where \"+\" should be or \"-\" after the byte order of signal S"),
      (signal("S : 0|8@1+ (one,0)"), "3: it has \"one\" where the factor of signal S should be a number"),
      (signal("S : 0|8@1+ (1;0)"), "3: it has \";\" where \",\" should be after the factor of signal S"),
      (signal("S : 0|0@1+ (1,0)"), "3: signal S of message A has 0 bits, not 1 to 64"),
      (signal("S : 0|65@1+ (1,0)"), "3: signal S of message A has 65 bits, not 1 to 64"),
      (signal("S : 57|8@1+ (1,0)"), "3: signal S of message A ends behind the 8 bytes of its message"),
      (signal("S : 56|9@0+ (1,0)"), "3: signal S of message A ends behind the 8 bytes of its message"),
      (signal("S : 9223372036854775807|8@1+ (1,0)"), "3: signal S of message A ends behind the 8 bytes of its message"),
      (signal("S X3 : 0|8@1+ (1,0)"), "3: \"X3\" of signal S is not M, m and a number, or m, a number and M"),
      (signal("S m3 : 0|8@1+ (1,0)"), "3: signal S of message A is multiplexed, and its message has no switch (M)"),
      (
        signal("S : 0|8@1+ (1,0)") + "SIG_VALTYPE_ 1 S : 1;",
        "4: signal S is a float and has 8 bits, not 32"
      ),
      (
        signal("S : 0|8@1+ (1,0)") + "SIG_VALTYPE_ 2 S : 1;",
        "4: SIG_VALTYPE_ is about message 2, which the file does not have"
      ),
      (
        signal("S : 0|8@1+ (1,0)") + "SIG_VALTYPE_ 1 T : 1;",
        "4: SIG_VALTYPE_ is about signal T, which message A does not have"
      ),
      (
        signal("S : 0|8@1+ (1,0)") + " SG_ S : 8|8@1+ (1,0) [0|0] \"\" X",
        "4: signal S of message A has the name of another in line 3"
      ),
      (
        signal("S m1 : 0|8@1+ (1,0)") + "SG_MUL_VAL_ 1 S S 1-1;",
        "3: signal S of message A is switched by itself"
      ),
      (
        signal("S M : 0|8@1+ (1,0)") + " SG_ T M : 8|8@1+ (1,0) [0|0] \"\" X\n SG_ U m1 : 16|8@1+ (1,0) [0|0] \"\" X",
        "5: signal U of message A has several switches to choose from, and no line SG_MUL_VAL_"
      ),
      (
        signal("S M : 0|8@1+ (1,0)") + " SG_ T m0M : 8|8@1+ (1,0) [0|0] \"\" X\n SG_ U m1 : 16|8@1+ (1,0) [0|0] \"\" X",
        "5: signal U of message A has several switches to choose from, and no line SG_MUL_VAL_"
      ),
      (
        "BO_ 1 A: 8 X\n" + (0...1_024).map { " SG_ S\($0) : 0|8@1+ (1,0) [0|0] \"\" X\n" }.joined(),
        "1026: signal S1024 of message A is one of more than 1024"
      ),
      (signal("S : 0|8@1+ (1,0)") + "CM_ \"no end", "4: a text of CM_ has no quote at its end"),
      (signal("S : 0|8@1+ (1,0)") + "CM_ \"a\\\nb\";\nBOO_ 1", "6: \"BOO_\" is no statement of a DBC file"),
      (signal("S : 0|8@1+ (1,0)") + "\nCM_ \"no semicolon\"\n", "5: CM_ has no semicolon at its end"),
      ("BO_ 1 A: 8 X\n SG_ S", "2: it has the end of the file where \":\" or the multiplexing of signal S should be"),
    ] {
      XCTAssertEqual(fault(text), expected, text)
    }
  }

  func testErrorOfAFile() throws {
    let path = temporaryFolder().file("car.dbc", "BO_ 1 A: 8 X\nBOO_\n")
    XCTAssertThrowsError(try DBC(path: path)) {
      XCTAssertEqual(
        "\($0)",
        "cannot read \(path): line 2: \"BOO_\" is no statement of a DBC file; correct the file, or give another")
    }
    XCTAssertThrowsError(try DBC(path: path + "x")) {
      XCTAssertEqual(
        "\($0)",
        "cannot read \(path)x: no such file or directory; give the path of a DBC file that this user may read")
    }
    try Data(count: DBC.largest + 1).write(to: URL(fileURLWithPath: path))
    XCTAssertThrowsError(try DBC(path: path)) { XCTAssertTrue("\($0)".contains("larger than 16 MiB"), "\($0)") }
  }

  /// Whatever is cut off or changed, the parser ends with messages or a fault.
  func testDamagedFiles() {
    let bytes = Array(Self.whole.utf8)
    for end in bytes.indices { _ = try? DBC(Array(bytes[..<end])) }
    var random = TestGenerator()
    for _ in 0..<2_000 {
      var changed = bytes
      for _ in 0..<3 { changed[Int.random(in: changed.indices, using: &random)] = .random(in: 0...255, using: &random) }
      guard let messages = try? DBC(changed).messages else { continue }
      let streams = CANStreams(interface: "can0", messages: messages)
      var frame = CANFrame(id: 100, length: 8)
      for index in 0..<8 { frame.payload[index] = .random(in: 0...255, using: &random) }
      _ = streams.decode(frame)
    }
  }
}
