import { type ChildProcess, spawn } from 'node:child_process';
import { endProcessGroup, watchProcessGroup } from '../adapters/program/process-group.ts';
import { guardAgainstKill } from '../adapters/program/watchdog.ts';
import { errorCode } from '../text/errors/salvo-error.ts';
import { quoteOutput } from '../text/output/quote-output.ts';

interface StartedProgram {
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
}

/** How a program ended. */
export interface ProgramEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  error?: Error | undefined;
}

const KEPT_CHARACTERS = 8192;
const SHOWN_CHARACTERS = 2000;
/** How long to wait for output after the program has ended, if another process holds its pipes. */
const PIPE_GRACE_MS = 1000;

/** A service or a command of a scenario, in a process group of its own, so that what it starts ends with it. */
export class WatchedProgram {
  readonly #child: ChildProcess;
  readonly #unguard: () => void;
  readonly #ended = Promise.withResolvers<void>();
  readonly #listeners = new Set<() => void>();
  #output = '';
  #end: ProgramEnd | null = null;

  constructor({ command: [file = '', ...args], cwd, env }: StartedProgram) {
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    this.#child = spawn(file, args, { cwd, env, stdio, detached: process.platform !== 'win32', windowsHide: true });
    watchProcessGroup(this.#child);
    const { pid } = this.#child;
    this.#unguard = pid === undefined ? () => {} : guardAgainstKill({ kind: 'group', name: pid });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.#keep(text));
      stream?.on('error', () => {});
    }
    this.#child.once('error', (error) => this.#over({ exitCode: null, signal: null, error }));
    this.#child.once('exit', (exitCode, signal) => {
      const over = () => this.#over({ exitCode, signal });
      setTimeout(over, PIPE_GRACE_MS).unref();
      this.#child.once('close', over);
    });
  }

  /** Null while it runs. */
  get end(): ProgramEnd | null {
    return this.#end;
  }

  /** The end of what it has printed, on either stream. */
  get output(): string {
    return this.#output;
  }

  /** What it printed last, for the end of a message. */
  lastLines(): string {
    const text = quoteOutput(this.#output, { keep: 'end', length: SHOWN_CHARACTERS });
    return text === '' ? ' It printed nothing.' : ` Its last lines:\n${text}`;
  }

  /** Resolves when it has ended, or when `isMet` is true, which is asked whenever it prints. Rejects if it is aborted. */
  until(isMet: () => boolean, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = () => {
      if (this.#end !== null || isMet()) resolve();
    };
    const onAbort = () => reject(signal.reason);
    this.#listeners.add(look);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    look();
    return promise.finally(() => {
      this.#listeners.delete(look);
      signal.removeEventListener('abort', onAbort);
    });
  }

  /** Ends all processes of its group: by SIGTERM, and by SIGKILL those that are left a little later. */
  async stop(): Promise<void> {
    endProcessGroup(this.#child);
    await this.#ended.promise;
    // Processes that it started may be left.
    endProcessGroup(this.#child);
    this.#unguard();
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  #keep(text: string): void {
    this.#output = (this.#output + text).slice(-KEPT_CHARACTERS);
    for (const listener of this.#listeners) listener();
  }

  #over(end: ProgramEnd): void {
    this.#end ??= end;
    this.#ended.resolve();
    for (const listener of this.#listeners) listener();
  }
}

/** How it ended, as the end of a sentence. */
export function endText({ exitCode, signal, error }: ProgramEnd): string {
  if (error) return notStarted(error);
  return signal ? `was ended by ${signal}` : `ended with exit code ${exitCode}`;
}

/** Why a program is not running, as the end of a sentence. `path` of an error of Node is the program. */
export function notStarted(error: Error & { path?: string }): string {
  const { path = 'its program', message } = error;
  const reasons: Record<string, string> = {
    ENOENT: `there is no program ${path} on this machine`,
    EACCES: `${path} may not be executed`,
  };
  return `could not be started: ${reasons[errorCode(error) ?? ''] ?? message}`;
}
