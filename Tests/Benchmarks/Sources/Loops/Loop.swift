import Measurement

/// The same work without any library, on one thread, without a lock, and without somebody who might cancel.
public let workloads = chains + chainsOfCalls + queues + joins + deliveries

func loop(
  _ name: String, values: Int = 500_000, clock: Workload.Clock = .processor, body: @escaping (Int, Checksum) -> Void
) -> Workload {
  Workload(name, .loop, values: values, clock: clock, body: body)
}
