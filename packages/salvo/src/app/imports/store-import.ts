import { joinedSignals } from '../../queue/lease.ts';
import { countedCases, plannedCases, plannedTrials, trialKey } from '../../run/record/planned-cases.ts';
import type { ScenarioSummary } from '../../run/record/run-document.ts';
import type { RunRecord, RunScenario } from '../../run/record/run-record.ts';
import { createScenarioTally, type ScenarioTally } from '../../run/tally/scenario-tally.ts';
import { scenarioGates } from '../../run/verdict/gates.ts';
import { runVerdict } from '../../run/verdict/verdict.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { evaluateTrial } from '../../trial/evaluate-trial.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import type { PlacedConversation } from './read-imports.ts';

interface StoredImport {
  run: RunRecord;
  store: Store;
  project: Project;
  /** All conversations of the files, whether or not they were stored before. */
  conversations: (stop: AbortSignal) => AsyncIterable<PlacedConversation>;
  stop?: AbortSignal | undefined;
}

/** Conversations that are stored together, in one transaction: at most so many, and about so many characters. */
const MOST_AT_ONCE = 250;
const MOST_CHARACTERS = 250_000;

/**
 * Stores conversations as the trials of a run, with their given outcomes. What an earlier process has stored of the same
 * run is not stored again. Returns whether it was interrupted, and the figures.
 */
export async function storeImport(
  options: StoredImport,
): Promise<{ isInterrupted: boolean; summaries: ScenarioSummary[] }> {
  const { run, store } = options;
  await using lease = await store.claim({ kind: 'run', id: run.run_id });
  const { stop } = joinedSignals(options, lease);
  const isNew = (await store.getRun(run.run_id)) === null;
  if (isNew) await store.createRun(run);
  else await store.updateRun(run.run_id, { status: 'running', finished_at: null, verdict: null, exit_code: null });
  const scenarios = run.scenarios.map((entry) => openScenario(run, entry));
  if (!isNew) await addStored(store, run, scenarios);
  await storeAll(options.conversations(stop), (conversation) => storeOne(conversation, scenarios, options));
  lease.lost.throwIfAborted();
  const isInterrupted = scenarios.some(({ tally, planned }) => tally.counts().total < planned);
  const summaries = scenarios.map((each) => summaryOf(each, isInterrupted));
  await store.updateRun(run.run_id, {
    status: isInterrupted ? 'interrupted' : 'finished',
    finished_at: new Date().toISOString(),
    ...runVerdict(summaries.map(({ verdict }) => verdict)),
    summaries,
  });
  return { isInterrupted, summaries };
}

/** Stores conversations in groups. While one is written to the disk, the next is read. */
async function storeAll(
  conversations: AsyncIterable<PlacedConversation>,
  store: (conversation: PlacedConversation) => Promise<void>,
): Promise<void> {
  let storing: Promise<unknown> = Promise.resolve();
  let group: PlacedConversation[] = [];
  let characters = 0;
  const flush = async (): Promise<void> => {
    await storing;
    storing = Promise.all(group.map(store));
    // It is awaited before the next group. Until then, a failure has no other listener.
    storing.catch(() => {});
    group = [];
    characters = 0;
  };
  for await (const conversation of conversations) {
    group.push(conversation);
    characters += conversation.trace.messages.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
    if (group.length >= MOST_AT_ONCE || characters >= MOST_CHARACTERS) await flush();
  }
  await flush();
  await storing;
}

interface OpenScenario {
  /** That of any case: they differ in their names only. */
  scenario: Scenario;
  tally: ScenarioTally;
  planned: number;
  /** Trials that an earlier process has stored. */
  stored: Set<number>;
}

function openScenario({ options, created_at: startedAt }: RunRecord, entry: RunScenario): OpenScenario {
  const { file, model, adapter, scenario: whole } = entry;
  const { name, threshold } = whole;
  const cases = plannedCases(whole, { options, chosen: null });
  const gates = scenarioGates(options, whole);
  const tally = createScenarioTally({ gates, name, file, model, adapter, threshold, cases, startedAt });
  const { data: _, ...scenario } = whole;
  return { scenario, tally, planned: plannedTrials(countedCases(cases, startedAt).counted), stored: new Set() };
}

async function addStored(store: Store, { run_id }: RunRecord, scenarios: readonly OpenScenario[]): Promise<void> {
  for await (const { scenario_index, case_index, trial_number, result } of store.trials(run_id)) {
    const scenario = scenarios[scenario_index];
    if (!scenario || !result) continue;
    scenario.tally.add(result);
    scenario.stored.add(trialKey(case_index, trial_number));
  }
}

async function storeOne(
  { place, trace, source }: PlacedConversation,
  scenarios: readonly OpenScenario[],
  { run, store, project }: StoredImport,
): Promise<void> {
  const of = scenarios[place.suite];
  if (!of) throw new SalvoError('FILE_CHANGED', `${source.file} has changed while it was imported. Import it again.`);
  if (of.stored.has(trialKey(place.case, place.trial))) return;
  const result: TrialResult = {
    ...(await evaluateTrial({
      trace,
      traceId: null,
      ofCase: { index: place.case, name: place.caseName },
      context: { scenario: of.scenario, trialNumber: place.trial, project },
    })),
    imported: source,
  };
  of.tally.add(result);
  const trial = {
    ...{ run_id: run.run_id, scenario_index: place.suite, case_index: place.case, case: place.caseName },
    ...{ trial_number: place.trial, result, earlier_cost: null },
  };
  if (store.saveFinished) await store.saveFinished(trace, trial);
  else await store.saveTrial({ ...trial, trace_id: await store.saveTrace(trace, trial) });
}

function summaryOf({ tally }: OpenScenario, isInterrupted: boolean): ScenarioSummary {
  const stopped = isInterrupted ? 'interrupted' : null;
  // Nobody has said what the trials of an import must reach.
  return { ...tally.summary({ stopped, allowUnscored: true, recordOnly: true }), gates: [] };
}
