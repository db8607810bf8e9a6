import type { Work, WorkerDescription } from 'salvo/kit/queue';

/** What the owner of a worker wants to know. */
export type WorkerEvent =
  | { type: 'joined'; worker: WorkerDescription }
  | { type: 'order_begun'; work: Work; hasOwnProcess: boolean }
  /** `jobs` is null if it had a process of its own. */
  | { type: 'order_ended'; work: Work; jobs: number | null }
  /** It takes nothing of it: why, and what to do. */
  | { type: 'order_refused'; work: Work; reason: string }
  /** It takes nothing more of it, because a model cannot be reached from here. */
  | { type: 'order_paused'; work: Work; reason: string }
  /** The process that coordinated it is gone, so this worker does. */
  | { type: 'coordinates'; work: Work }
  | { type: 'cannot_coordinate'; work: Work; reason: string }
  /** Such as a teardown that failed. */
  | { type: 'warning'; work: Work; message: string }
  | { type: 'left'; jobs: number };
