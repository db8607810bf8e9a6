import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import type { Message } from '../../trace/message.ts';
import type { TurnRequest } from '../adapter.ts';
import { requestedToolChoice } from '../call/tool-choice.ts';
import type { AiSdk } from './ai-sdk-provider.ts';

interface AiSdkRequest extends TurnRequest {
  sdk: AiSdk;
  /** The model's name for its provider, such as `google.generative-ai`. */
  providerName: string;
}

/** The parts of an assistant message as the SDK returned them, when they contain more than text and tool calls. */
const aiSdkStateSchema = z.object({ ai_sdk: z.array(z.looseObject({ type: z.string() })) });

/** Extras for which the SDK has its own settings. */
const SETTINGS = new Map([
  ['top_p', 'topP'],
  ['top_k', 'topK'],
  ['presence_penalty', 'presencePenalty'],
  ['frequency_penalty', 'frequencyPenalty'],
  ['stop', 'stopSequences'],
  ['stop_sequences', 'stopSequences'],
]);

/** The arguments of `generateText`. The tools have no `execute`, so that the SDK returns their calls. */
export function aiSdkCallOptions(request: AiSdkRequest): Record<string, unknown> {
  const { sdk, messages, tools, config, providerName } = request;
  const system = messages.filter((message) => message.role === 'system').map(({ content }) => content);
  const choice = requestedToolChoice(config.extras);
  return {
    ...(system.length > 0 && { system: system.join('\n\n') }),
    messages: modelMessages(messages),
    ...(tools.length > 0 && {
      tools: Object.fromEntries(
        tools.map(({ name, description, parameters }) => [
          name,
          { description, inputSchema: sdk.jsonSchema(parameters) },
        ]),
      ),
      ...(choice && { toolChoice: choice.type === 'tool' ? { type: 'tool', toolName: choice.name } : choice.type }),
    }),
    temperature: config.temperature,
    maxOutputTokens: config.maxTokens,
    seed: config.seed,
    ...extraOptions(config.extras ?? {}, providerName),
  };
}

/** An object in `extras` has the options of the provider of that name; a plain value is for the current provider. */
function extraOptions({ tool_choice: _, ...extras }: Record<string, unknown>, providerName: string) {
  const own = providerName.split('.')[0] ?? providerName;
  const settings: Record<string, unknown> = {};
  const providerOptions: Record<string, Record<string, unknown>> = {};
  for (const [key, value] of Object.entries(extras)) {
    const setting = SETTINGS.get(key);
    if (setting === 'stopSequences') settings[setting] = [value].flat();
    else if (setting !== undefined) settings[setting] = value;
    else if (isRecord(value)) providerOptions[key] = { ...providerOptions[key], ...value };
    else providerOptions[own] = { ...providerOptions[own], [key]: value };
  }
  return { ...settings, providerOptions };
}

interface ModelMessage {
  role: 'user' | 'assistant' | 'tool';
  content: string | Record<string, unknown>[];
}

function modelMessages(messages: Message[]): ModelMessage[] {
  const result: ModelMessage[] = [];
  for (const message of messages) {
    if (message.role === 'user') result.push({ role: 'user', content: message.content });
    if (message.role === 'assistant') result.push({ role: 'assistant', content: assistantParts(message) });
    if (message.role === 'tool_result') {
      const last = result.at(-1);
      // The results of one turn belong in one message.
      if (last?.role === 'tool' && Array.isArray(last.content)) last.content.push(toolResultPart(message));
      else result.push({ role: 'tool', content: [toolResultPart(message)] });
    }
  }
  return result;
}

function assistantParts(message: Extract<Message, { role: 'assistant' }>): Record<string, unknown>[] {
  const state = aiSdkStateSchema.safeParse(message.provider_state);
  if (state.success) return state.data.ai_sdk;
  const text = message.content ? [{ type: 'text', text: message.content }] : [];
  // Malformed arguments are sent back as {}: several providers reject anything but an object.
  const calls = message.tool_calls.map(({ id, name, arguments: input }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input,
  }));
  return [...text, ...calls];
}

function toolResultPart({ tool_call_id, name, content, is_error }: Extract<Message, { role: 'tool_result' }>) {
  const output = { type: is_error ? 'error-text' : 'text', value: content };
  return { type: 'tool-result', toolCallId: tool_call_id, toolName: name, output };
}
