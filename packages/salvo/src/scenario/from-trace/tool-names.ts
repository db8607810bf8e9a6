import type { Message } from '../../trace/message.ts';
import type { Trace } from '../../trace/trace.ts';

const USABLE = /^[A-Za-z0-9_-]{1,64}$/;
const LONGEST = 60;

/** The trace with names of tools that a scenario can have: providers refuse others. */
export function withUsableToolNames(trace: Trace): { trace: Trace; notes: string[] } {
  const used = new Set(trace.tool_calls_made.map(({ name }) => name));
  const unusable = [...used].filter((name) => !USABLE.test(name));
  if (unusable.length === 0) return { trace, notes: [] };
  const renamed = new Map(unusable.map((name) => [name, freeName(name, used)]));
  const nameOf = (name: string) => renamed.get(name) ?? name;
  const calls = <Call extends { name: string }>(list: readonly Call[]): Call[] =>
    list.map((call) => ({ ...call, name: nameOf(call.name) }));
  const messages = trace.messages.map((message): Message => {
    if (message.role === 'assistant') return { ...message, tool_calls: calls(message.tool_calls) };
    return message.role === 'tool_result' ? { ...message, name: nameOf(message.name) } : message;
  });
  return {
    trace: {
      ...trace,
      messages,
      tool_calls_made: calls(trace.tool_calls_made),
      tool_errors: calls(trace.tool_errors),
    },
    notes: [...renamed].map(
      ([name, usable]) => `The tool ${JSON.stringify(name)} is called ${usable}: providers take no other characters.`,
    ),
  };
}

function freeName(name: string, used: Set<string>): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, LONGEST);
  const base = /[A-Za-z0-9]/.test(plain) ? plain : 'tool';
  let free = base;
  for (let count = 2; used.has(free); count += 1) free = `${base}_${count}`;
  used.add(free);
  return free;
}
