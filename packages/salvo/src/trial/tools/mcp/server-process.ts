import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { LineBuffer } from '../../../adapters/program/line-buffer.ts';
import { endProcessGroup, watchProcessGroup } from '../../../adapters/program/process-group.ts';
import { STDERR_TAIL_CHARACTERS } from '../../../adapters/program/run-program.ts';
import { isRecord } from '../../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../../text/json/json-in-text.ts';
import { bracketsFrom, MAX_NESTING } from '../../../text/json/nesting.ts';
import { endText, notStarted } from '../../watched-program.ts';

/** How long a server may take to end after its standard input was closed. */
const GRACE_MS = 1000;
/** Of one message. An image of 10 MB has 14 MB in base64. */
const MOST_MESSAGE_CHARACTERS = 32 * 1024 * 1024;

interface ServerCommand {
  command: readonly string[];
  /** Absolute. */
  cwd: string;
  env: Record<string, string>;
}

/**
 * An MCP server that is a program, as the transport of a client of either major version: a JSON-RPC message for each line. It
 * has a process group of its own, so that all that it started is ended with it.
 */
export class ServerProcess {
  onmessage?: (message: Record<string, unknown>) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #command: ServerCommand;
  readonly #ended = Promise.withResolvers<void>();
  readonly #output = new LineBuffer();
  #child: ChildProcessWithoutNullStreams | null = null;
  #lastLines = '';
  #problem: string | null = null;
  #isClosing = false;

  constructor(command: ServerCommand) {
    this.#command = command;
  }

  /** Clients tell by `pid` and `stderr` that they talk to a program. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get stderr(): null {
    return null;
  }

  /** Why nothing can be asked any more; null while the server is there, and if it was closed. */
  get problem(): string | null {
    return this.#problem;
  }

  /** The end of what it wrote to stderr, and of what it wrote to stdout that is no message. */
  get lastLines(): string {
    return this.#lastLines;
  }

  async start(): Promise<void> {
    const { command, cwd, env } = this.#command;
    const [file = '', ...args] = command;
    const child = spawn(file, args, { cwd, env, detached: process.platform !== 'win32', windowsHide: true });
    this.#child = child;
    watchProcessGroup(child);
    const spawned = Promise.withResolvers<void>();
    child.once('spawn', spawned.resolve);
    child.once('error', (error) => {
      this.#end(notStarted(error));
      spawned.reject(error);
    });
    // Without a free file handle, the child has no streams, whatever its type says.
    if (child.pid !== undefined) this.#listen(child);
    await spawned.promise;
  }

  async send(message: unknown): Promise<void> {
    if (this.#problem !== null || !this.#child) throw new Error(this.#problem ?? 'is not started');
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Closes its input, and ends it if it does not end by itself. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (!this.#child) return;
    this.#child.stdin?.end();
    const timer = setTimeout(this.#ended.resolve, GRACE_MS);
    await this.#ended.promise;
    clearTimeout(timer);
    endProcessGroup(this.#child);
    this.onclose?.();
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    // It may end without reading its input, which its end reports.
    child.stdin.on('error', () => {});
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.#keep(text));
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.#receive(text));
    let grace: NodeJS.Timeout | undefined;
    const settle = () => {
      clearTimeout(grace);
      endProcessGroup(child);
      this.#end(endText({ exitCode: child.exitCode, signal: child.signalCode }));
    };
    // A process in the background may hold the pipes.
    child.once('exit', () => {
      grace = setTimeout(settle, GRACE_MS);
    });
    child.once('close', settle);
  }

  #keep(text: string): void {
    this.#lastLines = (this.#lastLines + text).slice(-STDERR_TAIL_CHARACTERS);
  }

  #receive(text: string): void {
    if (this.#isClosing || this.#problem !== null) return;
    for (const line of this.#output.push(text)) this.#receiveLine(line);
    if (this.#output.length <= MOST_MESSAGE_CHARACTERS) return;
    this.#output.clear();
    this.#giveUp(`wrote a message of more than ${MOST_MESSAGE_CHARACTERS / 1024 ** 2} MB`);
  }

  #receiveLine(line: string): void {
    if (line.trim() === '') return;
    const isDeep = bracketsFrom(line, 0).deepest > MAX_NESTING;
    const message = isDeep ? undefined : jsonOrUndefined(line);
    // Many servers print a greeting to stdout by mistake, and clients ignore it.
    if (!isRecord(message) || message.jsonrpc !== '2.0') {
      this.#keep(`${line.slice(0, 500)}\n`);
      return;
    }
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #giveUp(problem: string): void {
    if (this.#child) endProcessGroup(this.#child);
    this.#end(problem);
  }

  #end(problem: string): void {
    this.#ended.resolve();
    if (this.#problem !== null || this.#isClosing) return;
    this.#problem = problem;
    this.onclose?.();
  }
}
