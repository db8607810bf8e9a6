import { assertionIds, namedCases } from '../../evaluators/assertion-ids.ts';
import { scenarioHandles } from '../../report/run/words/scenario-handles.ts';
import { scenarioCases } from '../../scenario/cases/scenario-cases.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { Trace } from '../../trace/trace.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { openProject, type Workplace } from '../project/open-project.ts';
import { chooseTrial, resultOf } from './choose-trial.ts';
import { findTrials } from './find-trials.ts';
import { newerIncompleteRun } from './open-run.ts';

export interface ReplayedTrial {
  traceId: string;
  trace: Trace;
  /** The trial it belongs to; null when the process ended before it was stored. */
  trial: {
    runId: string;
    scenario: string;
    /** What to call the scenario in a command: `refund`, or `refund@gpt-5` if it ran with several models. */
    handle: string;
    /** Null in a scenario without data. */
    caseName: string | null;
    trialNumber: number;
    /** Null when it was not judged yet. */
    result: TrialResult | null;
    /** By id, what to call an assertion whose id is a template: with the value of the row. */
    assertionNames: ReadonlyMap<string, string>;
  } | null;
  /** Why it is this trial, when that is not obvious from what was asked for. */
  note: string | null;
}

export interface ReplayOptions extends Workplace {
  /**
   * `RUN/SCENARIO/13`, `SCENARIO/13`, `RUN/13`, `13`, `RUN`, `SCENARIO` or the id of a trace; a case can follow the
   * scenario, as in `RUN/SCENARIO/CASE/13`, and a scenario can be `SCENARIO@MODEL`. Without a number it is the first failure. Ids can be shortened; the latest run is meant unless a run is named.
   */
  target: string;
  /** The number of the trial, when it is not part of the target. */
  trial?: number | undefined;
}

/** The stored conversation of a trial, with its result. */
export async function replayTrial(options: ReplayOptions): Promise<ReplayedTrial> {
  const { cwd = process.cwd(), target, trial: trialNumber } = options;
  await using opened = await openProject(options, { readOnly: true });
  const { store, project } = opened;
  const named = await findTrials({ store, cwd, root: project.root, target, trial: trialNumber });
  const newer = target === 'latest' && named.kind === 'run' ? await newerIncompleteRun(store, named.runId) : null;
  const {
    run,
    trial,
    note: why,
  } = named.kind === 'trace'
    ? { run: named.trial && (await store.getRun(named.trial.run_id)), trial: named.trial, note: null }
    : await chooseTrial(store, named);
  const note = [newer, why].filter((each) => each !== null).join('\n') || null;
  const traceId = named.kind === 'trace' ? named.traceId : (trial?.trace_id ?? '');
  const trace = await store.getTrace(traceId);
  if (!trace) throw new SalvoError('TRACE_UNKNOWN', `There is no trace ${traceId}.`);
  if (!trial) return { traceId, trace, trial: null, note };
  const result = run ? resultOf(run, trial) : trial.result;
  const assertionNames = namesInCase(run?.scenarios[trial.scenario_index]?.scenario, trial.case_index);
  const scenario = run?.scenarios[trial.scenario_index]?.name ?? '';
  const handle = scenarioHandles(run?.scenarios ?? [])[trial.scenario_index] ?? '';
  const { run_id: runId, case: caseName, trial_number } = trial;
  return {
    traceId,
    trace,
    trial: { runId, scenario, handle, caseName, trialNumber: trial_number, result, assertionNames },
    note,
  };
}

/** `output_contains:"late"` for `output_contains:"{{status}}"`: an id is that of all cases, and this is about one. */
function namesInCase(scenario: Scenario | undefined, caseIndex: number): Map<string, string> {
  if (!scenario?.data) return new Map();
  try {
    const ids = namedCases(scenario)
      .scenarioOf(caseIndex)
      .assertions.map(({ id = '' }) => id);
    const names = assertionIds(scenarioCases(scenario).scenarioOf(caseIndex).assertions);
    return new Map(ids.map((id, index) => [id, names[index] ?? id]));
  } catch {
    // A row whose secrets were masked may no longer fit. The ids still name the assertions.
    return new Map();
  }
}
