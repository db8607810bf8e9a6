import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type RunDocument, runDocumentSchema } from '../../src/run/run-document.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import type { ProjectFixture } from '../project-fixture.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export interface CliOptions {
  cwd: string;
  /** On top of what every program needs; the caller's own API keys are never among it. */
  env?: Record<string, string>;
  stdin?: string;
}

export interface CliResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface StartedCli {
  child: ChildProcess;
  result: Promise<CliResult>;
}

/** The real program in a process of its own, without a terminal. */
export function startCli(args: string[], { cwd, env = {}, stdin = '' }: CliOptions): StartedCli {
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env;
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env: { PATH, HOME, TMPDIR, ...env } });
  child.stdin.end(stdin);
  const { promise, resolve, reject } = Promise.withResolvers<CliResult>();
  const streams = Promise.all([text(child.stdout), text(child.stderr)]);
  child.once('error', reject);
  child.once('close', (code, signal) => {
    streams.then(([stdout, stderr]) => resolve({ code, signal, stdout, stderr }), reject);
  });
  return { child, result: promise };
}

export function runCli(args: string[], options: CliOptions): Promise<CliResult> {
  return startCli(args, options).result;
}

/** What `--json` printed: fails unless standard output is that document and nothing else. */
export function documentOf({ stdout }: Pick<CliResult, 'stdout'>): RunDocument {
  return runDocumentSchema.parse(JSON.parse(stdout));
}

/** The store of a project, as the program left it. */
export async function storeOf(project: ProjectFixture): Promise<Store & AsyncDisposable> {
  const store = await openStore(await project.project(), { secrets: [] });
  return { ...store, [Symbol.asyncDispose]: () => store.close() };
}

/** Everything that is in the storage folder, byte for byte. */
export async function storedBytes(project: ProjectFixture): Promise<string> {
  const folder = project.path('.salvo');
  const files = await readdir(folder);
  return (await Promise.all(files.map((file) => readFile(join(folder, file), 'latin1')))).join('\n');
}
