import { assertionIds, namedCases } from '../../evaluators/assertion-ids.ts';
import type { HumanLabel } from '../../judge/calibration/human-label.ts';
import { peoplesVerdict } from '../../judge/calibration/people.ts';
import { scenarioJudges } from '../../judge/scenario-judges.ts';
import { readVotes } from '../../judge/stored-votes.ts';
import type { RunRecord, StoredTrial } from '../../run/record/run-record.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { judgesOf } from '../../store/judge-tables.ts';
import type { Store } from '../../store/store.ts';
import { canonicalJson } from '../../text/json/canonical-json.ts';
import { givenLabels } from './given-labels.ts';

/** A judge of a scenario. */
export interface LabelledJudge {
  file: string;
  scenario: string;
  assertion_id: string;
}

/** What people said of one conversation for one judge, with the newest judgement of it. */
export type StoredJudgement = NonNullable<Awaited<ReturnType<typeof judgementOf>>>;

/**
 * The judgements that people have given labels for, or, of the run `given`, that an outcome was imported for; how many labels are on conversations that no judge has judged, or that
 * are not stored any more; and how many labels can't be read.
 */
export async function storedJudgements(store: Store, given?: RunRecord | undefined) {
  let unreadable = 0;
  const onUnreadable = () => {
    unreadable += 1;
  };
  const all = given ? await givenLabels(store, given) : await judgesOf(store).listLabels({ onUnreadable });
  const labels = all.filter(({ assertion_id }) => assertion_id !== null);
  const groups = Map.groupBy(labels, ({ trace_id, assertion_id }) => JSON.stringify([trace_id, assertion_id]));
  const runs = new Map<string, RunRecord | null>();
  const runOf = async (id: string) => {
    if (!runs.has(id)) runs.set(id, await store.getRun(id));
    return runs.get(id) ?? null;
  };
  const judged: StoredJudgement[] = [];
  let withoutJudgement = 0;
  for (const group of groups.values()) {
    const found = await judgementOf(group, { store, runOf, isOfRun: given !== undefined });
    if (found) judged.push(found);
    else withoutJudgement += 1;
  }
  return { judged, withoutJudgement, unreadable };
}

interface JudgedStore {
  store: Store;
  runOf: (id: string) => Promise<RunRecord | null>;
  /** The judgement of the run of the label; otherwise the newest of the trace. */
  isOfRun: boolean;
}

async function judgementOf(labels: HumanLabel[], { store, runOf, isOfRun }: JudgedStore) {
  const [first] = labels;
  const trial = first && (isOfRun ? await trialOf(first, store) : await store.findTrialOfTrace(first.trace_id));
  const result = trial?.result?.eval_results.find((each) => each.assertion_id === first?.assertion_id);
  const votes = result && readVotes(result.metadata);
  const run = trial && (await runOf(trial.run_id));
  const trace = first && votes && (await store.getTrace(first.trace_id));
  if (!first || !trial || !result || !votes || !run || !trace) return null;
  const { file, scenario } = first;
  const assertion_id = result.assertion_id;
  const asked = assertionOf(run.scenarios[trial.scenario_index]?.scenario, trial, assertion_id);
  const { passed, labels: byCriterion } = peoplesVerdict(labels);
  const place = { file, scenario, assertion_id };
  return {
    ...place,
    labels,
    /** The same for verdicts of the same judge. */
    key: asked.hasTemplates ? canonicalJson(place) : votes.judge_hash,
    /** Whether its criteria differ from case to case, so that it is several judges. */
    hasTemplates: asked.hasTemplates,
    judgedAt: run.created_at,
    judgeHash: votes.judge_hash,
    /** What was asked, as far as the stored scenario says. */
    assertion: asked.assertion,
    judgement: {
      trace,
      scenario,
      case: first.case,
      labels: byCriterion,
      passed,
      votes,
      judged: { score: result.status === 'scored' ? result.score : null, passed: result.passed },
    },
  };
}

function trialOf({ run_id, scenario_index, case_index, trial_number }: HumanLabel, store: Store) {
  return store.getTrial(run_id, { scenario: scenario_index, case: case_index, trial: trial_number });
}

function assertionOf(scenario: Scenario | undefined, trial: StoredTrial, id: string) {
  const none = { assertion: null, hasTemplates: false };
  if (!scenario) return none;
  const index = assertionIds(scenario.assertions).indexOf(id);
  // Rows may have different judges with one id.
  const isOfRow = index === -1;
  const hasTemplates =
    scenario.data !== undefined && (isOfRow || canonicalJson(scenario.assertions[index] ?? null).includes('{{'));
  try {
    const ofCase = namedCases(scenario).scenarioOf(trial.case_index);
    const found = scenarioJudges(ofCase, undefined).find(({ assertion }) => assertion.id === id);
    return { assertion: found?.assertion ?? null, hasTemplates };
  } catch {
    return { ...none, hasTemplates };
  }
}
