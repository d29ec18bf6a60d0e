import ExtrasWorkloads
import Foundation
import Loops
import Measurement
import OpenCombineWorkloads
import RecordingWorkloads
import SluiceExtras
import SluiceWorkloads

let options = Options(Array(CommandLine.arguments.dropFirst()))
let workloads =
  (SluiceWorkloads.workloads + ExtrasWorkloads.workloads + RecordingWorkloads.workloads + OpenCombineWorkloads.workloads
  + Loops.workloads)
  .filter { options.filter.isEmpty || $0.name.contains(options.filter) }
if options.lists {
  for workload in workloads where workload.library == .sluice { print(workload.name) }
  exit(0)
}
guard !workloads.isEmpty else { fail("no workload has \"\(options.filter)\" in its name; --list shows them") }

let machine = Machine(swift: options.swift)
let results = measure(workloads, rounds: options.rounds)
let growth = ["mergeAll of ", "zipAll of "].compactMap { Growth($0, in: results, target: 1.25) }
print(machine.line)
print("Nanoseconds per value, median of \(options.rounds) rounds:\n")
printTable(results, growth)
if let path = options.json {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
  let all = Results(machine: machine, unit: "ns per value", results: results, growth: growth)
  try encoder.encode(all).write(to: URL(fileURLWithPath: path))
}
