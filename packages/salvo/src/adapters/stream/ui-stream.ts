import { isRecord } from '../../text/json/is-record.ts';
import type { Assembled } from './assembled.ts';

type Part = Record<string, unknown>;

/** The UI message stream of the AI SDK to its message. */
export function assembleUiStream(events: readonly Record<string, unknown>[]): Assembled {
  const parts: Part[] = [];
  const texts = new Map<string, Part>();
  const tools = new Map<string, Part>();
  const open = (type: 'text' | 'reasoning', id: unknown): Part => {
    const key = `${type} ${String(id)}`;
    const part = texts.get(key) ?? { type, text: '' };
    if (!texts.has(key)) parts.push(part);
    texts.set(key, part);
    return part;
  };
  for (const event of events) {
    const type = String(event.type);
    const [, kind, stage] = /^(text|reasoning)-(start|delta|end)$/.exec(type) ?? [];
    if (kind === 'text' || kind === 'reasoning') {
      const part = open(kind, event.id);
      if (stage === 'delta') part.text = `${part.text}${event.delta ?? ''}`;
      // The same id may begin another text in a later step.
      if (stage === 'end') texts.delete(`${kind} ${String(event.id)}`);
    } else if (type === 'start-step') parts.push({ type: 'step-start' });
    else if (type.startsWith('tool-')) addToolEvent(event, { parts, tools });
    else if (/^(?:source-url|source-document|file)$/.test(type)) parts.push(event);
  }
  return {
    reply: { role: 'assistant', parts },
    isWhole: events.some(({ type }) => type === 'finish' || type === 'abort'),
  };
}

function addToolEvent(event: Record<string, unknown>, { parts, tools }: { parts: Part[]; tools: Map<string, Part> }) {
  const id = String(event.toolCallId);
  const part = tools.get(id) ?? { type: 'dynamic-tool', toolCallId: id, state: 'input-streaming' };
  if (!tools.has(id)) parts.push(part);
  tools.set(id, part);
  if (typeof event.toolName === 'string') part.toolName = event.toolName;
  const fields = { input: event.input, output: event.output, errorText: event.errorText };
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) part[name] = value;
  const state = STATES.get(String(event.type));
  if (state !== undefined && isRecord(part)) part.state = state;
}

const STATES: ReadonlyMap<string, string> = new Map([
  ['tool-input-available', 'input-available'],
  ['tool-input-error', 'output-error'],
  ['tool-output-available', 'output-available'],
  ['tool-output-error', 'output-error'],
  ['tool-output-denied', 'output-denied'],
]);
