import { hash } from 'node:crypto';
import type { Trace } from '../trace/trace.ts';

/** The id of a trace is its content: 128 bits of the sha256 of its JSON with sorted keys. */
export function traceIdOf(trace: Trace): string {
  return hash('sha256', canonicalJson(trace), 'hex').slice(0, 32);
}

/** JSON that is the same for equal values, whatever the order of their keys. Leaves out what JSON leaves out. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  // Agents in this process can hand over a Date, which has no keys of its own.
  if (typeof Reflect.get(value, 'toJSON') === 'function') return JSON.stringify(value) ?? 'null';
  let json = '';
  for (const key of Object.keys(value).sort()) {
    const part: unknown = Reflect.get(value, key);
    if (part === undefined || typeof part === 'function' || typeof part === 'symbol') continue;
    json += `${json === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(part)}`;
  }
  return `{${json}}`;
}
