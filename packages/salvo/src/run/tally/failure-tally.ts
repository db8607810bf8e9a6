import type { EvalResult } from '../../evaluators/eval-result.ts';
import { readJudgement } from '../../judge/stored-judgement.ts';
import { createExactSum, type ExactSum } from '../../stats/exact-sum.ts';
import { cutEnd } from '../../text/words/cut-text.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import type { AssertionFailure, ScenarioSummary } from '../record/run-document.ts';
import { createTrialList, type NameTrials, type TrialList } from './trial-list.ts';

interface AssertionRecord {
  type: string;
  required: boolean;
  /** Whether it had a weight in any trial, or is required. */
  counts: boolean;
  /** Trials in which it was scored. */
  scored: number;
  lostWeight: ExactSum;
  trials: TrialList;
  example: Pick<AssertionFailure, 'example' | 'judge'>;
}

const LONGEST_REASONING = 300;

/** The lost weight of every assertion over the trials. Memory grows with the assertions, not with the trials. */
export function createFailureTally(named: NameTrials) {
  const byId = new Map<string, AssertionRecord>();
  /** Sorted by lost weight, the highest first. Assertions that never failed are left out. */
  const failures = () =>
    [...byId]
      .filter(([, { trials }]) => trials.count() > 0)
      .map(([id, record]) => toFailure(id, record, named))
      .toSorted(worstFirst);
  return {
    add(trial: Pick<TrialResult, 'eval_results' | 'case_index' | 'trial_number'>): void {
      for (const result of trial.eval_results) {
        // An outcome that was given beside the own ones is no demand.
        const isBeside = result.assertion_type === 'given' && result.weight === 0;
        if (result.status === 'scored' && !isBeside) count(recordOf(byId, result), result, trial);
      }
    },
    failures,
    /** Those that failed whenever they were scored, in the same order. */
    neverPassed: (): ScenarioSummary['never_passed'] =>
      failures().flatMap(({ assertion_id, assertion_type }) => {
        const { scored = 0, trials, counts = false } = byId.get(assertion_id) ?? {};
        return trials?.count() === scored ? [{ assertion_type, assertion_id, trials: scored, counts }] : [];
      }),
  };
}

function recordOf(
  byId: Map<string, AssertionRecord>,
  { assertion_id, assertion_type, required }: EvalResult,
): AssertionRecord {
  const known = byId.get(assertion_id);
  if (known) return known;
  const fresh: AssertionRecord = {
    type: assertion_type,
    required,
    counts: required,
    scored: 0,
    lostWeight: createExactSum(),
    trials: createTrialList(),
    example: { example: '' },
  };
  byId.set(assertion_id, fresh);
  return fresh;
}

function count(
  record: AssertionRecord,
  result: EvalResult,
  trial: Pick<TrialResult, 'case_index' | 'trial_number'>,
): void {
  const { score, weight, passed } = result;
  record.scored += 1;
  record.counts ||= weight > 0;
  record.lostWeight.add(weight * (1 - score));
  if (passed) return;
  // The first by number, not by time, so that it does not depend on the concurrency.
  if (record.trials.isFirst(trial)) record.example = exampleOf(result);
  record.trials.add(trial);
}

function exampleOf({ details, metadata }: EvalResult): AssertionRecord['example'] {
  const judge = judgeExample(metadata);
  return judge ? { example: details, judge } : { example: details };
}

/** The part of a judge's metadata that reports show of a failure; undefined when no judge was asked. */
function judgeExample(metadata: Record<string, unknown>): AssertionFailure['judge'] {
  const judgement = readJudgement(metadata);
  if (!judgement) return undefined;
  const { judge_model, judge_k, per_criterion, dissenting_votes, notes } = judgement;
  return {
    judge_model,
    k: judge_k,
    criteria: per_criterion.map(({ name, score, all_scores, reasoning }) => ({
      name,
      score,
      all_scores,
      reasoning: reasoning === null ? null : cutEnd(reasoning, LONGEST_REASONING),
    })),
    dissenting_votes,
    ...(notes.length > 0 && { notes }),
  };
}

function toFailure(id: string, record: AssertionRecord, named: NameTrials): AssertionFailure {
  return {
    assertion_type: record.type,
    assertion_id: id,
    required: record.required,
    fail_count: record.trials.count(),
    fail_rate: record.trials.count() / record.scored,
    lost_weight: record.lostWeight.value(),
    ...record.example,
    ...named(record.trials.keys()),
  };
}

function worstFirst(a: AssertionFailure, b: AssertionFailure): number {
  const byLoss =
    b.lost_weight - a.lost_weight || Number(b.required) - Number(a.required) || b.fail_count - a.fail_count;
  if (byLoss !== 0) return byLoss;
  return a.assertion_id < b.assertion_id ? -1 : 1;
}
