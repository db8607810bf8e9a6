import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Baseline, BaselineScenario } from '../../run/compare/baseline.ts';
import { baselineOfRun } from '../../run/compare/baseline-of-run.ts';
import { readResults } from '../../run/compare/read-results.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { completeRunIds } from '../../store/resolve-id.ts';
import type { Store } from '../../store/store.ts';
import { errorCode, SalvoError } from '../../text/errors/salvo-error.ts';
import { isUnreadable } from '../../text/errors/unreadable-error.ts';
import { openResources } from '../../text/open-resources.ts';
import { suggestionSentence } from '../../text/words/did-you-mean.ts';
import { findRun, openProjectStore } from '../project/open-project.ts';
import { isFile, readTextFile } from '../project/read-text-file.ts';

/** Results that a user named, and how to call them. */
export interface NamedResults {
  label: string;
  baseline: Baseline;
}

/**
 * Reads results by what a user calls them: a run (its id, the beginning of it, `latest`, `latest~1`), a file (a baseline
 * or what `salvo run --json` printed), or `git:REF[:path]`, which is the baseline as it was committed. `@model` at the end
 * chooses one model or adapter of several. The store is opened only if a run is named.
 */
export function openResultsReader(
  project: Project,
  { cwd, env }: { cwd: string; env: Record<string, string | undefined> },
) {
  const resources = openResources();
  let opened: Promise<Store> | null = null;
  const store = (): Promise<Store> => {
    opened ??= openProjectStore(project, { env, mustExist: true, readOnly: true }).then((each) =>
      resources.adopt(each, (adopted) => adopted.close()),
    );
    return opened;
  };

  async function readUnfiltered(source: string): Promise<NamedResults | null> {
    if (source.startsWith('git:')) {
      const { ref, path } = gitPlace(source, project);
      return { label: `${path} at ${ref}`, baseline: readResults(await readFromGit(project.root, ref, path), source) };
    }
    if (LATEST_BUT.test(source)) return resultsOf(await store(), await findStoredRun(await store(), source));
    if (source !== 'latest' && (await isFile(resolve(cwd, source)))) {
      return { label: source, baseline: readResults(await readTextFile(source, { cwd }), source) };
    }
    // A path that does not exist is no run, whatever is stored.
    if (/[/\\]|\.json$/.test(source)) return null;
    return resultsOf(await store(), await findRun(await store(), source));
  }

  return {
    async read(source: string): Promise<NamedResults> {
      const at = source.startsWith('git:') ? -1 : source.lastIndexOf('@');
      const isWhole = at <= 0 || (await isFile(resolve(cwd, source)));
      const results = await readUnfiltered(isWhole ? source : source.slice(0, at));
      if (!results) {
        throw new SalvoError('FILE_UNREADABLE', `${source} cannot be read: there is no such file.`);
      }
      return isWhole ? results : ofModel(results, source.slice(at + 1));
    },
    /** The newest complete run before this one that has one of its scenarios. */
    readBefore: async ({ baseline }: NamedResults): Promise<NamedResults> => {
      const opened = await store();
      return await resultsBefore(opened, baseline, (run) => resultsOf(opened, run));
    },
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}

/** The results of the newest complete run before this one that has one of its scenarios. */
export async function resultsBefore<T>(
  store: Store,
  { run_id, scenarios }: { run_id: string; scenarios: readonly { file: string; name: string }[] },
  read: (run: RunRecord) => Promise<T>,
): Promise<T> {
  const complete = await completeRunIds(store);
  const position = complete.indexOf(run_id);
  const names = new Set(scenarios.map(({ file, name }) => `${file}\0${name}`));
  const earlier = position === -1 ? [] : await store.runFigures(complete.slice(position + 1));
  const before = earlier.filter(
    (run) => run.reeval_of === null && run.scenarios.some(({ file, name }) => names.has(`${file}\0${name}`)),
  );
  for (const candidate of before) {
    try {
      return await read(await findRun(store, candidate.run_id));
    } catch (error) {
      // Nobody named this run: one before it will do.
      if (!isUnreadable(error)) throw error;
    }
  }
  const message = `There is no earlier run with a scenario of ${run_id}. Name two: salvo compare BASE NEW.`;
  throw new SalvoError('RUN_NOTHING_COMPARABLE', message, { outcome: 'unscored' });
}

export async function resultsOf(store: Pick<Store, 'trials'>, run: RunRecord): Promise<NamedResults> {
  return { label: `run ${run.run_id}`, baseline: await baselineOfRun(run, store.trials(run.run_id)) };
}

const LATEST_BUT = /^latest~(\d{1,6})$/;

/** The stored run that a user means by an id, the beginning of one, `latest` or `latest~1`. */
export async function findStoredRun(store: Store, source: string): Promise<RunRecord> {
  const earlier = LATEST_BUT.exec(source)?.[1];
  return earlier === undefined ? findRun(store, source) : latestBut(store, Number(earlier));
}

async function latestBut(store: Store, earlier: number): Promise<RunRecord> {
  const complete = await completeRunIds(store);
  const runId = complete[earlier];
  if (runId === undefined) {
    const stored = `${complete.length} complete runs are stored`;
    throw new SalvoError('RUN_UNKNOWN', `There is no run latest~${earlier}: ${stored}.`);
  }
  return findRun(store, runId);
}

export function ofModel({ label, baseline }: NamedResults, model: string): NamedResults {
  const named = baseline.scenarios.filter((each) => each.model === model || each.adapter === model);
  const scenarios = named.length > 0 ? named : ofPrompt(baseline.scenarios, model);
  if (scenarios.length === 0) {
    const prompts = baseline.scenarios.flatMap(({ prompt_of }) => prompt_of?.prompt ?? []);
    const models = [...new Set([...baseline.scenarios.flatMap((each) => [each.model, each.adapter]), ...prompts])];
    const guess = suggestionSentence(model, models) || ` It has: ${models.join(', ')}.`;
    throw new SalvoError(
      'MODEL_UNKNOWN',
      `${label} has no scenario with the model, adapter or prompt ${JSON.stringify(model)}.${guess}`,
    );
  }
  return { label: `${label} with ${model}`, baseline: { ...baseline, scenarios } };
}

/** Scenarios with this prompt, under the name that they have with any prompt: that they are asked something else is meant. */
function ofPrompt(scenarios: readonly BaselineScenario[], prompt: string): BaselineScenario[] {
  return scenarios.flatMap(({ prompt_of, ...each }) => {
    if (prompt_of?.prompt !== prompt) return [];
    return [{ ...each, name: prompt_of.scenario, yardstick: { ...each.yardstick, task: null, system_prompt: null } }];
  });
}

/** Where the baseline is kept, relative to salvo.yaml. */
const DEFAULT_BASELINE = 'salvo-baseline.json';

export function baselinePath({ config }: Pick<Project, 'config'>): string {
  return config.baseline ?? DEFAULT_BASELINE;
}

function gitPlace(source: string, project: Project): { ref: string; path: string } {
  const [, ref = '', path] = /^git:([^:]*)(?::(.+))?$/s.exec(source) ?? [];
  // A name of git never begins so; git would take it for an option.
  if (ref === '' || ref.startsWith('-')) {
    throw new SalvoError(
      'GIT_REF_INVALID',
      `${source} names no commit. Write git:REF or git:REF:path, such as git:main.`,
    );
  }
  return { ref, path: path ?? baselinePath(project) };
}

const run = promisify(execFile);
const MOST_BYTES = 100 * 1024 * 1024;

async function readFromGit(root: string, ref: string, path: string): Promise<string> {
  try {
    const { stdout } = await run('git', ['cat-file', 'blob', `${ref}:./${path}`], { cwd: root, maxBuffer: MOST_BYTES });
    return stdout;
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') throw new SalvoError('GIT_MISSING', 'git is not installed.', { cause });
    const said =
      cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim().split('\n')[0]?.replace(/\.$/, '') : '';
    const hint = 'Commit a baseline there first: `salvo baseline set`, then `git add` and `git commit`.';
    throw new SalvoError('GIT_FILE_UNKNOWN', `git has no ${path} at ${ref}: ${said || 'unknown error'}. ${hint}`, {
      cause,
    });
  }
}

/** The commit that is checked out; null outside of a repository. */
export async function currentCommit(root: string): Promise<string | null> {
  try {
    return (await run('git', ['rev-parse', 'HEAD'], { cwd: root })).stdout.trim();
  } catch {
    return null;
  }
}
