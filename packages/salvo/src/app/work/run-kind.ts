import { changesReader } from '../../queue/coordinate.ts';
import type { RunOutcome } from '../../run/conduct/run-request.ts';
import { plannedCases, plannedTrials } from '../../run/record/planned-cases.ts';
import type { RunRecord, StoredTrial } from '../../run/record/run-record.ts';
import { type EndedRun, type RunWork, readBaseline, runSettingsSchema } from './run-work.ts';
import type { FollowRequest, WorkKind } from './work-kind.ts';

export const runKind: WorkKind<RunWork> = {
  kind: 'run',
  settings: runSettingsSchema,
  getRecord: (store, id) => store.getRun(id),
  isWithoutCode: ({ options }) => options.no_code ?? false,
  findIds: (store, prefix, limit) => store.findRunIds(prefix, limit),
  coordinate: async (request) => (await import('./coordinate-run.ts')).coordinateRun(request),
  variables: async (request) => (await import('./run-performer.ts')).variablesOfRun(request),
  openPerformer: async (request) => (await import('./run-performer.ts')).openRunPerformer(request),
  follow: followRun,
};

async function followRun(request: FollowRequest<RunWork>) {
  const { record: run, store, project, workerAccess, onEvent } = request;
  // Read now: it goes with the order when the run ends.
  const baseline = await readBaseline(request);
  onEvent({ type: 'run_prepared', run, warnings: [], uncalibrated: [] });
  const planned = run.scenarios.map(({ scenario }, index) =>
    plannedTrials(plannedCases(scenario, { options: run.options, chosen: run.options.cases?.[index] ?? null })),
  );
  const cursor = await workerAccess.cursor();
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
    read: changesReader(cursor, { changed: (since) => workerAccess.changedTrials(run.run_id, since), count }),
    end: async (ended: RunRecord, outcome: RunOutcome | null): Promise<EndedRun> => ({
      ...{ run: ended, store, project, warnings: outcome?.warnings ?? [] },
      against: (await baseline?.outcome(store, ended)) ?? null,
    }),
  };
}

function placeOf(trial: { scenario_index: number; case_index: number; trial_number: number }): string {
  return `${trial.scenario_index}/${trial.case_index}/${trial.trial_number}`;
}
