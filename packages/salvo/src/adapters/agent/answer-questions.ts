import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ownStack } from '../../text/errors/own-stack.ts';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { jsonCopy } from '../../text/json/json-copy.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import type { ToolAnswer } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import type { FromAgent, SentError, ToAgent } from './agent-channel.ts';
import { callModule } from './call-module.ts';
import { captureOutput } from './captured-output.ts';
import { type AgentModule, loadAgentModule } from './load-agent-module.ts';
import { thrownError } from './thrown-error.ts';

// What a process for modules does: it loads one, and answers what Salvo asks through the channel of `fork`.

/** More of one trial is dropped: messages wait in memory until Salvo has read them. */
const MAX_LOG_CHARACTERS = 1024 * 1024;

interface Question {
  controller: AbortController;
  toolCalls: Map<number, PromiseWithResolvers<ToolAnswer>>;
}

const [path = '', root = '', callee = ''] = process.argv.splice(2);
const write = process.send?.bind(process);
const questions = new Map<number, Question>();
/** The question whose code is running. */
const current = new AsyncLocalStorage<number>();
let kind: AgentModule['kind'] = 'agent';
/** Errors that Salvo threw in a tool call, which pass through the agent. */
const errorsOfTools = new WeakMap<object, number>();

process.on('disconnect', () => process.exit());
process.on('exit', () => {
  send({
    type: 'exit',
    id: current.getStore() ?? null,
    stack: ownStack(new Error('The process was ended here'), root),
  });
});
process.on('uncaughtException', (error) => {
  const id = current.getStore();
  const crash = sentError(thrownError({ callee, root, kind }, error));
  // First of all, so that Salvo asks nothing more here.
  send({ type: 'exit', id: id ?? null, stack: crash.agentStack });
  for (const asked of id === undefined ? questions.keys() : [id]) send({ type: 'error', id: asked, error: crash });
  process.exit(1);
});
// An agent that forgot to await something has still answered, and its answer is judged as usual.
process.on('unhandledRejection', (reason) => {
  console.error(`Warning: uncaught error: ${ownStack(reason, root) ?? quoteOutput(errorMessage(reason))}`);
});

const loading = loadAgentModule({ path, root });
loading.then(
  (module) => {
    kind = module.kind;
    send({ type: 'ready', kind });
  },
  (error: unknown) => send({ type: 'not_loaded', error: sentError(error) }),
);

process.on('message', (message: ToAgent) => {
  switch (message.type) {
    case 'ask':
      current.run(message.id, () => answer(message));
      break;
    case 'abort':
      questions.get(message.id)?.controller.abort(new AdapterError('aborted', message.message));
      break;
    case 'tool_answer':
      receiveToolAnswer(message);
      break;
    case 'close':
      close();
  }
});

async function answer({ id, messages, tools, config, hasTools }: Extract<ToAgent, { type: 'ask' }>): Promise<void> {
  const controller = new AbortController();
  const question: Question = { controller, toolCalls: new Map() };
  questions.set(id, question);
  const callTool = hasTools ? (name: string, args: Record<string, unknown>) => askForTool(id, name, args) : undefined;
  try {
    const module = await loading;
    const { signal } = controller;
    const chunk = (json: string): void => send({ type: 'chunk', id, json });
    const request = { messages, tools, config: { ...config, callTool, chunk } };
    const reply = await captureOutput(logOf(id), async () => {
      const answered = await callModule(module, request, { callee, root, signal });
      // A promise that the agent forgot and that has failed is reported before its answer, and so kept with its trial.
      await nextTurn();
      return answered;
    });
    send({ type: 'reply', id, reply });
  } catch (error) {
    send({ type: 'error', id, error: sentError(error) });
  } finally {
    questions.delete(id);
  }
}

function askForTool(id: number, name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
  const pending = Promise.withResolvers<ToolAnswer>();
  const question = questions.get(id);
  const call = question?.toolCalls.size ?? 0;
  question?.toolCalls.set(call, pending);
  send({ type: 'tool', id, call, name: String(name), args: Object(jsonCopy(args)) });
  return pending.promise;
}

function receiveToolAnswer({ id, call, answer, problem }: Extract<ToAgent, { type: 'tool_answer' }>): void {
  const pending = questions.get(id)?.toolCalls.get(call);
  if (answer) {
    pending?.resolve(answer);
    return;
  }
  const error = new SalvoError('TOOL_CALL_FAILED', problem);
  errorsOfTools.set(error, call);
  pending?.reject(error);
}

function logOf(id: number): (text: string) => void {
  let left = MAX_LOG_CHARACTERS;
  return (text) => {
    if (left <= 0) return;
    left -= text.length;
    send({ type: 'log', id, text: left > 0 ? text : '\n[the rest of the output was dropped]\n' });
  };
}

async function close(): Promise<void> {
  const module: AgentModule | undefined = await loading.catch(() => undefined);
  try {
    if (module?.kind === 'adapter') await module.adapter.close?.();
  } finally {
    process.exit(0);
  }
}

function sentError(error: unknown): SentError {
  const toolCall = error instanceof Error ? errorsOfTools.get(error) : undefined;
  const message = errorMessage(error);
  if (!(error instanceof AdapterError)) {
    return { kind: null, code: error instanceof SalvoError ? error.code : 'AGENT_ERROR', message, toolCall };
  }
  const { kind, code, status, retryAfterSeconds, agentStack } = error;
  return { kind, code, message, status, retryAfterSeconds, agentStack, toolCall };
}

function send(message: FromAgent): void {
  // Fails only if Salvo has ended, and then this process ends, too.
  if (process.connected) write?.(message, undefined, undefined, () => {});
}
