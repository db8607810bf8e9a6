import type { ToolDefinition } from '../../../adapters/adapter.ts';
import { sleep } from '../../../models/call/retry-policy.ts';
import type { Effect, Fault } from '../../../scenario/schema/tool-schema.ts';
import { seededRandom } from '../../../stats/seeded-random.ts';
import { canonicalJson } from '../../../text/json/canonical-json.ts';
import type { ToolCall } from '../../../trace/message.ts';
import type { FaultRecord } from '../../../trace/trace.ts';
import { problem } from '../tool-mocks.ts';
import type { ToolOutcome, TrialTools } from '../tool-source.ts';
import { duplicates, emptyList, truncated, wrongTypes } from './changed-answer.ts';
import { drawFault } from './draw-fault.ts';
import { hideInstruction } from './hide-instruction.ts';

interface FaultyTool extends ToolDefinition {
  effect?: Effect | undefined;
  faults: readonly Fault[] | undefined;
}

const DEFAULT_DELAY_MS = 2000;

/** What an HTTP client says. */
const ERRORS: Partial<Record<Fault['kind'], string>> = {
  timeout: 'timeout of 30000ms exceeded',
  http_429:
    'Request failed with status code 429: {"error":{"type":"rate_limit_exceeded","message":"Too Many Requests","retry_after_seconds":2}}',
  http_500: 'Request failed with status code 500: {"error":"Internal Server Error"}',
  connection_lost: 'read ECONNRESET: the connection was closed before the response was complete',
};

/**
 * The tools of a trial, some of whose calls go wrong. Which ones depends on `seed`, the tool and the number of its call, and on
 * nothing else: the same trial has the same faults wherever and whenever it runs.
 */
export function faultyTools(
  tools: TrialTools,
  { tools: offered, seed }: { tools: readonly FaultyTool[]; seed: readonly (string | number)[] },
): TrialTools {
  const byName = new Map(offered.map((tool) => [tool.name, tool]));
  const counts = new Map<string, number>();
  const earlier = new Map<string, string>();
  const answer = async (call: ToolCall, signal: AbortSignal): Promise<ToolOutcome> => {
    const faults = byName.get(call.name)?.faults;
    if (!faults) return tools.answer(call, signal);
    const number = (counts.get(call.name) ?? 0) + 1;
    counts.set(call.name, number);
    const random = seededRandom(...seed, 'fault', call.name, number);
    const fault = drawFault(faults, number, random);
    const key = `${call.name} ${canonicalJson(call.arguments)}`;
    const outcome = fault
      ? await faultyAnswer(fault, { number, random, offered, stale: earlier.get(key), signal }, () =>
          tools.answer(call, signal),
        )
      : await tools.answer(call, signal);
    if (!outcome.is_error && !outcome.fault && !earlier.has(key)) earlier.set(key, outcome.content);
    return outcome;
  };
  return { ...tools, answer };
}

interface FaultyCall {
  /** Which call of the tool it is, from 1. */
  number: number;
  random: () => number;
  offered: readonly FaultyTool[];
  /** What the same call was answered first. */
  stale: string | undefined;
  signal: AbortSignal;
}

async function faultyAnswer(
  fault: Fault,
  call: FaultyCall,
  real: () => Promise<ToolOutcome> | ToolOutcome,
): Promise<ToolOutcome> {
  const mark = (tool: FaultRecord['tool']): FaultRecord => ({ kind: fault.kind, call: call.number, tool });
  const error = ERRORS[fault.kind];
  if (error !== undefined && !fault.after) return { ...failure(fault, error), fault: mark('not_called') };
  const answered = await real();
  if (error !== undefined) return { ...failure(fault, error), fault: mark(answered.is_error ? 'failed' : 'succeeded') };
  // An error that the tool gave itself has no data that could be wrong.
  if (answered.is_error && fault.kind !== 'slow') return answered;
  if (fault.kind === 'slow') {
    await sleep((fault.delay_ms ?? DEFAULT_DELAY_MS) / 1000, call.signal);
    return { ...answered, fault: mark(answered.is_error ? 'failed' : 'succeeded') };
  }
  if (fault.kind === 'injection') {
    const hidden = hideInstruction(answered.content, { texts: fault.texts, tools: call.offered, random: call.random });
    if (!hidden) return answered;
    return { ...answered, content: hidden.content, fault: { ...mark('succeeded'), injection: hidden.injection } };
  }
  const content = changedContent(fault, answered.content, call);
  return content === null || content === answered.content
    ? answered
    : { ...answered, content, fault: mark('succeeded') };
}

function failure({ message }: Fault, error: string): ToolOutcome {
  return problem('tool_failed', message ?? error);
}

/** Null if the fault cannot happen to this answer. */
function changedContent({ kind, respond }: Fault, content: string, { random, stale }: FaultyCall): string | null {
  switch (kind) {
    case 'truncated':
      return truncated(content, random);
    case 'wrong_types':
      return wrongTypes(content);
    case 'empty_list':
      return emptyList(content);
    case 'duplicates':
      return duplicates(content);
    case 'stale':
      if (respond === undefined) return stale ?? null;
      return typeof respond === 'string' ? respond : JSON.stringify(respond);
    default:
      return null;
  }
}
