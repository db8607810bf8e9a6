import type { ChaosDocument, ChaosScenario } from '../../run/faults/chaos-document.ts';
import { chaosFigures } from '../../run/faults/chaos-figures.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import { formatPercent } from '../../stats/format.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import type { Workplace } from '../project/open-project.ts';
import { openRun } from '../results/open-run.ts';
import { type FinishedRun, performRun } from './run.ts';
import type { PerformRunOptions } from './run-options.ts';

const DEFAULT_DOSES: readonly number[] = [0, 0.1, 0.3, 1];

export interface ChaosOptions extends Omit<PerformRunOptions, 'chaos'> {
  /** The chances that a call has a fault. 0 is always among them: the other doses are compared with it. */
  doses?: readonly number[] | undefined;
  /** The dose of each fault alone; 0: none is tried alone. By default the greatest dose below 1. */
  alone?: number | undefined;
  /** The greatest share of false successes among the trials with faults. */
  maxFalseSuccess?: number | undefined;
}

/** What a run is asked for, so that it has every scenario in several doses. */
export function chaosRequest({ doses: given = DEFAULT_DOSES, alone, ...options }: ChaosOptions): PerformRunOptions {
  if (options.resume !== undefined) return options;
  const doses = [...new Set([0, ...given])].sort((a, b) => a - b);
  if (doses.length < 2)
    throw new SalvoError('OPTIONS_INVALID', '{option:doses} needs a dose above 0, such as 0,0.1,0.3.');
  const below = doses.findLast((dose) => dose < 1) || 1;
  return { ...options, chaos: { doses, alone: alone ?? below } };
}

/** Runs scenarios with faults in several doses. Dispose of the run when done. */
export async function performChaos(options: ChaosOptions): Promise<{ finished: FinishedRun; document: ChaosDocument }> {
  const finished = await performRun(chaosRequest(options));
  try {
    return { finished, document: await chaosDocument(finished.store, finished.run, options) };
  } catch (error) {
    await finished[Symbol.asyncDispose]();
    throw error;
  }
}

/** What a stored run of `salvo chaos` says. */
export async function storedChaos(
  options: Workplace & { run: string; maxFalseSuccess?: number | undefined },
): Promise<ChaosDocument> {
  await using opened = await openRun(options);
  return await chaosDocument(opened.store, opened.run, options);
}

/** @throws if the run has no doses. */
export async function chaosDocument(
  store: Pick<Store, 'trials'>,
  run: RunRecord,
  { maxFalseSuccess }: Pick<ChaosOptions, 'maxFalseSuccess'> = {},
): Promise<ChaosDocument> {
  if (!run.options.faults?.variants) {
    throw new SalvoError(
      'OPTIONS_INVALID',
      `Run ${run.run_id} has no doses of faults: \`salvo chaos\` makes such runs.`,
    );
  }
  const results = run.scenarios.map((): TrialResult[] => []);
  for await (const { scenario_index, result } of store.trials(run.run_id)) {
    if (result) results[scenario_index]?.push(result);
  }
  const scenarios = chaosFigures(run, results);
  return {
    run_id: run.run_id,
    exit_code: exitCode(scenarios, maxFalseSuccess),
    seed: run.options.seed,
    max_false_success: maxFalseSuccess ?? null,
    scenarios,
    notes: scenarios.flatMap((scenario) => notesOf(scenario)),
  };
}

/** 1: more false successes than allowed. 3: trials are missing or were not scored, or nothing says what a claim is. */
function exitCode(scenarios: readonly ChaosScenario[], limit: number | undefined): number {
  const shares = scenarios.map(({ outcomes }) => outcomes.false_success);
  if (limit !== undefined && shares.some((share) => (share?.rate ?? 0) > limit)) return 1;
  const isOpen = scenarios.some(({ doses, alone }) =>
    [...doses, ...alone].some(({ trials_scored, trials_planned }) => trials_scored < trials_planned),
  );
  return isOpen || (limit !== undefined && shares.includes(null)) ? 3 : 0;
}

function notesOf({ name, doses, alone, outcomes }: ChaosScenario): string[] {
  const variants = [...doses, ...alone];
  const unscored = variants.reduce((sum, { trials_planned, trials_scored }) => sum + trials_planned - trials_scored, 0);
  const base = doses.find(({ dose }) => dose === 0)?.pass_rate ?? null;
  const silent = variants.filter(({ dose, faults }) => dose > 0 && Object.keys(faults).length === 0);
  return [
    ...(unscored > 0 ? [`${name}: ${unscored} trials are missing or could not be scored.`] : []),
    ...(base !== null && base < 1
      ? [
          `${name}: without faults ${formatPercent(base)} of the trials passed, so that not every failure is due to a fault.`,
        ]
      : []),
    ...(silent.length > 0 && unscored === 0
      ? [
          `${silent.map((each) => each.name).join(', ')}: no fault happened. The agent did not call the tools, or their answers have nothing that this fault could change.`,
        ]
      : []),
    ...(outcomes.false_success === null
      ? [
          `${name}: whether the agent claims what did not happen is not known. Add an assertion: {type: no_false_success, claim: ..., needs: {tool: ...}}`,
        ]
      : []),
  ];
}
