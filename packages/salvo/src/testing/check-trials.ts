import type { ScenarioRun } from '../app/runs/run-scenario.ts';
import { namedCases } from '../evaluators/assertion-ids.ts';
import type { EvalResult } from '../evaluators/eval-result.ts';
import { toEvalResult } from '../evaluators/evaluate-trace.ts';
import type { Evaluation, EvaluationContext } from '../evaluators/evaluator.ts';
import { runPool } from '../queue/run-pool.ts';
import type { Trace } from '../trace/trace.ts';
import type { TestedRun } from './evaluate.ts';

type Trial = ScenarioRun['trials'][number];

/** What a matcher demands of each trial. */
export interface TrialCheck {
  /** The type of the assertion that is stored. */
  type: string;
  /** The name of the assertion that is stored. */
  id: string;
  evaluate(trace: Trace, context: EvaluationContext): Promise<Evaluation> | Evaluation;
}

/** What became of a check in a trial. */
export interface CheckedTrial {
  trial: Trial;
  outcome: 'held' | 'not' | 'crashed' | 'unknown';
  /** Why, in words. */
  reason: string;
  /** Null if the trial could not be checked. */
  result: EvalResult | null;
}

/** Applies a check to every trial of a run, as many at a time as the project allows. */
export async function checkTrials(
  tested: TestedRun,
  check: TrialCheck,
  services: Pick<EvaluationContext, 'models' | 'voteCache' | 'budget' | 'signal'> = {},
): Promise<CheckedTrial[]> {
  const { run, record, project } = tested;
  const cases = namedCases(scenarioOf(tested));
  const checked: CheckedTrial[] = [];
  await runPool({
    jobs: run.trials.entries(),
    concurrency: tested.options.concurrency ?? project.config.concurrency,
    async perform([index, trial]) {
      checked[index] = await checkTrial(trial, check, () => ({
        ...services,
        scenario: cases.scenarioOf(trial.case_index),
        scenarioFile: tested.file,
        project,
        trialNumber: trial.trial_number,
        traceId: trial.trace_id,
        seed: record.options.seed ?? 0,
      }));
    },
  });
  return checked;
}

/** The scenario as its run recorded it. */
export function scenarioOf({ record }: TestedRun) {
  const [entry] = record.scenarios;
  if (!entry) throw new Error('A run of one scenario has no scenario.');
  return entry.scenario;
}

async function checkTrial(trial: Trial, check: TrialCheck, contextOf: () => EvaluationContext): Promise<CheckedTrial> {
  const { trace, status, error_message } = trial;
  const without = { trial, result: null };
  if (status === 'crashed') {
    return { ...without, outcome: 'crashed', reason: `the agent crashed: ${error_message ?? 'it threw'}` };
  }
  if (trace?.finish_reason === 'unmocked_call') {
    return { ...without, outcome: 'crashed', reason: error_message ?? 'a call that no mock answers' };
  }
  if (!trace || trace.error !== null || trial.error_code === 'MOCK_BYPASSED') {
    return { ...without, outcome: 'unknown', reason: error_message ?? trace?.error ?? 'there is no trace of it' };
  }
  const evaluation = await evaluated(check, trace, contextOf);
  const result = toEvalResult({ type: check.type, weight: 1, required: false }, check.id, evaluation);
  if (result.status === 'unscored') return { trial, outcome: 'unknown', reason: unscoredReason(result), result };
  return { trial, outcome: result.passed ? 'held' : 'not', reason: result.details, result };
}

async function evaluated(check: TrialCheck, trace: Trace, contextOf: () => EvaluationContext): Promise<Evaluation> {
  try {
    return await check.evaluate(trace, contextOf());
  } catch (error) {
    return { score: null, details: error instanceof Error ? error.message : String(error) };
  }
}

function unscoredReason({ details, metadata }: EvalResult): string {
  return typeof metadata.error === 'string' ? `${details} (${metadata.error})` : details;
}
