import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import type { AdapterConfig, TurnRequest } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import { abortedError } from '../call/call-deadline.ts';
import { endProcessGroup, holdProcess, watchProcessGroup } from '../program/process-group.ts';
import { missingResource } from '../program/run-program.ts';
import type { FromAgent, SentError, ToAgent } from './agent-channel.ts';
import type { ModuleReply } from './call-module.ts';

/** How long an agent may take to end after its signal has fired, and a process to close what it holds. */
const GRACE_MS = 1000;
const STDERR_TAIL_CHARACTERS = 8192;

interface Question {
  log: AdapterConfig['log'];
  chunk: AdapterConfig['chunk'];
  callTool: AdapterConfig['callTool'];
  signal: AbortSignal;
  /** What our own code threw in the tool calls of this question. */
  toolErrors: Map<number, unknown>;
  resolve: (reply: ModuleReply) => void;
  reject: (error: unknown) => void;
}

/** A process in which a module of the user runs. It is started at once. */
export class ModuleProcess {
  readonly #child: ChildProcess;
  readonly #callee: string;
  readonly #onChange: () => void;
  readonly #ready = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #questions = new Map<number, Question>();
  #asked = 0;
  #isRetired = false;
  #stderrTail = '';
  #kind: ModuleReply['kind'] = 'agent';
  #exit: Extract<FromAgent, { type: 'exit' }> | undefined;

  constructor(options: {
    file: string;
    path: string;
    root: string;
    callee: string;
    /** Variables that it receives besides those of this process. */
    env: Record<string, string | undefined>;
    /** Variables that replace those of the same name. */
    variables?: Record<string, string> | undefined;
    /** Called when `load` or `isRetired` has changed. */
    onChange: () => void;
  }) {
    this.#callee = options.callee;
    this.#onChange = options.onChange;
    this.#child = fork(options.file, [options.path, options.root, options.callee], {
      // A group of its own, so that processes which the agent starts end with it.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
      env: { ...options.env, ...process.env, ...options.variables },
      execArgv: nodeOptions(process.execArgv),
    });
    watchProcessGroup(this.#child);
    this.#listen();
    this.ready.then(
      () => this.load === 0 && holdProcess(this.#child, false),
      () => {},
    );
  }

  /** Resolves when the module is loaded. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Questions under way. */
  get load(): number {
    return this.#questions.size;
  }

  /** It has ended, or will end soon: nothing may be asked any more. */
  get isRetired(): boolean {
    return this.#isRetired;
  }

  ask({ messages, tools, config }: TurnRequest, signal: AbortSignal): Promise<ModuleReply> {
    const { promise, resolve, reject } = Promise.withResolvers<ModuleReply>();
    const { log, chunk, callTool, signal: _, whileWaiting: __, observed: ___, given: ____, ...sent } = config;
    this.#asked += 1;
    const id = this.#asked;
    // Before anything else, because it throws if something in the request cannot be sent.
    this.#send({ type: 'ask', id, messages, tools, config: sent, hasTools: callTool !== undefined });
    this.#questions.set(id, { log, chunk, callTool, signal, toolErrors: new Map(), resolve, reject });
    holdProcess(this.#child, true);
    signal.addEventListener('abort', () => this.#giveUp(id), { once: true });
    return promise;
  }

  async close(): Promise<void> {
    this.#isRetired = true;
    this.#onChange();
    this.#send({ type: 'close' });
    const timer = setTimeout(this.#ended.resolve, GRACE_MS);
    await this.#ended.promise;
    clearTimeout(timer);
    endProcessGroup(this.#child);
  }

  #listen(): void {
    const child = this.#child;
    child.once('error', (cause) => {
      const problem = missingResource(cause) ?? errorMessage(cause);
      const words = `The process of ${this.#callee} could not be started: ${problem}.`;
      this.#ready.reject(new AdapterError('overloaded', words, { cause }));
      if (child.pid === undefined) this.#end(null, null);
    });
    child.on('message', (message: FromAgent) => this.#receive(message));
    // Its last messages and its last output may be read after 'exit'.
    const drained = Promise.all([once(child, 'disconnect'), once(child, 'close')]).catch(() => {});
    child.once('exit', (code, signal) => {
      this.#retire();
      endProcessGroup(child);
      const timer = setTimeout(() => this.#end(code, signal), GRACE_MS);
      drained.then(() => {
        clearTimeout(timer);
        setImmediate(() => this.#end(code, signal));
      });
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.#keepOutput(text));
    }
  }

  #send(message: ToAgent): void {
    // It fails if the process has ended, which 'exit' reports.
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  #receive(message: FromAgent): void {
    switch (message.type) {
      case 'ready':
        this.#kind = message.kind;
        this.#ready.resolve();
        break;
      case 'not_loaded':
        this.#ready.reject(receivedError(message.error));
        this.#retire();
        break;
      case 'chunk':
        this.#questions.get(message.id)?.chunk?.(message.json);
        break;
      case 'log':
        this.#questions.get(message.id)?.log?.(message.text);
        break;
      case 'tool':
        this.#answerTool(message);
        break;
      case 'exit':
        this.#exit ??= message;
        this.#retire();
        break;
      // What the agent wrote directly to its output before it answered is read in this turn of the event loop.
      case 'reply':
        setImmediate(() =>
          this.#settle(message.id, ({ resolve }) => resolve({ kind: this.#kind, reply: message.reply })),
        );
        break;
      case 'error':
        setImmediate(() =>
          this.#settle(message.id, ({ reject, toolErrors }) => {
            const { toolCall } = message.error;
            reject((toolCall !== undefined && toolErrors.get(toolCall)) || receivedError(message.error));
          }),
        );
    }
  }

  async #answerTool({ id, call, name, args }: Extract<FromAgent, { type: 'tool' }>): Promise<void> {
    const question = this.#questions.get(id);
    if (!question?.callTool) return;
    try {
      if (question.signal.aborted) throw abortedError(this.#callee, question.signal);
      this.#send({ type: 'tool_answer', id, call, answer: await question.callTool(name, args), problem: '' });
    } catch (error) {
      question.toolErrors.set(call, error);
      this.#send({ type: 'tool_answer', id, call, answer: null, problem: errorMessage(error) });
    }
  }

  #keepOutput(text: string): void {
    this.#stderrTail = (this.#stderrTail + text).slice(-STDERR_TAIL_CHARACTERS);
    // Output that bypassed Node's streams does not say to which trial it belongs.
    for (const { log } of this.#questions.values()) log?.(text);
    if (this.load === 0) process.stderr.write(text);
  }

  #settle(id: number, how: (question: Question) => void): void {
    const question = this.#questions.get(id);
    if (!question) return;
    this.#questions.delete(id);
    how(question);
    if (this.load === 0) {
      holdProcess(this.#child, false);
      if (this.#isRetired) endProcessGroup(this.#child);
    }
    this.#onChange();
  }

  #retire(): void {
    this.#isRetired = true;
    if (this.load === 0) endProcessGroup(this.#child);
    this.#onChange();
  }

  /** An agent that goes on after its signal may never end, and may still spend money: its process has to. */
  #giveUp(id: number): void {
    const question = this.#questions.get(id);
    if (!question) return;
    this.#send({ type: 'abort', id, message: abortedError(this.#callee, question.signal).message });
    setTimeout(() => {
      if (!this.#questions.has(id)) return;
      this.#settle(id, ({ reject }) => reject(abortedError(this.#callee, question.signal)));
      this.#retire();
    }, GRACE_MS).unref();
  }

  #end(code: number | null, signal: NodeJS.Signals | null): void {
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
    const agentStack = this.#exit?.stack ?? (quoteOutput(this.#stderrTail, { keep: 'end', length: 4000 }) || undefined);
    const notLoaded = `${this.#callee} could not be loaded: its process ${how}.`;
    this.#ready.reject(new AdapterError('missing_dependency', notLoaded, { agentStack }));
    // An adapter that breaks says nothing about the agent that it calls.
    const endKind = this.#kind === 'agent' ? 'crashed' : 'bad_response';
    const words = `${this.#callee} did not answer: its process ${how}`;
    for (const id of [...this.#questions.keys()]) {
      const cause = this.#exit?.id ?? (this.load === 1 ? id : null);
      const error =
        cause === id
          ? new AdapterError(endKind, `${words}.`, { agentStack })
          : new AdapterError('bad_response', `${words} in another trial.`);
      this.#settle(id, ({ reject }) => reject(error));
    }
    this.#ended.resolve();
    this.#onChange();
  }
}

/** The options of Node that the agent needs as well, such as `--import`. One debugger serves one process only. */
function nodeOptions(options: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < options.length; index += 1) {
    const option = options[index] ?? '';
    if (/^(-e|-p|-pe|--eval|--print)$/.test(option)) index += 1;
    else if (!/^--(inspect|input-type|eval=|print=|test|watch)/.test(option)) kept.push(option);
  }
  return kept;
}

function receivedError({ kind, code, message, ...options }: SentError): SalvoError {
  return kind === null ? new SalvoError(code, message) : new AdapterError(kind, message, options);
}
