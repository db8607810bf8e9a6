import { calibrationLookup } from '../../judge/calibration/judges-in-use.ts';
import { changesReader } from '../../queue/coordinate.ts';
import type { RunOutcome } from '../../run/conduct/run-request.ts';
import { plannedCases, plannedTrials } from '../../run/record/planned-cases.ts';
import type { ScenarioSummary } from '../../run/record/run-document.ts';
import type { RunRecord, StoredTrial } from '../../run/record/run-record.ts';
import { judgesOf } from '../../store/judge-tables.ts';
import type { AgainstEnd } from '../compare/against.ts';
import { type EndedRun, type RunWork, runSettingsSchema } from './run-work.ts';
import type { FollowRequest, LeadRequest, WorkKind } from './work-kind.ts';

export const runKind: WorkKind<RunWork> = {
  kind: 'run',
  settings: runSettingsSchema,
  getRecord: (store, id) => store.getRun(id),
  isWithoutCode: ({ options }) => options.no_code ?? false,
  findIds: (store, prefix, limit) => store.findRunIds(prefix, limit),
  lead: leadStoredRun,
  openDesk: async (request) => (await import('./run-desk.ts')).openRunDesk(request),
  follow: followRun,
};

async function leadStoredRun(request: LeadRequest<RunWork>): Promise<RunOutcome> {
  const { record: run, settings, labels, store, workforce } = request;
  const { leadRun } = await import('../../run/workers/lead-run.ts');
  const judges = settings.judges.map(({ judge_hash, is_script, facts }) => ({
    ...{ judgeHash: judge_hash, isScript: is_script, facts },
  }));
  const against = await readBaseline(request);
  return await leadRun({
    ...request,
    run,
    resumed: (await store.getRun(run.run_id)) !== null,
    recorder: store,
    scenarios: run.scenarios
      .slice(0, labels.length)
      .map(({ scenario, file, adapter, model }) => ({ scenario, relativeFile: file, adapterName: adapter, model })),
    judge: settings.judge,
    calibrationOf: calibrationLookup(judgesOf(store), judges),
    judgeSummaries: against && ((own: ScenarioSummary[]) => against.judge(store, run.run_id, own)),
    earlyStop: run.options.early_stop,
    labelsOf: (scenario) => labels[scenario] ?? [],
    getTrial: (runId, place) => store.getTrial(runId, place),
    changedTrials: (runId, cursor) => workforce.changedTrials(runId, cursor),
    // Who takes it over follows it already.
    onEvent: (event) => (event.type === 'run_started' && request.isTakenOver ? undefined : request.onEvent(event)),
  });
}

/** The baseline that travelled with the order; null if it has none. */
async function readBaseline({ readFile }: Pick<LeadRequest<RunWork>, 'readFile'>): Promise<AgainstEnd | null> {
  const content = await readFile('baseline');
  if (content === null) return null;
  const { againstBaseline } = await import('../compare/against.ts');
  const { readResults } = await import('../../run/compare/read-results.ts');
  return againstBaseline(readResults(new TextDecoder().decode(content), 'the baseline'));
}

async function followRun(request: FollowRequest<RunWork>) {
  const { record: run, store, project, workforce, onEvent } = request;
  // Read now: it goes with the order when the run ends.
  const baseline = await readBaseline(request);
  onEvent({ type: 'run_prepared', run, warnings: [], uncalibrated: [] });
  const planned = run.scenarios.map(({ scenario }, index) =>
    plannedTrials(plannedCases(scenario, { options: run.options, chosen: run.options.cases?.[index] ?? null })),
  );
  const cursor = await workforce.cursor();
  const seen = new Set<string>();
  for await (const trial of store.trials(run.run_id)) if (trial.result) seen.add(placeOf(trial));
  onEvent({
    type: 'run_started',
    planned: planned.reduce((sum, each) => sum + each, 0),
    earlierTrials: seen.size,
    ...{ repeated: 0, judgedAgain: 0 },
  });
  const count = (trial: StoredTrial): void => {
    if (!trial.result || seen.has(placeOf(trial))) return;
    seen.add(placeOf(trial));
    onEvent({ type: 'trial_finished', scenario: trial.scenario_index, result: trial.result });
  };
  return {
    read: changesReader(cursor, { changed: (since) => workforce.changedTrials(run.run_id, since), count }),
    end: async (ended: RunRecord, outcome: RunOutcome | null): Promise<EndedRun> => ({
      ...{ run: ended, store, project, warnings: outcome?.warnings ?? [] },
      against: (await baseline?.outcome(store, ended)) ?? null,
    }),
  };
}

function placeOf(trial: { scenario_index: number; case_index: number; trial_number: number }): string {
  return `${trial.scenario_index}/${trial.case_index}/${trial.trial_number}`;
}
