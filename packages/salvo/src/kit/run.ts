export { addCosts, trialCostSince } from '../run/record/earlier-trials.ts';
export type {
  RunChange,
  RunRecord,
  StoredTrial,
  TrialCost,
  TrialHead,
  TrialOutcome,
} from '../run/record/run-record.ts';
