import { createPricing } from '../packages/salvo/src/models/budget/prices.ts';
import { createLimiters } from '../packages/salvo/src/models/call/call-services.ts';
import { createOutages } from '../packages/salvo/src/models/call/outages.ts';
import { prepareScenario } from '../packages/salvo/src/run/conduct/prepare-scenario.ts';
import type { RunRequest } from '../packages/salvo/src/run/conduct/run-request.ts';
import { newRun, recordedScenario } from '../packages/salvo/src/run/record/new-run.ts';
import type { RunRecord } from '../packages/salvo/src/run/record/run-record.ts';
import { type LoadedScenario, loadScenario } from '../packages/salvo/src/scenario/load-scenario.ts';
import { openSqliteStore } from '../packages/salvo/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../packages/salvo/src/store/store.ts';
import { type ProjectFixture, projectFixture } from './project-fixture.ts';

export interface RunFixture extends AsyncDisposable {
  files: ProjectFixture;
  store: Store;
  loaded: LoadedScenario[];
  /** A run of all scenarios that has not begun yet. */
  run(options?: Partial<RunRecord['options']>): RunRecord;
  request(run: RunRecord, changes?: Partial<RunRequest>): Promise<RunRequest>;
}

/** A project whose scenario files are all loaded, and a store in memory. Disposes of both. */
export async function runFixture(files: Record<string, string>): Promise<RunFixture> {
  const fixture = await projectFixture(files);
  const project = await fixture.project();
  const store = await openSqliteStore({ file: ':memory:' });
  const names = Object.keys(files).filter((name) => name.endsWith('.yaml') && name !== 'salvo.yaml');
  const loaded = await Promise.all(names.map((name) => loadScenario({ file: fixture.path(name), project })));
  const limiterOf = createLimiters({ root: project.root, adapters: project.config.adapters, env: {} });
  const prepared = await Promise.all(loaded.map((each) => prepareScenario(each, { project, env: {}, limiterOf })));
  return {
    files: fixture,
    store,
    loaded,
    run: (options = {}) =>
      newRun({
        reeval_of: null,
        git: null,
        options: {
          ...{
            trials: 3,
            cases: null,
            seed: 1,
            record_only: false,
            allow_unscored: false,
            min_pass_rate: null,
            min_score: null,
          },
          ...options,
        },
        scenarios: prepared.map(recordedScenario),
      }),
    request: async (run, changes = {}) => ({
      run,
      resumed: false,
      prepared,
      project,
      recorder: store,
      services: {
        pricing: createPricing(project.config.prices),
        retry: { maxRetries: 0, baseDelaySeconds: 0, maxDelaySeconds: 0 },
        outageOf: createOutages(),
      },
      concurrency: 4,
      budgetUsd: null,
      ...changes,
    }),
    async [Symbol.asyncDispose]() {
      await store.close();
      await fixture[Symbol.asyncDispose]();
    },
  };
}
