import { z } from 'zod';
import type { AssistantMessage, Message, ToolResultMessage } from '../message.ts';

/** A `ModelMessage` of the Vercel AI SDK since version 5, without the system prompt: version 7 takes it elsewhere. */
export type AiSdkMessage =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: AiSdkAssistantPart[] }
  | { role: 'tool'; content: AiSdkToolResult[] };

type AiSdkAssistantPart =
  | { type: 'text'; text: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: Record<string, unknown> };

interface AiSdkToolResult {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output: { type: 'text' | 'error-text'; value: string };
}

/** The parts of an assistant message as the SDK returned them, when they contain more than text and tool calls. */
const stateSchema = z.object({ ai_sdk: z.array(z.looseObject({ type: z.string() })) });

export function aiSdkMessages(messages: readonly Message[]): AiSdkMessage[] {
  const result: AiSdkMessage[] = [];
  for (const message of messages) {
    if (message.role === 'user') result.push({ role: 'user', content: message.content });
    if (message.role === 'assistant') result.push({ role: 'assistant', content: assistantParts(message) });
    if (message.role === 'tool_result') {
      const last = result.at(-1);
      // The results of one turn belong in one message.
      if (last?.role === 'tool') last.content.push(toolResultPart(message));
      else result.push({ role: 'tool', content: [toolResultPart(message)] });
    }
  }
  return result;
}

function assistantParts(message: AssistantMessage): AiSdkAssistantPart[] {
  const state = stateSchema.safeParse(message.provider_state).data?.ai_sdk;
  // The parts came from the SDK in an earlier turn, and are not checked again.
  if (state) return state as unknown[] as AiSdkAssistantPart[];
  const text = message.content ? [{ type: 'text' as const, text: message.content }] : [];
  // Malformed arguments are sent back as {}: several providers reject anything but an object.
  const calls = message.tool_calls.map(({ id, name, arguments: input }) => {
    return { type: 'tool-call' as const, toolCallId: id, toolName: name, input };
  });
  return [...text, ...calls];
}

function toolResultPart({ tool_call_id, name, content, is_error }: ToolResultMessage): AiSdkToolResult {
  const output = { type: is_error ? ('error-text' as const) : ('text' as const), value: content };
  return { type: 'tool-result', toolCallId: tool_call_id, toolName: name, output };
}
