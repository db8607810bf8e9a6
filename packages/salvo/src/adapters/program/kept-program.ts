import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import { LineBuffer } from './line-buffer.ts';
import { endProcessGroup, holdProcess, watchProcessGroup } from './process-group.ts';
import { type Program, type ProgramResult, STDERR_TAIL_CHARACTERS } from './run-program.ts';

/** How long a program may take to end after its standard input was closed. */
const GRACE_MS = 1000;

interface Question {
  id: number;
  onStderr: Program['onStderr'];
  resolve: (result: ProgramResult) => void;
}

/**
 * A program that answers several requests, one after the other: a line of JSON on its standard input for each, and a line
 * on its standard output with the same `request_id`. It is started at once, in a process group of its own.
 */
export class KeptProgram {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #maxOutputBytes: number;
  readonly #started = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  #question: Question | undefined;
  #asked = 0;
  /** The last request that it has answered. */
  #answered = 0;
  readonly #output = new LineBuffer();
  /** Lines that are no answer. */
  #stray = '';
  #stderrTail = '';
  #isOver = false;
  #hasFailedIdle = false;

  constructor({ file, args, cwd, env, maxOutputBytes }: Omit<Program, 'input' | 'onStderr' | 'signal'>) {
    this.#maxOutputBytes = maxOutputBytes;
    this.#child = spawn(file, args, { cwd, env, detached: process.platform !== 'win32', windowsHide: true });
    watchProcessGroup(this.#child);
    this.#started.promise.catch(() => {});
    this.#child.once('spawn', this.#started.resolve);
    this.#child.once('error', (error) => {
      this.#isOver = true;
      this.#started.reject(error);
      this.#ended.resolve();
    });
    // Without a free file handle, the child has no streams, whatever its type says.
    if (this.#child.pid !== undefined) this.#listen();
  }

  /** It has ended, or has to: nothing may be asked any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** It failed by itself while nothing was asked. */
  get hasFailedIdle(): boolean {
    return this.#hasFailedIdle;
  }

  /** How it has ended, and what it wrote since its last request. */
  async ending(): Promise<ProgramResult> {
    await this.#ended.promise;
    const { exitCode, signalCode: endedBy } = this.#child;
    return { stdout: '', stderrTail: this.#stderrTail, exitCode, endedBy, outputTooLarge: false };
  }

  /** Whether it has answered something before it ended. */
  get hasAnswered(): boolean {
    return this.#answered > 0;
  }

  /** Only one request at a time. Rejects when the program could not be started. */
  async ask(
    request: Record<string, unknown>,
    { onStderr, signal }: Pick<Program, 'onStderr' | 'signal'>,
  ): Promise<ProgramResult> {
    await this.#started.promise;
    const { promise, resolve } = Promise.withResolvers<ProgramResult>();
    this.#asked += 1;
    const id = this.#asked;
    this.#question = { id, onStderr, resolve };
    this.#stderrTail = '';
    holdProcess(this.#child, true);
    const onAbort = () => this.#giveUp();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    else this.#child.stdin.write(`${JSON.stringify({ request_id: id, ...request })}\n`);
    if (this.#stray !== '') this.#refuseStray();
    return promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  /** Closes its input, and ends it if it does not end by itself. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#child.stdin?.end();
    const timer = setTimeout(this.#ended.resolve, GRACE_MS);
    await this.#ended.promise;
    clearTimeout(timer);
    endProcessGroup(this.#child);
  }

  #listen(): void {
    const { stdin, stdout, stderr } = this.#child;
    // It may end without reading its input, which its end reports.
    stdin.on('error', () => {});
    stdout.setEncoding('utf8').on('data', (text: string) => this.#receive(text));
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderrTail = (this.#stderrTail + text).slice(-STDERR_TAIL_CHARACTERS);
      this.#question?.onStderr?.(text);
    });
    let grace: NodeJS.Timeout | undefined;
    const settle = () => {
      clearTimeout(grace);
      endProcessGroup(this.#child);
      this.#answer({ stdout: this.#lastLine(), exitCode: this.#child.exitCode, endedBy: this.#child.signalCode });
      this.#ended.resolve();
    };
    this.#child.once('exit', (code) => {
      this.#hasFailedIdle = !this.#isOver && !this.#question && code !== 0;
      this.#isOver = true;
      // A process in the background may hold the pipes.
      grace = setTimeout(settle, GRACE_MS);
    });
    this.#child.once('close', settle);
  }

  #receive(text: string): void {
    for (const line of this.#output.push(text)) if (line.trim() !== '') this.#receiveLine(line);
    if (this.#output.length <= this.#maxOutputBytes) return;
    this.#output.clear();
    this.#giveUp();
    this.#answer({ stdout: '', outputTooLarge: true });
  }

  /** An answer without a line end counts if the program has ended. */
  #lastLine(): string {
    const { request_id: id, ...answer } = Object(jsonOrUndefined(this.#output.rest));
    return id === this.#question?.id ? JSON.stringify(answer) : this.#output.rest;
  }

  #receiveLine(line: string): void {
    const json = jsonOrUndefined(line);
    const id = isRecord(json) ? json.request_id : undefined;
    // A second answer to a request.
    if (typeof id === 'number' && id <= this.#answered) return;
    if (this.#question && id === this.#question.id) {
      const { request_id: _, ...answer } = Object(json);
      this.#answered = this.#question.id;
      // What it wrote to the other stream before its answer is read in this turn of the event loop.
      setImmediate(() => this.#answer({ stdout: JSON.stringify(answer), exitCode: 0 }));
      return;
    }
    this.#stray ||= isRecord(json) ? `an object without the "request_id" of the request: ${line}` : line;
    // After an answer it concerns the next request, whenever it is read.
    if (this.#question && this.#question.id !== this.#answered) this.#refuseStray();
  }

  /** Nobody knows what belongs to which request any more. */
  #refuseStray(): void {
    this.#giveUp();
    this.#answer({ stdout: this.#stray, exitCode: 0 });
  }

  #answer(result: Partial<ProgramResult>): void {
    const question = this.#question;
    this.#question = undefined;
    if (!this.#isOver) holdProcess(this.#child, false);
    const rest = { stderrTail: this.#stderrTail, exitCode: null, endedBy: null, outputTooLarge: false };
    question?.resolve({ stdout: '', ...rest, ...result });
  }

  #giveUp(): void {
    this.#isOver = true;
    endProcessGroup(this.#child);
  }
}
