import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { AdapterError } from '../adapter-error.ts';
import type { AdapterFactory } from '../adapter-factory.ts';
import { parseAgentReply } from '../agent/agent-reply.ts';
import { createServerCaller, type ServerCaller } from '../agent/call-server.ts';
import { withDeadline } from '../call/call-deadline.ts';
import { readEvents, streamKind } from '../call/read-events.ts';
import { type A2aEndpoint, findEndpoint } from './agent-card.ts';
import { A2aTask } from './task-events.ts';
import { type Thread, userMessage } from './user-message.ts';

/** How long to wait before a task is looked at again. */
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2000;

const METHODS = {
  v1: { send: 'SendMessage', stream: 'SendStreamingMessage', get: 'GetTask' },
  'v0.3': { send: 'message/send', stream: 'message/stream', get: 'tasks/get' },
} as const;

/** An agent behind A2A (JSON-RPC): a message for each turn, whose task is followed to its end. */
export const createA2aAdapter: AdapterFactory<'a2a'> = (options, context) => {
  const server = createServerCaller(options, context);
  const { callee } = server;
  const threads = new Map<string, Thread>();
  let endpoint: A2aEndpoint | undefined;
  return {
    providerName: () => 'a2a',
    async sendTurn(messages, _tools, config) {
      const { id = '', request = 0 } = config.conversation ?? {};
      const deadline = { callee, timeoutSeconds: options.timeout_seconds, signal: config.signal };
      return withDeadline(deadline, async (signal) => {
        endpoint ??= await findEndpoint(server, signal);
        const canStream = endpoint.canStream && options.stream !== false;
        const call = { signal, headers: config.given?.headers };
        const agent = new RemoteAgent(server, { ...endpoint, canStream }, call);
        const known = threads.get(id);
        const task = await agent.ask(userMessage(messages, known, endpoint.version));
        if (id !== '') threads.set(id, threadAfter(task, known, messages.length));
        const content = answerOf(task, callee);
        return parseAgentReply({ content }, { callee, request, asked: messages, toolsSeen: options.tools_seen });
      });
    },
    endConversation: async (id) => {
      threads.delete(id);
    },
  };
};

function threadAfter(task: A2aTask, known: Thread | undefined, sent: number): Thread {
  const contextId = task.contextId ?? known?.contextId;
  const isOpen = task.state === 'input-required';
  return { contextId, sent, taskId: isOpen ? task.id : undefined, earlierTaskId: isOpen ? undefined : task.id };
}

/** The answer of a task that is over. A task that failed is a crash of the agent. */
function answerOf(task: A2aTask, callee: string): string {
  const words = task.text === '' ? '.' : `: ${quoteOutput(task.text)}`;
  switch (task.state) {
    case 'failed':
      throw new AdapterError('crashed', `${callee} failed at its task${words}`);
    case 'canceled':
      throw new AdapterError('bad_response', `${callee} canceled its task${words}`);
    case 'auth-required':
      throw new AdapterError('auth', `${callee} wants the user to log in${words}`);
    default:
      return task.text;
  }
}

interface CallOptions {
  signal: AbortSignal;
  /** By which an observer knows the trial. */
  headers: Record<string, string> | undefined;
}

/** One exchange with an agent. */
class RemoteAgent {
  readonly #server: ServerCaller;
  readonly #endpoint: A2aEndpoint;
  readonly #with: CallOptions;

  constructor(server: ServerCaller, endpoint: A2aEndpoint, options: CallOptions) {
    this.#server = server;
    this.#endpoint = endpoint;
    this.#with = options;
  }

  async ask(message: Record<string, unknown>): Promise<A2aTask> {
    const { version, canStream } = this.#endpoint;
    const task = new A2aTask();
    const configuration = {
      acceptedOutputModes: ['text/plain', 'application/json'],
      ...(version === 'v0.3' && { blocking: true }),
    };
    await this.#call(METHODS[version][canStream ? 'stream' : 'send'], { message, configuration }, task);
    for (let pause = FIRST_WAIT_MS; !task.isOver; pause = Math.min(pause * 2, LONGEST_WAIT_MS)) {
      if (task.id === undefined) throw this.#unreadable('neither a message nor a task');
      await wait(pause, undefined, { signal: this.#with.signal });
      await this.#call(METHODS[version].get, { id: task.id }, task);
    }
    return task;
  }

  async #call(method: string, params: unknown, task: A2aTask): Promise<void> {
    const { url, version } = this.#endpoint;
    const body = { jsonrpc: '2.0', id: randomUUID(), method, params };
    const accept = 'application/json, text/event-stream';
    // A server takes a request without it for one of an earlier version.
    const headers = { ...(version === 'v1' && { 'a2a-version': '1.0' }), ...this.#with.headers };
    const response = await this.#server.send(body, { accept, signal: this.#with.signal, url, headers });
    const kind = streamKind(response);
    if (kind === undefined) {
      const text = await this.#server.read(() => response.text());
      this.#add(jsonOrUndefined(text), text, task);
      return;
    }
    await this.#server.read(async () => {
      for await (const { data, text } of readEvents(response, kind)) {
        this.#add(data, text, task);
        // The connection may stay open.
        if (task.isOver) break;
      }
    });
  }

  #add(answer: unknown, text: string, task: A2aTask): void {
    const { error, result } = isRecord(answer) ? answer : {};
    if (isRecord(error)) {
      const problem = `${quoteOutput(String(error.message ?? ''))} (${String(error.code)})`;
      throw new AdapterError('bad_response', `${this.#server.callee} reported an error: ${problem}`);
    }
    if (!task.add(result))
      throw this.#unreadable(`something that is no answer of A2A: ${quoteOutput(text, { length: 300 })}`);
  }

  #unreadable(problem: string): AdapterError {
    return new AdapterError('bad_response', `${this.#server.callee} answered with ${problem}`);
  }
}
