import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runCommandLine } from '../../packages/salvo/src/cli/run-main.ts';
import type { Output } from '../../packages/salvo/src/cli/terminal/terminal.ts';
import { type RunDocument, runDocumentSchema } from '../../packages/salvo/src/run/record/run-document.ts';
import { openStore } from '../../packages/salvo/src/store/open-store.ts';
import type { Store } from '../../packages/salvo/src/store/store.ts';
import { withoutWorkflowCommands } from '../../packages/salvo/src/text/output/workflow-command.ts';
import { builtMain } from '../built-package.ts';
import type { ProjectFixture } from '../project-fixture.ts';
import { forgetRegistrations } from '../registrations.ts';

const MAIN = await builtMain();
/** Another Node than that of the tests, if they are about the oldest one that users may have. */
const { SALVO_TEST_NODE: NODE = process.execPath } = process.env;

export interface CliOptions {
  cwd: string;
  /** On top of what every program needs; the caller's own API keys are never among it. */
  env?: Record<string, string>;
  /** Another program than the one of the current sources. */
  main?: string | undefined;
}

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface ProgramResult extends CliResult {
  signal: NodeJS.Signals | null;
}

export interface StartedCli {
  child: ChildProcess;
  result: Promise<ProgramResult>;
  /** What it has written to standard error until now. */
  stderr(): string;
  /** Resolves when standard error contains these words, and fails when the program ends without them. */
  untilStderrHas(words: string): Promise<void>;
  /** The same, so many times. */
  untilStderrHasTimes(words: string, times: number): Promise<void>;
}

/** The real program in a process of its own, with nobody reading its output yet. */
export function startCliPipe(args: string[], { cwd, env, main = MAIN }: CliOptions): ChildProcessWithoutNullStreams {
  const child = spawn(NODE, [main, ...args], { cwd, env: environment(env) });
  child.stdin.end();
  return child;
}

function environment(env: CliOptions['env']): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env;
  return { PATH, HOME, TMPDIR, XDG_STATE_HOME: join(tmpdir(), 'salvo-test-state'), ...env };
}

/** The real program in a process of its own, without a terminal. */
export function startCli(args: string[], options: CliOptions): StartedCli {
  const child = startCliPipe(args, options);
  const { promise, resolve, reject } = Promise.withResolvers<ProgramResult>();
  const printed = text(child.stdout);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  child.once('error', reject);
  child.once('close', (code, signal) => {
    printed.then((stdout) => resolve({ code, signal, stdout, stderr }), reject);
  });
  const untilStderrHasTimes = async (words: string, times: number): Promise<void> => {
    const isThere = () => stderr.split(words).length > times;
    while (!isThere()) {
      const ended = await Promise.race([once(child.stderr, 'data').then(() => false), promise.then(() => true)]);
      if (ended && !isThere()) throw new Error(`The program ended without "${words}":\n${stderr}`);
    }
  };
  const untilStderrHas = (words: string): Promise<void> => untilStderrHasTimes(words, 1);
  return { child, result: promise, stderr: () => stderr, untilStderrHas, untilStderrHasTimes };
}

/**
 * The beginning of a program that is started often: its first three starts go on at once, later ones wait while there
 * is a file `wait`. So a test decides when a run goes on, and no program outlives its project.
 */
export const GATE = `
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
function isFirstAt(place) {
  try {
    writeFileSync('start-' + place, '', { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}
if (![1, 2, 3].some(isFirstAt)) while (existsSync('wait')) await setTimeout(10);
`;

/** The real program in a process of its own, to its end. */
export function runProgram(args: string[], options: CliOptions): Promise<ProgramResult> {
  return startCli(args, options).result;
}

/**
 * One command line in this process, which takes a tenth of the time of a process. For what a process is about, there is
 * `runProgram`: signals, pipes, what code of the user prints, modules that are changed and loaded again.
 */
export async function runCli(args: string[], { cwd, env }: CliOptions): Promise<CliResult> {
  const printed = { stdout: '', stderr: '' };
  const variables = environment(env);
  const outputOf = (name: keyof typeof printed): Output => {
    const inert = withoutWorkflowCommands();
    return {
      write: (part, options) => {
        printed[name] += options?.commands ? part : inert(part);
      },
      isTTY: false,
      columns: Number(variables.COLUMNS) || 120,
      color: variables.FORCE_COLOR !== undefined,
    };
  };
  const { signal } = new AbortController();
  const terminal = { cwd, env: variables, stop: signal, abort: signal };
  forgetRegistrations();
  const code = await runCommandLine(['node', 'salvo', ...args], {
    ...terminal,
    stdout: outputOf('stdout'),
    stderr: outputOf('stderr'),
  });
  return { code, ...printed };
}

/** What `--json` printed: fails unless standard output is that document and nothing else. */
export function documentOf({ stdout }: Pick<CliResult, 'stdout'>): RunDocument {
  return runDocumentSchema.parse(JSON.parse(stdout));
}

/** The store of a project, as the program left it. */
export async function storeOf(project: ProjectFixture): Promise<Store & AsyncDisposable> {
  const store = await openStore(await project.project(), { secrets: [], databaseUrl: null });
  return { ...store, [Symbol.asyncDispose]: () => store.close() };
}

/** Everything that is in the storage folder, byte for byte. */
export async function storedBytes(project: ProjectFixture): Promise<string> {
  const folder = project.path('.salvo');
  const files = await readdir(folder);
  return (await Promise.all(files.map((file) => readFile(join(folder, file), 'latin1')))).join('\n');
}
