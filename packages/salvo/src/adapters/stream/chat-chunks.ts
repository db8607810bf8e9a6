import { isRecord } from '../../text/json/is-record.ts';
import type { Assembled } from './assembled.ts';

interface Call {
  id: string | undefined;
  name: string;
  arguments: string;
}

/** Chunks of a chat completion to the completion. Of several choices the first counts. */
export function assembleChatChunks(chunks: readonly Record<string, unknown>[]): Assembled {
  const calls = new Map<number, Call>();
  let content = '';
  let reasoning = '';
  let finishReason: unknown;
  for (const choice of chunks.flatMap(firstChoice)) {
    finishReason = choice.finish_reason ?? finishReason;
    // Some servers end with the whole message.
    const delta = isRecord(choice.delta) ? choice.delta : choice.message;
    if (!isRecord(delta)) continue;
    content += textOf(delta.content);
    reasoning += textOf(delta.reasoning_content);
    for (const part of Array.isArray(delta.tool_calls) ? delta.tool_calls : []) addCall(calls, part);
  }
  const message = {
    role: 'assistant',
    content: content === '' && calls.size > 0 ? null : content,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    tool_calls: [...calls.values()].map(({ id, ...called }) => ({ id, type: 'function', function: called })),
  };
  const usage = chunks.findLast((chunk) => isRecord(chunk.usage))?.usage;
  const model = chunks.find((chunk) => typeof chunk.model === 'string')?.model;
  return {
    reply: {
      object: 'chat.completion',
      ...(model === undefined ? {} : { model }),
      ...(usage === undefined ? {} : { usage }),
      choices: [{ index: 0, message, finish_reason: finishReason ?? 'stop' }],
    },
    isWhole: finishReason !== undefined,
  };
}

function firstChoice({ choices }: Record<string, unknown>): Record<string, unknown>[] {
  return Array.isArray(choices) ? choices.filter(isRecord).filter(({ index = 0 }) => index === 0) : [];
}

function addCall(calls: Map<number, Call>, part: unknown): void {
  if (!isRecord(part)) return;
  const index = typeof part.index === 'number' ? part.index : calls.size;
  const call = calls.get(index) ?? { id: undefined, name: '', arguments: '' };
  const called = isRecord(part.function) ? part.function : {};
  calls.set(index, {
    id: typeof part.id === 'string' ? part.id : call.id,
    name: call.name + textOf(called.name),
    arguments: call.arguments + textOf(called.arguments),
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
