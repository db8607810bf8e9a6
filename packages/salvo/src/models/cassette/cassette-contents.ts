import { contentHash } from '../../text/json/canonical-json.ts';
import { compareNames } from '../../text/words/names.ts';
import {
  CASSETTE_VERSION,
  type CallLine,
  callerKeyOf,
  type RecordedCall,
  type TrialOfCall,
  trialKeyOf,
} from './cassette-document.ts';

/** Replaced as a whole when a call is added. */
export interface RecordedTrial {
  of: TrialOfCall;
  /** In the order of the agent's requests, then of the judges' votes. */
  calls: RecordedCall[];
}

/** The recorded trials by `trialKeyOf`. */
export type CassetteContents = Map<string, RecordedTrial>;

/** The trial of a key, which is added if it is missing. */
export function trialIn(contents: CassetteContents, of: TrialOfCall): RecordedTrial {
  const key = trialKeyOf(of);
  const known = contents.get(key);
  if (known) return known;
  const trial = { of, calls: [] };
  contents.set(key, trial);
  return trial;
}

/** The id of a message or a tool. */
export function partId(value: unknown): string {
  return contentHash(value).slice(0, 16);
}

/**
 * The file: JSON lines in an order that does not depend on when answers came. Each message and tool stands once, before
 * the first call that has it, so that a changed prompt is one changed line, and conversations take no more than their length.
 */
export function cassetteText(contents: CassetteContents): string {
  const lines = [JSON.stringify({ kind: 'cassette', version: CASSETTE_VERSION })];
  const written = new Set<string>();
  const sorted = [...contents].sort(([a], [b]) => compareNames(a, b));
  for (const [, trial] of sorted) {
    for (const { id, line } of linesOf(trial)) {
      if (id !== null && written.has(id)) continue;
      if (id !== null) written.add(id);
      lines.push(line);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** A line, with the id of the part that it is; null for any other. */
interface Line {
  id: string | null;
  line: string;
}

/** A file is written after each answer, and most trials have not changed since. */
const knownLines = new WeakMap<RecordedTrial, Line[]>();

function linesOf(trial: RecordedTrial): Line[] {
  const known = knownLines.get(trial);
  if (known) return known;
  const lines =
    trial.calls.length === 0
      ? [{ id: null, line: JSON.stringify({ kind: 'trial', ...trial.of }) }]
      : inOrder(trial.calls).flatMap((call) => linesOfCall(trial.of, call));
  knownLines.set(trial, lines);
  return lines;
}

/**
 * Votes are cast at the same time, and an agent may send several requests to its model at once: the order of their answers is
 * chance. Turns of an agent follow each other.
 */
function inOrder(calls: readonly RecordedCall[]): RecordedCall[] {
  const orderOf = ({ caller, request, key, occurrence }: RecordedCall) =>
    JSON.stringify([callerKeyOf(caller), String(request.messages.length).padStart(7, '0'), key, occurrence]);
  const isTurn = ({ caller, http }: RecordedCall): boolean => caller.by === 'agent' && http === undefined;
  const others = calls.filter((call) => !isTurn(call));
  return [...calls.filter(isTurn), ...others.sort((a, b) => compareNames(orderOf(a), orderOf(b)))];
}

function linesOfCall(of: TrialOfCall, call: RecordedCall): Line[] {
  const { caller, occurrence, request, answer, refusal, http, latency_seconds, cost_usd } = call;
  const parts: Line[] = [];
  const idOf = (value: unknown): string => {
    const id = partId(value);
    parts.push({ id, line: JSON.stringify({ kind: 'part', id, value }) });
    return id;
  };
  const { adapter, model, vote = 1 } = caller;
  const shared = {
    ...of,
    ...(caller.by === 'judge' && { judge: { adapter, model, vote } }),
    ...(caller.by === 'user' && { user: { adapter, model } }),
    occurrence,
    request: { messages: request.messages.map(idOf), tools: request.tools.map(idOf), settings: request.settings },
  };
  const figures = { latency_seconds, cost_usd };
  const line: CallLine = http
    ? { kind: 'exchange', ...shared, http, ...figures }
    : { kind: 'turn', ...shared, ...(answer && { answer }), ...(refusal && { refusal }), ...figures };
  return [...parts, { id: null, line: JSON.stringify(line) }];
}
