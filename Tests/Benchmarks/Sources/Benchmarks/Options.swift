import Foundation

/// What is given on the command line.
struct Options {
  var filter = ""
  var rounds = 5
  var lists = false
  var json: String?
  var swift = "unknown"

  init(_ arguments: [String]) {
    var arguments = arguments[...]
    func value(_ option: String) -> String {
      guard let value = arguments.popFirst() else { fail("\(option) needs a value") }
      return value
    }
    while let option = arguments.popFirst() {
      switch option {
      case "--list": lists = true
      case "--filter": filter = value(option)
      case "--rounds":
        guard let rounds = Int(value(option)), rounds > 0 else { fail("--rounds needs a number") }
        self.rounds = rounds
      case "--json": json = value(option)
      case "--swift": swift = value(option)
      default: fail("no option \(option); there are --list, --filter TEXT, --rounds N, --json FILE, --swift VERSION")
      }
    }
  }
}

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("Benchmarks: \(message)\n".utf8))
  exit(64)
}
