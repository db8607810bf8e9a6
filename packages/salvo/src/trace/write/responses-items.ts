import type { Message, MessageFile, ToolCall } from '../message.ts';
import { contentParts, isImage, nameOfFile, resultText, urlOfFile } from './file-parts.ts';

/** An item of the `input` of OpenAI's Responses API. */
export type ResponsesItem =
  | { role: 'system' | 'assistant'; content: string }
  | { role: 'user'; content: string | ResponsesPart[] }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | { type: 'function_call_output'; call_id: string; output: string | ResponsesPart[] };

type ResponsesPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' }
  | { type: 'input_file'; filename: string; file_data: string }
  | { type: 'input_file'; file_url: string };

/** An item of the input of `run()` in the OpenAI Agents SDK, which has names of its own for the same things. */
export type AgentsItem =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | AgentsPart[] }
  | { role: 'assistant'; status: 'completed'; content: { type: 'output_text'; text: string }[] }
  | { type: 'function_call'; callId: string; name: string; arguments: string }
  | { type: 'function_call_result'; callId: string; name: string; status: 'completed'; output: string };

type AgentsPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image: string }
  | { type: 'input_file'; file: string | { url: string }; filename: string };

const inputText = (text: string) => ({ type: 'input_text' as const, text });

const RESPONSES_PARTS = {
  text: inputText,
  file: (file: MessageFile): ResponsesPart => {
    const address = urlOfFile(file);
    if (isImage(file)) return { type: 'input_image', image_url: address, detail: 'auto' };
    if (file.data === undefined) return { type: 'input_file', file_url: address };
    return { type: 'input_file', filename: nameOfFile(file), file_data: address };
  },
};

const AGENTS_PARTS = {
  text: inputText,
  file: (file: MessageFile): AgentsPart => {
    const address = urlOfFile(file);
    if (isImage(file)) return { type: 'input_image', image: address };
    return {
      type: 'input_file',
      file: file.data === undefined ? { url: address } : address,
      filename: nameOfFile(file),
    };
  },
};

export function responsesItems(messages: readonly Message[]): ResponsesItem[] {
  return messages.flatMap((message): ResponsesItem[] => {
    if (message.role === 'tool_result') {
      const output = contentParts(message, RESPONSES_PARTS);
      return [{ type: 'function_call_output', call_id: message.tool_call_id, output }];
    }
    if (message.role === 'user' && message.files) {
      return [{ role: 'user', content: contentParts(message, RESPONSES_PARTS) }];
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
      const { tool_call_id: callId, name } = message;
      return [{ type: 'function_call_result', callId, name, status: 'completed', output: resultText(message) }];
    }
    if (message.role === 'user') return [{ role: 'user', content: contentParts(message, AGENTS_PARTS) }];
    const { role, content } = message;
    if (role === 'system') return [{ role, content }];
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
