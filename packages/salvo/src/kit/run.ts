export { withoutVotesBilled } from '../run/conduct/paid-votes.ts';
export { addCosts, trialCostSince } from '../run/record/earlier-trials.ts';
export type {
  RunRecord,
  StoredTrial,
  TrialCost,
} from '../run/record/run-record.ts';
