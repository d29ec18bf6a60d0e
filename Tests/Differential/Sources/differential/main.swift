import Glibc
import Schedules

struct Options {
  var schedules = 1_000_000
  var seed: UInt64 = 1
  var operators: [String] = []
  var verbose = false
  /// The file with what the rules may explain.
  var counts: String?
  var records = false
}

@_silgen_name("personality") @discardableResult private func personality(_ persona: UInt) -> CInt

let usage = """
  usage: differential [--schedules N] [--seed N] [--operator NAME]... [--chain] [--verbose]
                      [--counts FILE [--record]]
         differential --list
         differential --show NAME SEED
    --schedules N     how many in all (1000000)
    --seed N          the first seed (1); a schedule is made from its seed and the operator alone
    --operator NAME   this row of the table only, or "NAME | NAME" for a chain; "chains" for random chains
    --chain           chains of two to five operators only
    --verbose         the smallest schedule of each explained difference as well
    --counts FILE     fails if a rule explains more differences of an operator than this file says
    --record          writes the counts into the file instead
    --list            the rows of the table
    --show NAME SEED  both histories of one schedule
  """

func fail(_ message: String) -> Never {
  fputs(message + "\n", stderr)
  exit(64)
}

func subject(_ name: String) -> Subject {
  guard let subject = Subject(name) else { fail("no operator \(name); --list shows them") }
  return subject
}

func number<T: LosslessStringConvertible>(_ text: String?, _ what: String) -> T {
  guard let text, let number = T(text) else { fail("\(what) needs a number\n\(usage)") }
  return number
}

// OpenCombine keeps its downstreams in hashed collections: the same order in every process needs the same hashes, and the
// same addresses.
if getenv("SWIFT_DETERMINISTIC_HASHING") == nil {
  setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
  personality(0x004_0000)  // ADDR_NO_RANDOMIZE of sys/personality.h
  execv("/proc/self/exe", CommandLine.unsafeArgv)
}

var options = Options()
var arguments = Array(CommandLine.arguments.dropFirst())
func value() -> String? { arguments.isEmpty ? nil : arguments.removeFirst() }
while let argument = value() {
  switch argument {
  case "--schedules": options.schedules = max(1, number(value(), argument))
  case "--seed": options.seed = number(value(), argument)
  case "--operator": options.operators.append(subject(value() ?? "").name)
  case "--chain": options.operators.append("chains")
  case "--verbose": options.verbose = true
  case "--counts": options.counts = value()
  case "--record": options.records = true
  case "--list":
    for row in sluice.rows { print(row.name) }
    exit(0)
  case "--show":
    let subject = subject(value() ?? "")
    print(subject.trial(number(value(), argument)).text)
    exit(0)
  case "--help", "-h":
    print(usage)
    exit(0)
  default: fail("unknown argument \(argument)\n\(usage)")
  }
}
exit(Run(options).play() ? 0 : 1)
