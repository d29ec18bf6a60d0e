import Foundation
import Schedules

struct Options {
  var schedules = 1_000_000
  var seed: UInt64 = 1
  var operators: [String] = []
  var chain = false
  var verbose = false
}

let usage = """
  usage: differential [--schedules N] [--seed N] [--operator NAME]... [--chain] [--verbose] [--list]
    --schedules N    how many in all (1000000)
    --seed N         the first seed (1); a schedule is made from its seed alone
    --operator NAME  this row of the table only
    --chain          chains of two to five operators only
    --verbose        for each explained difference, the smallest schedule that showed it
    --list           the rows of the table
  """

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data((message + "\n").utf8))
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

var arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "--worker" where arguments.count == 5:
  guard let progress = Progress(path: arguments[4]) else { fail("no progress file") }
  try Worker.play(subject(arguments[1]), number(arguments[2], "seed"), number(arguments[3], "count"), progress)
  exit(0)
case "--alone" where arguments.count == 4:
  let trial = subject(arguments[2]).trial(number(arguments[3], "seed"))
  let library = arguments[1] == "Sluice" ? sluice : openCombine
  _ = library.run(trial.rows, trial.schedule)
  exit(0)
case "--shrink" where arguments.count == 3:
  let trial = subject(arguments[1]).trial(number(arguments[2], "seed"))
  print(trial.shrunk().outcome().text)
  exit(0)
case "--show" where arguments.count == 3:
  print(subject(arguments[1]).trial(number(arguments[2], "seed")).outcome().text)
  exit(0)
default: break
}

var options = Options()
while !arguments.isEmpty {
  let argument = arguments.removeFirst()
  func value() -> String? { arguments.isEmpty ? nil : arguments.removeFirst() }
  switch argument {
  case "--schedules": options.schedules = number(value(), argument)
  case "--seed": options.seed = number(value(), argument)
  case "--operator": options.operators.append(value() ?? "")
  case "--chain": options.chain = true
  case "--verbose": options.verbose = true
  case "--list":
    for row in sluice.rows { print(row.name) }
    exit(0)
  case "--help", "-h":
    print(usage)
    exit(0)
  default: fail("unknown argument \(argument)\n\(usage)")
  }
}
exit(try Run(options).play() ? 0 : 1)
