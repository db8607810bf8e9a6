import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import type { AdapterConfig, TurnRequest } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import { abortedError } from '../call/call-deadline.ts';
import { endProcessGroup, watchProcessGroup } from '../program/process-group.ts';
import { missingResource } from '../program/run-program.ts';
import type { FromAgent, SentError, ToAgent } from './agent-channel.ts';
import type { ModuleReply } from './call-module.ts';

/** How long an agent may take to end after its signal has fired, and a process to close what it holds. */
const GRACE_MS = 1000;
const STDERR_TAIL_CHARACTERS = 8192;

interface Question {
  log: AdapterConfig['log'];
  callTool: AdapterConfig['callTool'];
  signal: AbortSignal;
  /** What our own code threw in the tool calls of this question. */
  toolErrors: Map<number, unknown>;
  resolve: (reply: ModuleReply) => void;
  reject: (error: unknown) => void;
}

/** A process in which a module of the user runs. */
export interface ModuleProcess {
  /** Resolves when the module is loaded. */
  ready: Promise<void>;
  /** Questions under way. */
  readonly load: number;
  /** It has ended, or will end soon: nothing may be asked any more. */
  readonly isRetired: boolean;
  ask(request: TurnRequest, signal: AbortSignal): Promise<ModuleReply>;
  close(): Promise<void>;
}

export function startModuleProcess(options: {
  file: string;
  path: string;
  root: string;
  callee: string;
  /** Called when `load` or `isRetired` has changed. */
  onChange: () => void;
}): ModuleProcess {
  const { callee, onChange } = options;
  const child = fork(options.file, [options.path, options.root, callee], {
    // A group of its own, so that processes which the agent starts end with it.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
    execArgv: nodeOptions(process.execArgv),
  });
  watchProcessGroup(child);
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const questions = new Map<number, Question>();
  let asked = 0;
  let isRetired = false;
  let stderrTail = '';
  let kind: ModuleReply['kind'] = 'agent';
  let exit: Extract<FromAgent, { type: 'exit' }> | undefined;

  const send = (message: ToAgent): void => {
    // It fails if the process has ended, which 'exit' reports.
    if (child.connected) child.send(message, () => {});
  };
  const retire = (): void => {
    isRetired = true;
    if (questions.size === 0) endProcessGroup(child);
    onChange();
  };
  const settle = (id: number, how: (question: Question) => void): void => {
    const question = questions.get(id);
    if (!question) return;
    questions.delete(id);
    how(question);
    if (questions.size === 0) {
      hold(child, false);
      if (isRetired) endProcessGroup(child);
    }
    onChange();
  };
  const onPrinted = (text: string): void => {
    stderrTail = (stderrTail + text).slice(-STDERR_TAIL_CHARACTERS);
    // Output that bypassed Node's streams does not say to which trial it belongs.
    for (const { log } of questions.values()) log?.(text);
    if (questions.size === 0) process.stderr.write(text);
  };
  // An adapter that breaks says nothing about the agent that it calls.
  const endKind = () => (kind === 'agent' ? 'crashed' : 'bad_response');
  const onMessage = (message: FromAgent): void => {
    switch (message.type) {
      case 'ready':
        kind = message.kind;
        ready.resolve();
        break;
      case 'not_loaded':
        ready.reject(receivedError(message.error));
        retire();
        break;
      case 'log':
        questions.get(message.id)?.log?.(message.text);
        break;
      case 'tool':
        answerTool(message);
        break;
      case 'exit':
        exit ??= message;
        retire();
        break;
      // What the agent wrote directly to its output before it answered is read in this turn of the event loop.
      case 'reply':
        setImmediate(() => settle(message.id, ({ resolve }) => resolve({ kind, reply: message.reply })));
        break;
      case 'error':
        setImmediate(() =>
          settle(message.id, ({ reject, toolErrors }) => {
            const { toolCall } = message.error;
            reject((toolCall !== undefined && toolErrors.get(toolCall)) || receivedError(message.error));
          }),
        );
    }
  };
  const answerTool = async ({ id, call, name, args }: Extract<FromAgent, { type: 'tool' }>): Promise<void> => {
    const question = questions.get(id);
    if (!question?.callTool) return;
    try {
      if (question.signal.aborted) throw abortedError(callee, question.signal);
      send({ type: 'tool_answer', id, call, answer: await question.callTool(name, args), problem: '' });
    } catch (error) {
      question.toolErrors.set(call, error);
      send({ type: 'tool_answer', id, call, answer: null, problem: errorMessage(error) });
    }
  };
  const onEnd = (code: number | null, signal: NodeJS.Signals | null): void => {
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
    const agentStack = exit?.stack ?? (quoteOutput(stderrTail, { keep: 'end', length: 4000 }) || undefined);
    ready.reject(
      new AdapterError('missing_dependency', `${callee} could not be loaded: its process ${how}.`, { agentStack }),
    );
    for (const id of [...questions.keys()]) {
      const cause = exit?.id ?? (questions.size === 1 ? id : null);
      const error =
        cause === id
          ? new AdapterError(endKind(), `${callee} did not answer: its process ${how}.`, { agentStack })
          : new AdapterError('bad_response', `${callee} did not answer: its process ${how} in another trial.`);
      settle(id, ({ reject }) => reject(error));
    }
    ended.resolve();
    onChange();
  };

  ready.promise.catch(() => {});
  child.once('error', (cause) => {
    const problem = missingResource(cause) ?? errorMessage(cause);
    ready.reject(
      new AdapterError('overloaded', `The process of ${callee} could not be started: ${problem}.`, { cause }),
    );
    if (child.pid === undefined) onEnd(null, null);
  });
  child.on('message', onMessage);
  // Its last messages and its last output may be read after 'exit'.
  const drained = Promise.all([once(child, 'disconnect'), once(child, 'close')]).catch(() => {});
  child.once('exit', (code, signal) => {
    retire();
    endProcessGroup(child);
    const timer = setTimeout(() => onEnd(code, signal), GRACE_MS);
    drained.then(() => {
      clearTimeout(timer);
      setImmediate(() => onEnd(code, signal));
    });
  });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onPrinted);
  ready.promise.then(
    () => questions.size === 0 && hold(child, false),
    () => {},
  );

  return {
    ready: ready.promise,
    get load() {
      return questions.size;
    },
    get isRetired() {
      return isRetired;
    },
    ask({ messages, tools, config }, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<ModuleReply>();
      const { log, callTool, signal: _, whileWaiting: __, ...sent } = config;
      asked += 1;
      const id = asked;
      // Before anything else, because it throws if something in the request cannot be sent.
      send({ type: 'ask', id, messages, tools, config: sent, hasTools: callTool !== undefined });
      questions.set(id, { log, callTool, signal, toolErrors: new Map(), resolve, reject });
      hold(child, true);
      signal.addEventListener('abort', () => onAbort(id), { once: true });
      return promise;
    },
    async close() {
      isRetired = true;
      onChange();
      send({ type: 'close' });
      const timer = setTimeout(ended.resolve, GRACE_MS);
      await ended.promise;
      clearTimeout(timer);
      endProcessGroup(child);
    },
  };

  /** An agent that goes on after its signal may never end, and may still spend money: its process has to. */
  function onAbort(id: number): void {
    const question = questions.get(id);
    if (!question) return;
    send({ type: 'abort', id, message: abortedError(callee, question.signal).message });
    setTimeout(() => {
      if (!questions.has(id)) return;
      settle(id, ({ reject }) => reject(abortedError(callee, question.signal)));
      retire();
    }, GRACE_MS).unref();
  }
}

/** An idle process must not keep the program that uses Salvo from ending. */
function hold(child: ChildProcess, isHeld: boolean): void {
  const handles = [child, child.channel, child.stdout, child.stderr];
  for (const handle of handles) {
    const change: unknown = handle && Reflect.get(handle, isHeld ? 'ref' : 'unref');
    if (typeof change === 'function') Reflect.apply(change, handle, []);
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
