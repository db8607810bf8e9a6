import { isRecord } from '../../../text/json/is-record.ts';
import { brokeOff, StreamError } from './stream-error.ts';

type Part = Record<string, unknown>;

interface Step {
  content: Part[];
  usage?: unknown;
  performance?: unknown;
  response?: unknown;
  finishReason?: unknown;
}

/** Parts that begin or end something, or tell about what another part has as a whole. */
const WITHOUT_CONTENT: ReadonlySet<unknown> = new Set([
  ...['start', 'text-start', 'text-end', 'reasoning-start', 'reasoning-end', 'ping', 'raw', 'message-metadata'],
  ...['tool-input-start', 'tool-input-delta', 'tool-input-end', 'reset-step'],
  // Mastra's. What background tasks and a goal do is not said by the agent.
  ...['response-metadata', 'reasoning-signature', 'object', 'object-result', 'step-output', 'watch', 'tool-output'],
  ...['tool-call-input-streaming-start', 'tool-call-delta', 'tool-call-input-streaming-end'],
  ...['tool-call-approval', 'tool-call-suspended', 'is-task-complete', 'goal'],
]);

/** The parts of the stream of a page under the names that the steps of a result have. */
const OF_PAGES: ReadonlyMap<unknown, (part: Part) => Part[]> = new Map<unknown, (part: Part) => Part[]>([
  ['tool-input-available', (part) => [{ ...part, type: 'tool-call' }]],
  ['tool-output-available', (part) => (part.preliminary === true ? [] : [{ ...part, type: 'tool-result' }])],
  ['tool-output-error', (part) => [{ ...part, type: 'tool-error', error: part.errorText }]],
  [
    'tool-input-error',
    (part) => [
      { ...part, type: 'tool-call' },
      { ...part, type: 'tool-error', error: part.errorText },
    ],
  ],
  ['source-url', (part) => [{ ...part, type: 'source' }]],
  ['source-document', (part) => [{ ...part, type: 'source' }]],
]);

const DENIED = { type: 'execution-denied' };

/** Types that only the streams of the AI SDK and of Mastra have, as `fullStream` or as the stream of a page. */
const SIGNS: ReadonlySet<unknown> = new Set([
  ...['start', 'start-step', 'step-start', 'finish-step', 'step-finish', 'text-start', 'text-delta', 'reasoning-start'],
  ...['tool-input-start', 'tool-input-available', 'finish'],
]);

export function isAiSdkPart({ type }: Part): boolean {
  return SIGNS.has(type);
}

/** The parts of a stream of the AI SDK or of Mastra, as the steps of a result. */
export function joinAiSdkStream(parts: readonly unknown[], { isPartial }: { isPartial: boolean }): unknown {
  const steps: Step[] = [];
  let totalUsage: unknown;
  let isWhole = false;
  let current: Step | null = null;
  const step = (): Step => {
    if (current === null) {
      current = { content: [] };
      steps.push(current);
    }
    return current;
  };
  for (const given of parts) {
    if (!isRecord(given)) continue;
    const part = unwrapped(given);
    const { type } = part;
    if (type === 'error' && !isPartial) throw new StreamError(errorText(part.error ?? part.errorText));
    if (type === 'abort' && !isPartial) throw brokeOff('an answer, because it was aborted');
    if (type === 'tripwire' && !isPartial)
      throw new StreamError(`a processor stopped it: ${String(part.reason ?? '')}`);
    if (type === 'start-step' || type === 'step-start') current = null;
    else if (type === 'finish-step' || type === 'step-finish') {
      Object.assign(step(), endOfStep(part));
      current = null;
    } else if (type === 'finish') {
      isWhole = true;
      totalUsage = part.totalUsage ?? (isRecord(part.output) ? part.output.usage : undefined);
    } else if (!isWithoutContent(type)) addPart(step().content, part);
  }
  if (!isPartial && !isWhole) throw brokeOff('a part of the type finish');
  return { steps, ...(totalUsage === undefined ? {} : { totalUsage }) };
}

/** Mastra has what a part says in `payload`. */
function unwrapped(part: Part): Part {
  return isRecord(part.payload) ? { ...part.payload, type: part.type } : part;
}

function isWithoutContent(type: unknown): boolean {
  if (typeof type === 'string' && (type.startsWith('data-') || type.startsWith('background-task-'))) return true;
  return WITHOUT_CONTENT.has(type) || type === 'error' || type === 'abort' || type === 'tripwire';
}

/** What is said comes in pieces with one id. Everything else is a whole part of the content. */
function addPart(content: Part[], part: Part): void {
  const { type, id } = part;
  if (type === 'text-delta' || type === 'reasoning-delta') {
    const kind = type === 'text-delta' ? 'text' : 'reasoning';
    const piece = String(part.text ?? part.delta ?? '');
    const begun = content.findLast((each) => each.type === kind && each.id === id);
    if (begun) begun.text = `${String(begun.text)}${piece}`;
    else content.push({ type: kind, id, text: piece });
  } else if (type === 'tool-output-denied') content.push({ ...part, type: 'tool-result', output: DENIED });
  else if (type === 'steering-message') content.push({ type: 'custom', kind: 'steering-message' });
  else if (type !== 'tool-result' || part.preliminary !== true) content.push(...(OF_PAGES.get(type)?.(part) ?? [part]));
}

function endOfStep({ usage, performance, response, finishReason, output, metadata, stepResult }: Part): Partial<Step> {
  // The sum up to this step in Mastra's streams, whose own figures are in `raw`.
  const given = isRecord(output) && isRecord(output.usage) ? (output.usage.raw ?? output.usage) : usage;
  const reason = isRecord(stepResult) ? stepResult.reason : finishReason;
  return { usage: given, performance, response: response ?? metadata, finishReason: reason };
}

function errorText(error: unknown): string {
  if (isRecord(error)) return typeof error.message === 'string' ? error.message : JSON.stringify(error);
  return typeof error === 'string' ? error : 'the stream reported an error';
}
