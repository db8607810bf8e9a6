export { runKind } from '../app/work/run-kind.ts';
export type { EndedRun, RunWork } from '../app/work/run-work.ts';
export type {
  AskedModel,
  CoordinatorRequest,
  FollowRequest,
  PerformerRequest,
  WorkKind,
  WorkPerformer,
  WorkTypes,
} from '../app/work/work-kind.ts';
export type { WorkRequest } from '../app/work/workers-door.ts';
