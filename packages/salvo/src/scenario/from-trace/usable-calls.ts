import { isRecord } from '../../text/json/is-record.ts';
import { LEFT_OUT, mapEntries, mapList } from '../../text/json/map-json.ts';
import type { Message } from '../../trace/message.ts';
import type { Trace } from '../../trace/trace.ts';

const USABLE = /^(?!__proto__$)[A-Za-z0-9_-]{1,64}$/;
const LONGEST = 60;

/** The trace with calls as a scenario can have them: providers refuse other names, and YAML files some keys. */
export function withUsableCalls(trace: Trace): { trace: Trace; notes: string[] } {
  const asked = trace.messages.flatMap((message) => {
    if (message.role === 'assistant') return message.tool_calls.map(({ name }) => name);
    return message.role === 'tool_result' ? [message.name] : [];
  });
  const used = new Set([...trace.tool_calls_made.map(({ name }) => name), ...asked]);
  const unusable = [...used].filter((name) => !USABLE.test(name));
  const hasProto = trace.tool_calls_made.some(({ arguments: args }) => JSON.stringify(args).includes('"__proto__"'));
  if (unusable.length === 0 && !hasProto) return { trace, notes: [] };
  const renamed = new Map(unusable.map((name) => [name, freeName(name, used)]));
  const nameOf = (name: string) => renamed.get(name) ?? name;
  const calls = <Call extends { name: string; arguments: Record<string, unknown> }>(list: readonly Call[]): Call[] =>
    list.map((call) => ({ ...call, name: nameOf(call.name), arguments: Object(withoutProto(call.arguments)) }));
  const messages = trace.messages.map((message): Message => {
    if (message.role === 'assistant') return { ...message, tool_calls: calls(message.tool_calls) };
    return message.role === 'tool_result' ? { ...message, name: nameOf(message.name) } : message;
  });
  return {
    trace: {
      ...trace,
      messages,
      tool_calls_made: calls(trace.tool_calls_made),
      tool_errors: trace.tool_errors.map((error) => ({ ...error, name: nameOf(error.name) })),
    },
    notes: [...renamed].map(
      ([name, usable]) => `The tool ${JSON.stringify(name)} is called ${usable}: providers take no other characters.`,
    ),
  };
}

function withoutProto(value: unknown): unknown {
  if (Array.isArray(value)) return mapList(value, withoutProto);
  if (!isRecord(value)) return value;
  return mapEntries(value, (key, part) => (key === '__proto__' ? LEFT_OUT : withoutProto(part)));
}

function freeName(name: string, used: Set<string>): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, LONGEST);
  const base = /[A-Za-z0-9]/.test(plain) && USABLE.test(plain) ? plain : 'tool';
  let free = base;
  for (let count = 2; used.has(free); count += 1) free = `${base}_${count}`;
  used.add(free);
  return free;
}
