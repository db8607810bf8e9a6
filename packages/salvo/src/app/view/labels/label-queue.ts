import { namedAssertions } from '../../../evaluators/assertion-ids.ts';
import { doubtOf, doubtOfChance } from '../../../judge/calibration/doubt.ts';
import { drawTrials } from '../../../judge/calibration/draw-trials.ts';
import type { Drawn, HumanLabel } from '../../../judge/calibration/human-label.ts';
import { scenarioJudges } from '../../../judge/scenario-judges.ts';
import { readVotes } from '../../../judge/stored-votes.ts';
import type { RunRecord, StoredTrial } from '../../../run/record/run-record.ts';
import { judgesOf } from '../../../store/judge-tables.ts';
import type { Store } from '../../../store/store.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import { isRecord } from '../../../text/json/is-record.ts';
import { findRun } from '../../project/open-project.ts';

/** What is labelled: the trials of a scenario, for one of its judges or (null) as a whole. */
export interface LabelSubject {
  run: string;
  scenario: number;
  assertionId: string | null;
}

/** The trials to label, in the order in which they were drawn. */
export type LabelQueue = Awaited<ReturnType<typeof labelQueue>>;

export interface LabelItem {
  case_index: number;
  case: string | null;
  trial_number: number;
  trace_id: string;
  /** How it was drawn; null without a verdict, which no label could be compared with. Such trials are the last. */
  drawn: Drawn | null;
  /** Null when it is not to be known, or there is no verdict. */
  judge: JudgeOpinion | null;
  labels: HumanLabel[];
  /** Its judge left the verdict to people: it is unscored until it has a label and is judged again. */
  waits: boolean;
}

/** The verdict of the judge, or of all assertions of the trial. */
type JudgeOpinion = NonNullable<ReturnType<typeof opinionOn>>['shown'];

/** With `blindFor`, no verdict of a judge is in it, and no label of anybody but this person. */
export async function labelQueue(
  store: Store,
  subject: LabelSubject,
  { blindFor }: { blindFor?: string | undefined } = {},
) {
  const run = await findRun(store, subject.run);
  const { entry, criteria } = labelledAssertion(run, subject);
  const labels = Map.groupBy(
    (await judgesOf(store).listLabels()).filter(
      ({ assertion_id, labelled_by }) =>
        assertion_id === subject.assertionId && (blindFor === undefined || labelled_by === blindFor),
    ),
    ({ trace_id }) => trace_id,
  );
  const found: { item: Omit<LabelItem, 'drawn'>; doubt: number | null }[] = [];
  for await (const trial of store.trials(run.run_id, { scenarioIndex: subject.scenario })) {
    const { trace_id, case_index, case: caseName, trial_number } = trial;
    if (trace_id === null) continue;
    const opinion = opinionOn(trial, subject.assertionId);
    const judge = blindFor === undefined ? (opinion?.shown ?? null) : null;
    const waits = waitsForPeople(trial, subject.assertionId);
    const own = labels.get(trace_id) ?? [];
    const item = { case_index, case: caseName, trial_number, trace_id, judge, labels: own, waits };
    found.push({ item, doubt: opinion?.doubt ?? null });
  }
  const drawn = drawTrials(found.flatMap(({ item, doubt }) => (doubt === null ? [] : [{ id: item.trace_id, doubt }])));
  const items = found.map(({ item }): LabelItem => ({ ...item, drawn: drawn.get(item.trace_id) ?? null }));
  const { name, file, model } = entry;
  return {
    run_id: run.run_id,
    scenario: { index: subject.scenario, name, file, model },
    assertion_id: subject.assertionId,
    criteria,
    items: items.toSorted((a, b) => positionOf(a) - positionOf(b)),
  };
}

/** Throws if the run has no such scenario, or the scenario no such judge. */
export function labelledAssertion(run: RunRecord, { scenario, assertionId }: LabelSubject) {
  const entry = run.scenarios[scenario];
  if (!entry) throw new SalvoError('SCENARIO_UNKNOWN', `Run ${run.run_id} has no scenario ${scenario}.`);
  if (assertionId === null) return { entry, assertion: null, criteria: [] };
  const assertions = namedAssertions(entry.scenario);
  const found = scenarioJudges({ assertions }, undefined).find(({ assertion }) => assertion.id === assertionId);
  if (!found) {
    throw new SalvoError('JUDGE_UNKNOWN', `The scenario ${entry.name} has no judge ${JSON.stringify(assertionId)}.`);
  }
  const { assertion } = found;
  const criteria = (assertion.criteria ?? []).map(({ name, description }) => ({ name, description }));
  return { entry, assertion, criteria };
}

/** Trials that wait for people come first. The others are in the order of the draw. */
function positionOf({ drawn, waits }: LabelItem): number {
  return waits ? 0 : (drawn?.position ?? Number.MAX_SAFE_INTEGER);
}

/** Whether a cascade of judges came to its end without a verdict, and people decide. */
function waitsForPeople({ result }: StoredTrial, assertionId: string | null): boolean {
  const found = result?.eval_results.find((each) => each.assertion_id === assertionId);
  return isRecord(found?.metadata.cascade) && found.metadata.cascade.people === 'waiting';
}

/** With its doubt, by which it is drawn. */
function opinionOn({ result }: StoredTrial, assertionId: string | null) {
  if (!result) return null;
  if (assertionId === null) {
    if (result.status === 'unscored' || result.score === null) return null;
    const shown = { passed: result.status === 'passed', score: result.score, votes: 0, dissenting: 0, criteria: [] };
    return { shown, doubt: doubtOfChance(result.score) };
  }
  const found = result.eval_results.find((each) => each.assertion_id === assertionId);
  const votes = found && readVotes(found.metadata);
  if (!found || !votes || found.status === 'unscored') return null;
  const readable = votes.votes.filter(({ scores }) => scores !== null).length;
  return {
    shown: {
      passed: found.passed,
      score: found.score,
      /** Readable votes, and how many of them differ from the verdict. */
      votes: readable,
      dissenting: votes.dissenting_votes,
      criteria: votes.per_criterion.map(({ name, score }) => ({ name, score })),
    },
    doubt: doubtOf(found, votes),
  };
}
