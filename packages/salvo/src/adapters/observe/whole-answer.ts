import { isRecord } from '../../text/json/is-record.ts';
import type { ModelApi } from './model-target.ts';

type Json = Record<string, unknown>;

/** A streamed answer, put together as it would be without a stream. */
export interface WholeAnswer {
  answer: Json | null;
  /** Whether the stream came to its end. */
  isComplete: boolean;
  /** What the provider reported within the stream. */
  error: string | null;
}

export function wholeAnswer(api: ModelApi, events: readonly Json[]): WholeAnswer {
  const failed = events.find((event) => isRecord(event.error))?.error;
  const error = isRecord(failed) ? textOf(failed.message) || textOf(failed.type) || 'an error' : null;
  return { error, ...READERS[api](events) };
}

const READERS: Record<ModelApi, (events: readonly Json[]) => Pick<WholeAnswer, 'answer' | 'isComplete'>> = {
  chat: wholeChat,
  responses: wholeResponse,
  messages: wholeMessage,
  gemini: wholeGemini,
};

function wholeChat(events: readonly Json[]): Pick<WholeAnswer, 'answer' | 'isComplete'> {
  const message: Json & { content: string | null } = { role: 'assistant', content: null };
  const calls = new Map<number, { id?: unknown; name: string; arguments: string }>();
  let finishReason: unknown = null;
  for (const { choices } of events) {
    for (const choice of records(choices)) {
      // Only the first of several answers counts, as without a stream.
      if ((choice.index ?? 0) !== 0) continue;
      finishReason = choice.finish_reason ?? finishReason;
      const delta = isRecord(choice.delta) ? choice.delta : {};
      if (typeof delta.content === 'string') message.content = (message.content ?? '') + delta.content;
      for (const name of ['refusal', 'reasoning_content', 'reasoning']) {
        if (typeof delta[name] === 'string') message[name] = textOf(message[name]) + delta[name];
      }
      for (const [at, part] of records(delta.tool_calls).entries()) {
        const index = typeof part.index === 'number' ? part.index : calls.size + at;
        const call = calls.get(index) ?? { name: '', arguments: '' };
        const made = isRecord(part.function) ? part.function : {};
        calls.set(index, {
          id: call.id ?? part.id,
          name: call.name + textOf(made.name),
          arguments: call.arguments + textOf(made.arguments),
        });
      }
    }
  }
  const tool_calls = [...calls.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, { id, ...call }]) => ({ id, type: 'function', function: call }));
  const usage = events.findLast((event) => isRecord(event.usage))?.usage ?? null;
  const model = events.find((event) => typeof event.model === 'string')?.model;
  const whole = { ...message, ...(tool_calls.length > 0 ? { tool_calls } : {}) };
  const hasAnswer = message.content !== null || tool_calls.length > 0 || finishReason !== null || 'refusal' in message;
  return {
    answer: hasAnswer ? { model, usage, choices: [{ message: whole, finish_reason: finishReason }] } : null,
    isComplete: finishReason !== null,
  };
}

function wholeResponse(events: readonly Json[]): Pick<WholeAnswer, 'answer' | 'isComplete'> {
  const last = events.findLast(({ type }) => /^response\.(?:completed|incomplete|failed)$/.test(textOf(type)));
  if (isRecord(last?.response)) return { answer: last.response, isComplete: true };
  const output = events.flatMap(({ type, item }) =>
    type === 'response.output_item.done' && isRecord(item) ? [item] : [],
  );
  const begun = events.find(({ response }) => isRecord(response))?.response;
  return {
    answer: output.length > 0 ? { ...(isRecord(begun) ? begun : {}), object: 'response', output } : null,
    isComplete: false,
  };
}

function wholeMessage(events: readonly Json[]): Pick<WholeAnswer, 'answer' | 'isComplete'> {
  const begun = events.find(({ type }) => type === 'message_start')?.message;
  const blocks = new Map<unknown, Json>();
  let end: Json = {};
  let usage: Json = isRecord(begun) && isRecord(begun.usage) ? begun.usage : {};
  for (const event of events) {
    if (event.type === 'content_block_start' && isRecord(event.content_block)) {
      blocks.set(event.index, { ...event.content_block });
    } else if (event.type === 'content_block_delta' && isRecord(event.delta)) {
      const block = blocks.get(event.index);
      if (block) addDelta(block, event.delta);
    } else if (event.type === 'message_delta') {
      end = { ...end, ...(isRecord(event.delta) ? event.delta : {}) };
      usage = { ...usage, ...(isRecord(event.usage) ? event.usage : {}) };
    }
  }
  const content = [...blocks.values()].map(({ partial_json, ...block }) =>
    typeof partial_json === 'string' && partial_json !== '' ? { ...block, input: partial_json } : block,
  );
  return {
    answer: isRecord(begun) ? { ...begun, role: 'assistant', content: content.map(withInput), ...end, usage } : null,
    isComplete: events.some(({ type }) => type === 'message_stop'),
  };
}

/** The pieces of a block are in fields named after their type: `text_delta` has `text`. */
function addDelta(block: Json, delta: Json): void {
  for (const name of ['text', 'thinking', 'signature', 'partial_json']) {
    if (typeof delta[name] === 'string') block[name] = textOf(block[name]) + delta[name];
  }
  if (isRecord(delta.citation))
    block.citations = [...(Array.isArray(block.citations) ? block.citations : []), delta.citation];
}

function withInput(block: Json): Json {
  if (typeof block.input !== 'string') return block;
  try {
    return { ...block, input: JSON.parse(block.input) };
  } catch {
    return block;
  }
}

function wholeGemini(events: readonly Json[]): Pick<WholeAnswer, 'answer' | 'isComplete'> {
  const parts: Json[] = [];
  let finishReason: unknown = null;
  for (const { candidates } of events) {
    const [candidate] = records(candidates);
    finishReason = candidate?.finishReason ?? finishReason;
    const content = isRecord(candidate?.content) ? candidate.content : {};
    for (const part of records(content.parts)) {
      const last = parts.at(-1);
      const continues = isPlainText(part) && last && isPlainText(last) && last.thought === part.thought;
      if (continues) last.text = `${last.text}${part.text}`;
      else parts.push({ ...part });
    }
  }
  const usageMetadata = events.findLast((event) => isRecord(event.usageMetadata))?.usageMetadata;
  const modelVersion = events.find((event) => typeof event.modelVersion === 'string')?.modelVersion;
  const candidate = { content: { role: 'model', parts }, finishReason };
  return {
    answer: events.length > 0 ? { candidates: [candidate], usageMetadata, modelVersion } : null,
    isComplete: finishReason !== null || events.some(({ promptFeedback }) => isRecord(promptFeedback)),
  };
}

function isPlainText(part: Json): boolean {
  return typeof part.text === 'string' && Object.keys(part).every((key) => key === 'text' || key === 'thought');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function records(list: unknown): Json[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
