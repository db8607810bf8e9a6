import { dirname, resolve } from 'node:path';
import { openProjectStore, projectRedactor, withPassedOn } from '../app/project/open-project.ts';
import { gitState } from '../app/runs/git-state.ts';
import { createMemoryRecorder, runLoaded, type ScenarioRun } from '../app/runs/run-scenario.ts';
import type { RunRecord } from '../run/record/run-record.ts';
import { loadHooks } from '../scenario/code/load-hooks.ts';
import type { ScenarioDefinition } from '../scenario/code/scenario-definition.ts';
import { AGENT } from '../scenario/code/scenario-functions.ts';
import { loadProject } from '../scenario/load-project.ts';
import { loadScenario } from '../scenario/load-scenario.ts';
import { scenarioFromObject } from '../scenario/scenario-object.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { Store } from '../store/store.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import type { TrialResult } from '../trial/trial-result.ts';
import { readSubject } from './subject.ts';
import { type EvaluateOptions, shareOption } from './test-options.ts';
import { placeOf, type TestPlace } from './test-place.ts';

/** What the matchers know about a run, besides what its user sees. */
export interface TestedRun {
  run: ScenarioRun;
  record: RunRecord;
  project: Project;
  options: EvaluateOptions;
  place: TestPlace;
  env: Record<string, string | undefined>;
  /** The file of the scenario, or of the test. */
  file: string;
  /** Takes secrets out of what is shown. */
  redactor: Redactor;
  /** With the results of matchers, as they are stored. */
  results: TrialResult[];
  /** Null if nothing is stored. */
  openStore: (() => Promise<Store>) | null;
  /** The latest change of the stored run: there is one at a time. */
  storing: Promise<void>;
}

const testedRuns = new WeakMap<object, TestedRun>();

/** The run that `evaluate` returned; undefined for anything else. */
export function testedRun(value: unknown): TestedRun | undefined {
  return typeof value === 'object' && value !== null ? testedRuns.get(value) : undefined;
}

/** Runs a subject N times, scores it, and stores it like any run of the project. */
export async function testSubject(subject: unknown, options: EvaluateOptions, current: TestPlace): Promise<TestedRun> {
  const place = options.test ? placeOf(options.test, current) : current;
  const { cwd = process.cwd(), env = process.env } = options;
  if (options.trials !== undefined && !(Number.isInteger(options.trials) && options.trials >= 1)) {
    throw new SalvoError('OPTIONS_INVALID', `trials is ${options.trials}: it is a whole number of at least 1.`);
  }
  const { agent, ...read } = readSubject(subject, options);
  const how = runOptions(options, place);
  const settings = await loadProject(cwd);
  const loaded =
    'file' in read
      ? await loadScenario({ file: resolve(folderOf(place, cwd), read.file), project: settings })
      : scenarioFromObject(namedScenario(read.scenario, place), {
          project: settings,
          agent: agent && AGENT,
          file: place.file ?? undefined,
        });
  const project = await withPassedOn(settings, [loaded]);
  const hooks = await loadHooks(project);
  const isStored = options.store !== false && env.SALVO_STORE !== 'off';
  const openStore = isStored ? () => openProjectStore(project, { env }) : null;
  let store: Store | undefined;
  const openRecorder = async () => {
    store = await openStore?.();
    return store ?? createMemoryRecorder();
  };
  try {
    const { run, record } = await runLoaded(
      { ...how, agent },
      { project, loaded, openRecorder, judgeCache: true, hooks, git: openStore && (await gitState(project.root)) },
    );
    const tested: TestedRun = {
      ...{ run, record, project, options, place, env, openStore },
      file: loaded.file,
      redactor: projectRedactor(project, env),
      results: run.trials.map(({ trace: _, ...result }) => result),
      storing: Promise.resolve(),
    };
    testedRuns.set(run, tested);
    return tested;
  } finally {
    await store?.close();
  }
}

/** Paths in a test are relative to its file. */
function folderOf({ file }: TestPlace, cwd: string): string {
  return file === null ? cwd : dirname(file);
}

/** The name of a scenario without one is that of its test. */
function namedScenario(scenario: ScenarioDefinition, { name }: TestPlace): ScenarioDefinition {
  return { ...(name === null ? {} : { name: name.slice(0, 200) }), ...scenario };
}

function runOptions(options: EvaluateOptions, place: TestPlace) {
  const { adapter, model, trials, seed, concurrency, budgetUsd, retries, allowUnscored, env } = options;
  const { cwd = process.cwd(), modelCassette, cassettes } = options;
  const signals = [options.signal, place.signal].filter((signal) => signal !== null && signal !== undefined);
  return {
    ...{ adapter, model, trials, seed, concurrency, budgetUsd, retries, allowUnscored, env },
    ...{ cwd, cassettes, modelCassette: modelCassette && resolve(folderOf(place, cwd), modelCassette) },
    minPassRate: shareOption('minPassRate', options.minPassRate) ?? undefined,
    minScore: shareOption('minScore', options.minScore) ?? undefined,
    abort: signals.length === 0 ? undefined : AbortSignal.any(signals),
  };
}
