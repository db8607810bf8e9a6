export { endJobsUnderWay } from '../queue/end-jobs-under-way.ts';
export { type LeadSignals, LeftToWorkers } from '../queue/follow-order.ts';
export { followWorkers, type Lead, type WorkersEvent } from '../queue/follow-workers.ts';
export {
  atWork,
  claimAndFirst,
  type Holder,
  holderSchema,
  joinedSignals,
  LEASE_MS,
  type Lease,
  thisHolder,
  type Work,
  type Worker,
} from '../queue/lease.ts';
export { newId } from '../queue/new-id.ts';
export { createNoticedOutages, outageGroup } from '../queue/noticed-outages.ts';
export { runPool } from '../queue/run-pool.ts';
export {
  type Coordinator,
  type Directions,
  type FailedJob,
  type Job,
  type JobLease,
  MOST_ATTEMPTS,
  MOST_REPORTED,
  type Notice,
  type Opening,
  type OpenOrder,
  type QueueStatus,
  type TakenJob,
  type WorkerDescription,
  type WorkerSession,
  type WorkOrder,
  type WorkQueue,
} from '../queue/work-queue.ts';
