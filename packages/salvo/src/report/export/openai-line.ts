import { textWithMarkers } from '../../trace/files/message-file.ts';
import type { AssistantMessage, Message } from '../../trace/message.ts';
import { openAiFile, openAiMessages } from '../../trace/write/openai-messages.ts';
import type { TrialToExport } from './exported-parts.ts';
import { factsOf, withFiles } from './lost-fields.ts';

/** A trial as chat completions have it: messages, the tools that could be called, and how the trial ended. */
export function openAiLine(trial: TrialToExport): Record<string, unknown> {
  const tools = trial.tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, ...(description ? { description } : {}), ...(parameters ? { parameters } : {}) },
  }));
  return {
    messages: exportedMessages(trial.trace.messages),
    ...(tools.length === 0 ? {} : { tools }),
    metadata: factsOf(trial),
  };
}

/** Without what a provider wants back: it is no part of the form. */
export function exportedMessages(messages: readonly Message[]): Record<string, unknown>[] {
  const plain = messages.map((message) => {
    if (message.role !== 'assistant') return message;
    const { provider_state: _, ...rest } = message;
    return rest;
  });
  return openAiMessages(plain).map((written, index) => {
    const message = plain[index];
    const name = message?.role === 'assistant' ? nameOf(message) : undefined;
    return name === undefined ? { ...written } : { ...written, name };
  });
}

/** The API takes no other names. */
function nameOf({ agent }: Pick<AssistantMessage, 'agent'>): string | undefined {
  return agent !== undefined && /^[\w-]{1,64}$/.test(agent) ? agent : undefined;
}

export function carriedByOpenAi(messages: readonly Message[]): Message[] {
  return messages.map((message) => {
    if (message.role === 'system') return message;
    if (message.role === 'user') {
      const { content, files = [] } = message;
      return withFiles(
        { role: 'user', content },
        files.filter((file) => openAiFile(file) !== null),
      );
    }
    if (message.role === 'assistant') {
      const { content, tool_calls } = message;
      const agent = nameOf(message);
      return { role: 'assistant', content, tool_calls, ...(agent === undefined ? {} : { agent }) };
    }
    const { tool_call_id, name } = message;
    return { role: 'tool_result', tool_call_id, name, content: textWithMarkers(message), is_error: false };
  });
}
