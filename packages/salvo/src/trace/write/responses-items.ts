import type { Message, ToolCall } from '../message.ts';

/** An item of the `input` of OpenAI's Responses API. */
export type ResponsesItem =
  | { role: 'system' | 'user' | 'assistant'; content: string }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | { type: 'function_call_output'; call_id: string; output: string };

/** An item of the input of `run()` in the OpenAI Agents SDK, which has names of its own for the same things. */
export type AgentsItem =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; status: 'completed'; content: { type: 'output_text'; text: string }[] }
  | { type: 'function_call'; callId: string; name: string; arguments: string }
  | { type: 'function_call_result'; callId: string; name: string; status: 'completed'; output: string };

export function responsesItems(messages: readonly Message[]): ResponsesItem[] {
  return messages.flatMap((message): ResponsesItem[] => {
    if (message.role === 'tool_result') {
      return [{ type: 'function_call_output', call_id: message.tool_call_id, output: message.content }];
    }
    const { role, content } = message;
    const said: ResponsesItem[] = content ? [{ role, content }] : [];
    if (role !== 'assistant') return said;
    const calls = message.tool_calls.map((call): ResponsesItem => {
      return { type: 'function_call', call_id: call.id, name: call.name, arguments: argumentsText(call) };
    });
    return [...said, ...calls];
  });
}

export function agentsItems(messages: readonly Message[]): AgentsItem[] {
  return messages.flatMap((message): AgentsItem[] => {
    if (message.role === 'tool_result') {
      const { tool_call_id: callId, name, content: output } = message;
      return [{ type: 'function_call_result', callId, name, status: 'completed', output }];
    }
    const { role, content } = message;
    if (role !== 'assistant') return [{ role, content }];
    const said: AgentsItem[] = content
      ? [{ role, status: 'completed', content: [{ type: 'output_text', text: content }] }]
      : [];
    const calls = message.tool_calls.map((call): AgentsItem => {
      return { type: 'function_call', callId: call.id, name: call.name, arguments: argumentsText(call) };
    });
    return [...said, ...calls];
  });
}

function argumentsText({ raw_arguments, arguments: args }: ToolCall): string {
  return raw_arguments ?? JSON.stringify(args);
}
