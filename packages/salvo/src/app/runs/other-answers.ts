import type { OtherAnswer } from '../../evaluators/evaluator.ts';
import type { AnswerPlace, AnswersOf } from '../../run/conduct/run-request.ts';
import { pairedCases } from '../../run/record/paired-cases.ts';
import type { RunRecord, RunScenario, TrialHead } from '../../run/record/run-record.ts';
import { everyAssertion } from '../../scenario/cases/case-fields.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import type { Store } from '../../store/store.ts';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { memoByKey } from '../../text/memo.ts';
import { isMetadataOnly } from '../../trace/not-recorded.ts';
import { findStoredRun } from '../compare/run-source.ts';

/** The runs that judges compare answers with, by what their assertions call them. */
type ComparedRuns = Readonly<Record<string, string>>;

/**
 * The ids of the runs that the assertions of a run name. `latest` is another run later, so that a run keeps the one that
 * it was begun with. Throws if there is no such run.
 */
export async function comparedRuns(
  store: Store,
  scenarios: readonly { scenario: Pick<Scenario, 'assertions' | 'data'> }[],
  known: ComparedRuns = {},
): Promise<ComparedRuns | undefined> {
  const named = scenarios.flatMap(({ scenario }) =>
    everyAssertion(scenario).flatMap((assertion) => namedRun(assertion)),
  );
  const ids: [string, string][] = [];
  for (const name of new Set(named)) {
    ids.push([name, known[name] ?? (await findStoredRun(store, splitName(name).run)).run_id]);
  }
  return ids.length === 0 ? undefined : Object.fromEntries(ids);
}

/** Templates are filled in for each case, and such a name is looked up when it is needed. */
function namedRun(assertion: { type: string; against?: unknown }): string[] {
  const { type, against } = assertion;
  const isNamed = type === 'judge' && typeof against === 'string' && against !== 'reference' && !against.includes('{{');
  return isNamed ? [against] : [];
}

function splitName(name: string): { run: string; model: string | null } {
  const at = name.lastIndexOf('@');
  return at <= 0 ? { run: name, model: null } : { run: name.slice(0, at), model: name.slice(at + 1) };
}

/**
 * Finds answers of stored runs: the one of the trial with the same number in the same case. If that has none, such as
 * because the other run had fewer trials, the answers of the case are used in turn.
 */
export function answersOfRuns(store: Store, known: ComparedRuns = {}): AnswersOf {
  const runOf = memoByKey((name) => findStoredRun(store, known[name] ?? splitName(name).run));
  const headsOf = memoByKey((runId) => Array.fromAsync(store.trialHeads(runId)));
  return async (name, place) => {
    try {
      const run = await runOf(name);
      const found = scenarioIn(run, place, splitName(name).model);
      if ('problem' in found) return found;
      return await answerIn(store, { run, ...found, heads: await headsOf(run.run_id) }, place);
    } catch (error) {
      if (error instanceof SalvoError) return { problem: errorMessage(error) };
      throw error;
    }
  };
}

/** The scenario of another run that is meant: the same one, and of several models the same or the named one. */
function scenarioIn(
  { run_id, scenarios }: RunRecord,
  place: AnswerPlace,
  model: string | null,
): { index: number; then: RunScenario } | { problem: string } {
  const all = scenarios.map((then, index) => ({ then, index }));
  const sameName = all.filter(({ then }) => then.name === place.name);
  const sameFile = sameName.filter(({ then }) => then.file === place.file);
  const same = sameFile.length > 0 ? sameFile : sameName;
  if (same.length === 0) return { problem: `run ${run_id} has no scenario "${place.name}"` };
  const wanted = model ?? place.model;
  const ofModel = same.filter(({ then }) => then.model === wanted || then.adapter === wanted);
  const [first, second] = ofModel.length > 0 || model !== null ? ofModel : same;
  if (!first) return { problem: `run ${run_id} has no scenario "${place.name}" with the model ${model}` };
  if (second) return { problem: `run ${run_id} has scenario "${place.name}" several times: choose one with RUN@model` };
  return first;
}

async function answerIn(
  store: Pick<Store, 'getTrace'>,
  other: { run: RunRecord; index: number; then: RunScenario; heads: readonly TrialHead[] },
  place: AnswerPlace,
): Promise<OtherAnswer> {
  const { run_id } = other.run;
  const caseNow = pairedCases(other.then.scenario, place.scenario);
  const ofCase = other.heads.filter(
    ({ scenario_index, case_index }) => scenario_index === other.index && caseNow(case_index) === place.caseIndex,
  );
  if (ofCase.length === 0) return { problem: `run ${run_id} has no trial of this case` };
  const same = ofCase.filter(({ trial_number }) => trial_number === place.trialNumber);
  const turn = (place.trialNumber - 1) % ofCase.length;
  for (const head of [...same, ...ofCase.slice(turn), ...ofCase.slice(0, turn)]) {
    const trace = head.trace_id === null ? null : await store.getTrace(head.trace_id);
    // An agent that was cut off by an error has no answer to compare with.
    if (!trace || trace.error !== null || isMetadataOnly(trace)) continue;
    return { trace, run_id, trial_number: head.trial_number, trace_id: head.trace_id };
  }
  return {
    problem: `run ${run_id} has no answer to this case: its trials ended with an error, or were recorded without texts`,
  };
}
