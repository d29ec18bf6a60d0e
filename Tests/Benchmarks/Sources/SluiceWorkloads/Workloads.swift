import Measurement

#if OPENCOMBINE
  let library = Workload.Library.openCombine
#else
  let library = Workload.Library.sluice
#endif

public let workloads = chains + buffers + timing + joining + flattening + subjects
