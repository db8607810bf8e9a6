import { randomUUID } from 'node:crypto';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { jsonText } from '../../text/json/json-copy.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { FormError } from '../../trace/forms/form-error.ts';
import { type StreamReader, settledReply } from '../../trace/forms/stream/read-stream.ts';
import type { Message } from '../../trace/message.ts';
import { MESSAGE_FORMS, type MessageForm } from '../../trace/write/message-form.ts';
import { type MessagesByForm, messagesAs, systemPrompt } from '../../trace/write/messages-as.ts';
import type { TurnRequest } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import { abortedError } from '../call/call-deadline.ts';
import { MAX_ANSWER_BYTES, tooLargeError } from '../call/guarded-fetch.ts';
import { adapterErrorFromStatus } from '../call/http-status.ts';
import type { AgentTask } from './agent-function.ts';
import type { AgentModule } from './load-agent-module.ts';
import { thrownError } from './thrown-error.ts';
import { trialSeed } from './trial-seed.ts';

interface Called {
  /** The agent, as the start of a sentence. */
  callee: string;
  /** Paths in a stack are relative to it. */
  root: string;
  signal: AbortSignal;
}

export interface ModuleReply {
  kind: AgentModule['kind'];
  /** JSON. */
  reply: string;
}

/** How a module is called: in this process, or in processes of its own. */
export interface ModuleCaller {
  /** Loads the module, and throws when that fails. */
  prepare(): Promise<void>;
  call(request: TurnRequest, signal: AbortSignal): Promise<ModuleReply>;
  endConversation?(id: string): Promise<void>;
  close(): Promise<void>;
}

/** Calls an agent or an adapter of the user, in this process, and returns its reply as JSON. */
export async function callModule(
  module: AgentModule,
  { messages, tools, config }: TurnRequest,
  called: Called,
): Promise<string> {
  if (module.kind === 'agent') {
    const { agent } = module;
    try {
      const reply = await agent(agentTask({ messages, tools, config }, called));
      return copyOf(await settledReply(reply, streamReader(config, called)), called);
    } catch (error) {
      if (error instanceof FormError) {
        throw new AdapterError(
          'bad_response',
          `${called.callee} gave an answer that cannot be used: ${error.message}.`,
        );
      }
      throw thrownError({ ...called, kind: 'agent' }, error);
    }
  }
  try {
    // Copies: the trace and the other trials have the same messages and tools.
    const own = structuredClone({ messages, tools, extras: config.extras });
    const settings = { ...config, extras: own.extras, signal: called.signal };
    const result: unknown = await module.adapter.sendTurn(own.messages, own.tools, settings);
    // The raw response may be anything, such as an object of an SDK that JSON cannot write.
    return copyOf(isRecord(result) ? { ...result, raw_response: undefined } : result, called);
  } catch (error) {
    throw statusError(error) ?? thrownError({ ...called, kind: 'adapter' }, error);
  }
}

/** Reads the streams of an agent, up to the size that an answer may have. */
function streamReader({ chunk }: TurnRequest['config'], { callee, signal }: Called): StreamReader {
  let size = 0;
  return {
    signal,
    onChunk(json) {
      size += json.length;
      if (size > MAX_ANSWER_BYTES) throw tooLargeError(callee);
      chunk?.(json);
    },
  };
}

/** If the agent changes its objects later, the trace must not change. */
function copyOf(reply: unknown, { callee }: Called): string {
  try {
    const text = jsonText(reply);
    if (text.length > MAX_ANSWER_BYTES) throw tooLargeError(callee);
    return text;
  } catch (cause) {
    if (cause instanceof AdapterError) throw cause;
    const message = `${callee} gave an answer that cannot be written as JSON: ${quoteOutput(errorMessage(cause))}`;
    throw new AdapterError('bad_response', message, { cause });
  }
}

function agentTask(request: TurnRequest, { callee, signal }: Called): AgentTask {
  // Copies: the agent may change them, and the conversation goes on.
  const { messages, tools } = structuredClone({ messages: request.messages, tools: request.tools });
  const { model, temperature, maxTokens, seed, extras, conversation, callTool } = request.config;
  return {
    messages,
    tools,
    ...structuredClone({ model, temperature, maxTokens, seed, extras }),
    messagesAs: (form) => messagesInForm(messages, form, callee),
    system: systemPrompt(messages),
    runId: conversation?.runId ?? '',
    scenario: conversation?.scenario ?? '',
    case: conversation?.case ?? '',
    ...structuredClone({ row: conversation?.row ?? {}, share: conversation?.share }),
    workspace: conversation?.environment?.workspace,
    services: structuredClone(conversation?.environment?.services ?? {}),
    trialNumber: conversation?.trialNumber ?? 1,
    trialSeed: trialSeed(conversation ?? { seed: 0, trialNumber: 1 }),
    conversation: conversation?.id ?? randomUUID(),
    signal,
    async callTool(name, args = {}) {
      // An agent that continues after its trial has ended must not add to the trace.
      if (signal.aborted) throw abortedError(callee, signal);
      if (!callTool)
        throw new AdapterError('bad_request', `${callee} called the tool ${name}, but there are no tools here.`);
      return callTool(name, args);
    },
  };
}

/** Agents in JavaScript may ask for any form. The messages are the agent's own copy, which it may change. */
function messagesInForm<Form extends MessageForm>(
  messages: readonly Message[],
  form: Form,
  callee: string,
): MessagesByForm[Form] {
  if (!MESSAGE_FORMS.includes(form)) {
    const problem = `asked for messages as "${String(form)}". It can be ${MESSAGE_FORMS.join(', ')}.`;
    throw new AdapterError('bad_request', `${callee} ${problem}`);
  }
  return messagesAs(messages, form);
}

/** The errors of SDKs have the HTTP status, so a user's adapter can be retried like the built-in ones. */
function statusError(error: unknown): AdapterError | undefined {
  if (!(error instanceof Error) || error instanceof SalvoError || !('status' in error)) return undefined;
  const { status, message } = error;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 400 || status > 599) return undefined;
  const headers = 'headers' in error && error.headers instanceof Headers ? error.headers : undefined;
  return adapterErrorFromStatus({ status, message: quoteOutput(message), headers, cause: error });
}
