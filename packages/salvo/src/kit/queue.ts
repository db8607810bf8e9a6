export { conduct, isWorkEvent, type Performed, type WorkEvent, type WorkSignals } from '../queue/conduct.ts';
export {
  type ChangedResults,
  type CoordinatedWork,
  type Coordinator,
  changesReader,
  coordinate,
} from '../queue/coordinate.ts';
export { endJobsUnderWay } from '../queue/end-jobs-under-way.ts';
export { type CoordinatorSignals, LeftToWorkers } from '../queue/follow-order.ts';
export {
  atWork,
  claimAndFirst,
  joinedSignals,
  LEASE_MS,
  type Lease,
  thisHolder,
  type Work,
  type Worker,
} from '../queue/lease.ts';
export { newId } from '../queue/new-id.ts';
export { createNoticedOutages, type KnownOutages, outageGroup } from '../queue/noticed-outages.ts';
export { runPool } from '../queue/run-pool.ts';
export {
  type CoordinatedOrder,
  type Directions,
  type FailedJob,
  failedJobSchema,
  type Job,
  type JobLease,
  jobSchema,
  MOST_ATTEMPTS,
  MOST_REPORTED,
  type Notice,
  noticeSchema,
  type Opening,
  type OpenOrder,
  type QueueStatus,
  type TakenJob,
  type WorkerDescription,
  type WorkerSession,
  type WorkOrder,
  type WorkQueue,
  workerSchema,
  workOrderSchema,
} from '../queue/work-queue.ts';
