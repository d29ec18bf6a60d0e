// One workload and nothing else, for counting its instructions: Guard WORKLOAD VALUES, or Guard --list.
import ExtrasWorkloads
import Glibc
import Measurement
import RecordingWorkloads
import SluiceWorkloads

// How often threads meet is another matter every time.
let countable = (SluiceWorkloads.workloads + ExtrasWorkloads.workloads + RecordingWorkloads.workloads)
  .filter { $0.clock == .processor }
let arguments = CommandLine.arguments
if arguments.dropFirst() == ["--list"] {
  for workload in countable { print(workload.name) }
  exit(0)
}
guard arguments.count == 3, let values = Int(arguments[2]),
  let workload = countable.first(where: { $0.name == arguments[1] })
else {
  fputs("usage: Guard WORKLOAD VALUES, or Guard --list\n", stderr)
  exit(64)
}
print(workload.run(values))
