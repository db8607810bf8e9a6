import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import type { ToolCall } from '../../trace/message.ts';
import type { AdapterTurnResult, ToolDefinition, Usage } from '../adapter.ts';
import { withoutNulls } from './gbnf-schema.ts';
import type { LlamaResponse } from './llama-library.ts';
import type { LlamaPlan } from './llama-request.ts';

interface LlamaAnswer {
  response: LlamaResponse;
  plan: LlamaPlan;
  tools: ToolDefinition[];
  usage: Usage;
  /** Ordinal of the request, used in the ids of the calls. */
  request: number;
}

export function llamaTurn({ response, plan, tools, usage, request }: LlamaAnswer): AdapterTurnResult {
  const id = (index: number) => `call_${request}_${index}`;
  const calls = plan.kind === 'forced' ? [] : (response.functionCalls ?? []);
  const forced = plan.kind === 'forced' ? forcedCall(response.response, plan.tools, id(0)) : undefined;
  const tool_calls = forced
    ? [forced]
    : calls.map(({ functionName: name, params }, index) => toolCall({ id: id(index), name, params }, tools));
  const cut = response.metadata.stopReason === 'maxTokens';
  return {
    content: forced || response.response === '' ? null : response.response,
    tool_calls,
    usage,
    // It runs on this machine.
    cost_usd: 0,
    finish_reason: cut ? 'length' : tool_calls.length > 0 ? 'tool_calls' : 'stop',
    raw_response: { response: response.response, functionCalls: calls, stopReason: response.metadata.stopReason },
    ...(calls.length > 0 && { provider_state: { llama: { raw_calls: calls.map(({ raw }) => raw ?? null) } } }),
  };
}

/** The grammar allows nothing but a call. An answer that was cut off is kept as the text of its arguments. */
function forcedCall(text: string, tools: ToolDefinition[], id: string): ToolCall | undefined {
  const call = jsonOrUndefined(text);
  if (isRecord(call) && typeof call.name === 'string') {
    return toolCall({ id, name: call.name, params: call.arguments }, tools);
  }
  const [only, ...others] = tools;
  return only && others.length === 0 ? { id, name: only.name, arguments: {}, raw_arguments: text } : undefined;
}

function toolCall(call: { id: string; name: string; params: unknown }, tools: ToolDefinition[]): ToolCall {
  const { id, name, params } = call;
  const schema = tools.find((tool) => tool.name === name)?.parameters;
  const args = withoutNulls(params, schema);
  return { id, name, arguments: isRecord(args) ? args : {} };
}
