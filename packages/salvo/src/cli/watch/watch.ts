import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { askedFor, touchedScenarios, type WatchedFiles, watchedFiles } from '../../app/project/watched-files.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import type { RunCommandOptions } from '../program/command-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type Key, readKeys } from './keys.ts';
import { reportWatchedResult, startWatchedRun, type WatchedResult, watchedRequest } from './watched-run.ts';

const POLL_MS = 200;

/** Called with the stored run when everything is shown. */
export type OnFinished = (run: RunRecord, project: Project) => Promise<void>;

/** `salvo run --watch`: in the process that the user started, and in those that it starts for each run. */
export async function watchCommand(
  options: RunCommandOptions,
  terminal: Terminal,
  runOnce: (options: RunCommandOptions, terminal: Terminal, onFinished: OnFinished) => Promise<number>,
): Promise<number> {
  const request = await watchedRequest(terminal.env);
  if (request === null) return watchRuns(options.files ?? [], terminal);
  const chosen = request.files === null ? options : { ...options, files: request.files };
  return runOnce(chosen, terminal, (run, { root }) =>
    reportWatchedResult({
      scenarios: run.scenarios.map(({ file, summary }) => ({
        file: resolve(root, file),
        passed: summary?.verdict === 'PASS' || summary?.verdict === 'SKIPPED',
      })),
    }),
  );
}

/** Runs, then runs again what a change touches, until the user ends it. Returns the exit code of the last run. */
async function watchRuns(files: readonly string[], terminal: Terminal): Promise<number> {
  const { cwd, stderr } = terminal;
  const keys = readKeys();
  const failing = new Set<string>();
  let exitCode = 0;
  let request: string[] | null = null;
  try {
    for (;;) {
      let known = await watchedFiles({ cwd, files });
      let before = stampsOf(filesOf(known));
      const run = startWatchedRun({ files: request });
      const { exitCode: code, result } = await untilFinished(run, keys, terminal);
      exitCode = code;
      remember(result, failing);
      if (terminal.stop.aborted || keys.hasQuit()) return exitCode;
      stderr.write(waitingNote(known, keys.isTerminal));
      for (let isIdle = true; isIdle; ) {
        const next = await nextChange({ before, known, files, keys, terminal });
        if (next === null) return exitCode;
        known = next.known;
        before = next.now;
        const touched = next.key === null ? touchedScenarios(known, next.changed) : [];
        const chosen = next.key === 'failed' ? [...failing] : next.key === null ? touched : null;
        isIdle = chosen?.length === 0;
        if (isIdle && next.key === 'failed') stderr.write('Nothing has failed.\n');
        if (isIdle) continue;
        if (next.key === null) stderr.write(changeNote(next.changed, cwd));
        if (next.key !== 'same') request = chosen && askedFor(known, chosen);
      }
    }
  } finally {
    keys.close();
  }
}

function filesOf({ scenarios, shared }: WatchedFiles): Set<string> {
  return new Set([...shared, ...[...scenarios.values()].flatMap((files) => [...files])]);
}

/** Keys that end the run, and Ctrl-C, are passed on to the process that runs. */
async function untilFinished(
  { child, finished }: ReturnType<typeof startWatchedRun>,
  keys: ReturnType<typeof readKeys>,
  { stop, abort }: Terminal,
) {
  const interrupt = (): void => passOn(child);
  stop.addEventListener('abort', interrupt);
  abort.addEventListener('abort', interrupt);
  keys.onInterrupt(interrupt);
  try {
    return await finished;
  } finally {
    stop.removeEventListener('abort', interrupt);
    abort.removeEventListener('abort', interrupt);
    keys.onInterrupt(null);
  }
}

function passOn(child: ChildProcess): void {
  child.kill('SIGINT');
}

interface Change {
  /** Null if files changed. */
  key: Exclude<Key, 'quit'> | null;
  changed: Set<string>;
  known: WatchedFiles;
  now: Stamps;
}

/** The next key or change of files, once files stay as they are: an editor may write them in several steps. */
async function nextChange(options: {
  before: Stamps;
  known: WatchedFiles;
  files: readonly string[];
  keys: ReturnType<typeof readKeys>;
  terminal: Terminal;
}): Promise<Change | null> {
  const { keys, terminal, files } = options;
  let { known } = options;
  let last = options.before;
  for (;;) {
    if (terminal.stop.aborted || keys.hasQuit()) return null;
    const key = keys.next();
    if (key !== null && key !== 'quit') return { key, changed: new Set(), known, now: options.before };
    // New scenarios, and files that are named since the last look, belong to it.
    known = await watchedFiles({ cwd: terminal.cwd, files });
    const now = stampsOf([...filesOf(known), ...options.before.keys()]);
    const changed = changesBetween(options.before, now);
    if (changed.size > 0 && changesBetween(last, now).size === 0) return { key: null, changed, known, now };
    last = now;
    await setTimeout(POLL_MS, undefined, { signal: AbortSignal.any([terminal.stop, keys.pressed()]) }).catch(() => {});
  }
}

function remember(result: WatchedResult | null, failing: Set<string>): void {
  const scenarios = result?.scenarios ?? [];
  for (const { file, passed } of scenarios) if (passed) failing.delete(file);
  for (const { file, passed } of scenarios) if (!passed) failing.add(file);
}

function waitingNote(known: WatchedFiles, hasKeys: boolean): string {
  const { size } = filesOf(known);
  const how = hasKeys ? 'Enter runs the same again, a runs all, f what failed, q ends.' : 'Ctrl-C ends.';
  return `\nWaiting for changes in ${size} ${size === 1 ? 'file' : 'files'}.\n${how}\n`;
}

function changeNote(changed: ReadonlySet<string>, cwd: string): string {
  const [first = '', ...others] = [...changed].map((file) => safeLine(relative(cwd, file)));
  return `\n${first}${others.length === 0 ? '' : ` and ${others.length} more`} changed.\n\n`;
}

/** What tells whether a file was written; null if there is none. */
type Stamp = string | null;

/** The state of files at some time. */
type Stamps = ReadonlyMap<string, Stamp>;

/**
 * Files are compared by their state and not watched for events: editors that replace a file by renaming another one,
 * network folders and containers report events differently, or not at all.
 */
function stampsOf(files: Iterable<string>): Stamps {
  return new Map(Array.from(files, (file) => [file, stampOf(file)]));
}

/** The files that differ. A file that only one of the states knows has changed if it exists. */
function changesBetween(before: Stamps, after: Stamps): Set<string> {
  const files = new Set([...before.keys(), ...after.keys()]);
  return new Set([...files].filter((file) => (before.get(file) ?? null) !== (after.get(file) ?? null)));
}

function stampOf(file: string): Stamp {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return null;
  }
}
