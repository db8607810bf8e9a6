import { isRecord } from '../../text/json/is-record.ts';
import { aiSdkMessages } from '../../trace/write/ai-sdk-messages.ts';
import { systemPrompt } from '../../trace/write/messages-as.ts';
import type { AdapterConfig, TurnRequest } from '../adapter.ts';
import { furtherFields } from '../call/own-fields.ts';
import { requestedToolChoice } from '../call/tool-choice.ts';
import type { AiSdk } from './ai-sdk-provider.ts';

interface AiSdkRequest extends TurnRequest {
  sdk: AiSdk;
  /** The model's name for its provider, such as `google.generative-ai`. */
  providerName: string;
}

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
  const system = systemPrompt(messages);
  const choice = requestedToolChoice(config.extras);
  return {
    ...(system !== undefined && { system }),
    messages: aiSdkMessages(messages),
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
    ...extraOptions(config, providerName),
  };
}

/** An object in `extras` has the options of the provider of that name; a plain value is for the current provider. */
function extraOptions(config: AdapterConfig, providerName: string) {
  const { tool_choice: _, ...extras } = furtherFields(config.extras, config);
  const own = providerName.split('.')[0] ?? providerName;
  const settings: Record<string, unknown> = {};
  const providerOptions: Record<string, Record<string, unknown>> = {};
  for (const [key, value] of Object.entries(extras)) {
    const setting = SETTINGS.get(key);
    if (setting === 'stopSequences') settings[setting] = [value].flat();
    else if (setting !== undefined) settings[setting] = value;
    else if (isRecord(value)) {
      // Some providers copy these options into the request.
      providerOptions[key] = { ...providerOptions[key], ...furtherFields(value, config) };
    } else providerOptions[own] = { ...providerOptions[own], [key]: value };
  }
  return { ...settings, providerOptions };
}
