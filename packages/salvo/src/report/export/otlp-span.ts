/** A span in OTLP's JSON: ids are hex, 64-bit integers are texts. */
export interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: OtlpAttribute[];
  events?: OtlpEvent[];
  status?: { code: number; message: string };
}

export interface OtlpEvent {
  timeUnixNano: string;
  name: string;
  attributes: OtlpAttribute[];
}

interface OtlpAttribute {
  key: string;
  value: OtlpValue;
}

type OtlpValue =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: string }
  | { doubleValue: number }
  | { arrayValue: { values: OtlpValue[] } };

/** What is null is not written: it is unknown. */
export type Attributes = Record<string, string | number | boolean | readonly string[] | null | undefined>;

export function otlpAttributes(attributes: Attributes): OtlpAttribute[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: DOUBLES.has(key) ? double(value) : otlpValue(value) }],
  );
}

/** Where 1 is no integer: receivers have one type for each name. */
const DOUBLES: ReadonlySet<string> = new Set([
  ...['gen_ai.evaluation.score.value', 'salvo.score', 'salvo.cost_usd', 'salvo.assertion.weight'],
]);

function double(value: unknown): OtlpValue {
  return { doubleValue: Number(value) };
}

function otlpValue(value: string | number | boolean | readonly string[]): OtlpValue {
  // Receivers refuse texts that are not UTF-8.
  if (typeof value === 'string') return { stringValue: value.toWellFormed() };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  return { arrayValue: { values: value.map(otlpValue) } };
}

/** Nanoseconds since 1970: more than a number of JavaScript can hold. */
export function unixNano(milliseconds: number, seconds: number): string {
  const time = BigInt(Math.trunc(milliseconds)) * 1_000_000n + BigInt(Math.round(seconds * 1e9));
  return String(time < 0n ? 0n : time);
}
