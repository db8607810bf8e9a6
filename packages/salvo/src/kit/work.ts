export { runKind } from '../app/work/run-kind.ts';
export type { EndedRun, RunWork } from '../app/work/run-work.ts';
export type { DeskRequest, FollowRequest, LeadRequest, WorkDesk, WorkKind, WorkTypes } from '../app/work/work-kind.ts';
export type { WorkRequest } from '../app/work/workers-door.ts';
