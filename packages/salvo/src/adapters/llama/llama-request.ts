import { seededRandom } from '../../stats/seeded-random.ts';
import { isRecord } from '../../text/json/is-record.ts';
import type { Message } from '../../trace/message.ts';
import type { AdapterConfig, Conversation, ToolDefinition } from '../adapter.ts';
import { requestedToolChoice, type ToolChoice } from '../call/tool-choice.ts';
import { gbnfSchema } from './gbnf-schema.ts';

/** How an answer is generated: freely, with tools to choose from, or as a call of one of these tools. */
export type LlamaPlan =
  | { kind: 'free'; functions: Record<string, { description: string; params?: Record<string, unknown> }> | undefined }
  | { kind: 'forced'; tools: ToolDefinition[]; schema: Record<string, unknown>; instruction: string };

export function llamaPlan(tools: ToolDefinition[], config: AdapterConfig): LlamaPlan {
  const choice = requestedToolChoice(config.extras);
  const forced = forcedTools(tools, choice);
  if (forced.length > 0)
    return { kind: 'forced', tools: forced, schema: callSchema(forced), instruction: instruction(forced) };
  if (tools.length === 0 || choice?.type === 'none') return { kind: 'free', functions: undefined };
  return { kind: 'free', functions: Object.fromEntries(tools.map((tool) => [tool.name, llamaFunction(tool)])) };
}

/** The sampling options of node-llama-cpp. */
export function llamaSampling(config: AdapterConfig): Record<string, unknown> {
  const { temperature, maxTokens, seed, extras, conversation } = config;
  return {
    temperature,
    maxTokens,
    // The model runs in this process, so the same --seed must give the same answer.
    seed: seed ?? (conversation && seedOf(conversation)),
    topP: extras?.top_p,
    topK: extras?.top_k,
    minP: extras?.min_p,
  };
}

function seedOf({ seed, trialNumber, voteNumber = 0, request }: Conversation): number {
  return Math.floor(seededRandom(seed, 'llama', trialNumber, voteNumber, request)() * 2 ** 32);
}

/** A grammar only limits what the model can write; the instruction says which tool to call. */
export function withInstruction(messages: Message[], instruction: string): Message[] {
  const [first, ...others] = messages;
  return first?.role === 'system'
    ? [{ role: 'system', content: `${first.content}\n\n${instruction}` }, ...others]
    : [{ role: 'system', content: instruction }, ...messages];
}

function forcedTools(tools: ToolDefinition[], choice: ToolChoice | undefined): ToolDefinition[] {
  if (choice?.type === 'required') return tools;
  return choice?.type === 'tool' ? tools.filter(({ name }) => name === choice.name) : [];
}

/** `{name, arguments}` of one of the tools. */
function callSchema(tools: ToolDefinition[]): Record<string, unknown> {
  const calls = tools.map(({ name, parameters }) => ({
    type: 'object',
    properties: { name: { const: name }, arguments: gbnfSchema({ type: 'object', ...parameters }) },
  }));
  const [only, ...others] = calls;
  return only !== undefined && others.length === 0 ? only : { oneOf: calls };
}

function instruction(tools: ToolDefinition[]): string {
  const lines = tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }));
  return `Answer with a call of ${tools.length === 1 ? 'this tool' : 'one of these tools'}, as JSON with "name" and "arguments", and with nothing else:\n${lines.join('\n')}`;
}

function llamaFunction({ description, parameters }: ToolDefinition) {
  const hasProperties = isRecord(parameters.properties) && Object.keys(parameters.properties).length > 0;
  return { description, ...(hasProperties && { params: gbnfSchema({ type: 'object', ...parameters }) }) };
}
