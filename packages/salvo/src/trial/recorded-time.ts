import type { AdapterTurnResult } from '../adapters/adapter.ts';
import { canonicalJson } from '../text/json/canonical-json.ts';
import { isRecord } from '../text/json/is-record.ts';
import { jsonOrUndefined } from '../text/json/json-in-text.ts';

/** When a conversation that was not held now took place, and how long the agent worked. Null where it is unknown. */
export type RecordedTime = NonNullable<ReturnType<typeof recordedTime>>;

/**
 * The time of a conversation that the agent did not hold now, but took from a log: it is a part of the row, or says
 * itself that it is older than the trial, or how long it took. Null if the agent worked now, and its time was measured.
 */
export function recordedTime(
  { trace, raw_response: reply }: Pick<AdapterTurnResult, 'trace' | 'raw_response'>,
  { row, started }: { row: object; started: number },
) {
  const { latency_seconds = null, timestamp = null } = trace ?? {};
  const isOlder = timestamp !== null && Date.parse(timestamp) < started;
  const tellsLatency = isRecord(reply) && 'latency_seconds' in reply;
  return isOlder || tellsLatency || isInRow(reply, row) ? { latency_seconds, timestamp } : null;
}

/** Whether a reply, or its list of messages, is a part of the row as it is. */
function isInRow(reply: unknown, row: object): boolean {
  const values = Object.values(row).map((value) => (isJsonText(value) ? (jsonOrUndefined(value) ?? value) : value));
  if (values.length === 0 || typeof reply !== 'object' || reply === null) return false;
  // In JSON with sorted keys, a part of a value is a part of its text.
  const texts = [canonicalJson(row), ...values.map(canonicalJson)];
  const parts = isRecord(reply) && Array.isArray(reply.messages) ? [reply, reply.messages] : [reply];
  return parts.map(canonicalJson).some((part) => texts.some((text) => text.includes(part)));
}

function isJsonText(value: unknown): value is string {
  return typeof value === 'string' && /^\s*[[{]/.test(value);
}
