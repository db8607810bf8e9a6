import { namedAssertions } from '../../evaluators/assertion-ids.ts';
import type { Drawn } from '../../judge/calibration/human-label.ts';
import { scenarioJudges } from '../../judge/scenario-judges.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { list } from '../../text/words/value-words.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Workplace } from '../project/open-project.ts';
import { openRun } from '../results/open-run.ts';
import { labelQueue } from '../view/labels/label-queue.ts';

/** A trial for people to label, as a line of `salvo export --to-label`. No verdict of a judge is in it. */
export interface TrialToLabel {
  run_id: string;
  scenario: string;
  case: string | null;
  trial_number: number;
  /** What people say of it: to be filled in. */
  passed: null;
  /** How it was drawn: the chance from which the weight of its label follows. */
  drawn: Drawn;
  trace: Trace;
}

/**
 * The trials of a run that a judge has a verdict on, scenario by scenario, in the order in which the Labels page offers
 * them. `assertion` is the id of the judge; it may be left out if no scenario has several.
 */
export async function* trialsToLabel({
  assertion,
  ...options
}: Workplace & { run: string; assertion?: string | undefined }): AsyncGenerator<TrialToLabel> {
  await using opened = await openRun(options);
  const { run, store } = opened;
  for (const { index, assertionId } of judgesToLabel(run, assertion)) {
    const subject = { run: run.run_id, scenario: index, assertionId };
    const { items, scenario } = await labelQueue(store, subject, { blindFor: '' });
    for (const { trace_id, case: caseName, trial_number, drawn } of items) {
      const trace = drawn && (await store.getTrace(trace_id));
      if (!trace) continue;
      const place = { run_id: run.run_id, scenario: scenario.name, case: caseName, trial_number };
      yield { ...place, passed: null, drawn, trace };
    }
  }
}

/** One for each scenario that has the judge. */
function judgesToLabel({ run_id, scenarios }: RunRecord, assertion: string | undefined) {
  const found = scenarios.flatMap(({ name, scenario }, index) => {
    const named = namedAssertions(scenario);
    const own = scenarioJudges({ assertions: named }, undefined).flatMap(({ index }) => named[index]?.id ?? []);
    const chosen = assertion === undefined ? own : own.filter((id) => id === assertion);
    if (chosen.length > 1) {
      const names = list(
        chosen.map((id) => `{option:toLabel} ${id}`),
        'or',
      );
      throw new SalvoError(
        'JUDGE_AMBIGUOUS',
        `The scenario ${name} has ${chosen.length} judges. Choose one: ${names}.`,
      );
    }
    return chosen.map((assertionId) => ({ index, assertionId }));
  });
  if (found.length > 0) return found;
  const which = assertion === undefined ? 'a judge' : `a judge ${JSON.stringify(assertion)}`;
  throw new SalvoError('JUDGE_UNKNOWN', `No scenario of run ${run_id} has ${which}.`);
}
