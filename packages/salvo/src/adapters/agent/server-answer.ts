import { compileExpression } from '../../text/json/expression.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import { isNestedTooDeeply, MAX_NESTING } from '../../text/json/nesting.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { unreadable } from './agent-reply.ts';

/** Where an answer of a server has what Salvo needs: JMESPath expressions. */
export interface ResponsePaths {
  text?: string | undefined;
  tool_calls?: string | undefined;
  messages?: string | undefined;
  session?: string | undefined;
  input_tokens?: string | undefined;
  output_tokens?: string | undefined;
  cost_usd?: string | undefined;
  model?: string | undefined;
  error?: string | undefined;
}

export interface ServerAnswer {
  /** In a form that `parseAgentReply` reads. */
  reply: Record<string, unknown>;
  /** A text that the next request of the conversation may send back. */
  session: string | undefined;
}

/**
 * Reads the answer of a server by expressions: one value, or the events of a stream in their order. Texts of several events
 * are joined, and so are lists. Of other fields the last one counts.
 */
export function readServerAnswer(received: readonly unknown[], paths: ResponsePaths, callee: string): ServerAnswer {
  if (received.some((value) => isNestedTooDeeply(value))) {
    throw unreadable(callee, `it is nested more than ${MAX_NESTING} levels deep`);
  }
  const found = (name: keyof ResponsePaths): unknown[] => {
    const path = paths[name];
    return path === undefined ? [] : received.map(compileExpression(path)).filter((value) => value !== null);
  };
  const problem = found('error').find((value) => value !== false && value !== '');
  if (problem !== undefined) throw unreadable(callee, `it reported an error: ${shown(problem)}`);
  const last = (name: keyof ResponsePaths): unknown => found(name).at(-1);
  const session = last('session');
  const content = paths.text === undefined ? undefined : found('text').map((value) => textOf(value, paths, callee));
  const calls = found('tool_calls')
    .flat()
    .map((call, index) => readCall(call, index, callee));
  const messages = found('messages').flat();
  if (content?.length === 0 && calls.length === 0 && messages.length === 0) {
    throw unreadable(
      callee,
      `nothing is at "${paths.text}" (response of the adapter). It answered: ${shown(received.length === 1 ? received[0] : received)}`,
    );
  }
  const tokens = {
    input_tokens: numberOf(last('input_tokens'), 'input_tokens', callee),
    output_tokens: numberOf(last('output_tokens'), 'output_tokens', callee),
  };
  const hasTokens = Object.values(tokens).some((count) => count !== undefined);
  return {
    session: session === undefined ? undefined : asText(session),
    reply: {
      ...conversationOf({ content: content?.join(''), calls, messages, listsCalls: paths.tool_calls !== undefined }),
      ...(hasTokens
        ? { usage: { input_tokens: tokens.input_tokens ?? 0, output_tokens: tokens.output_tokens ?? 0 } }
        : {}),
      ...defined({ cost_usd: numberOf(last('cost_usd'), 'cost_usd', callee), model: last('model') }),
    },
  };
}

interface ReadCall {
  id: string;
  name: string;
  arguments: unknown;
  /** Undefined for a call that Salvo is asked to answer. */
  result: { content: string; is_error: boolean } | undefined;
}

/** Calls with a result were made by the server: they are a conversation. Without one, Salvo answers them. */
function conversationOf({
  content,
  calls,
  messages,
  listsCalls,
}: {
  content: string | undefined;
  calls: ReadCall[];
  messages: unknown[];
  listsCalls: boolean;
}): Record<string, unknown> {
  if (messages.length > 0) return { messages: content ? [...messages, { role: 'assistant', content }] : messages };
  const written = calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args }));
  if (!calls.some(({ result }) => result)) {
    return { content: content ?? null, ...(listsCalls ? { tool_calls: written } : {}) };
  }
  const results = calls.flatMap(({ id, name, result }) =>
    result ? [{ role: 'tool_result', tool_call_id: id, name, ...result }] : [],
  );
  return {
    messages: [
      { role: 'assistant', content: null, tool_calls: written },
      ...results,
      { role: 'assistant', content: content ?? null, tool_calls: [] },
    ],
  };
}

/** Servers write a call in many ways; these are the usual names of its fields. */
function readCall(call: unknown, index: number, callee: string): ReadCall {
  const fields = isRecord(call) && isRecord(call.function) ? { ...call, ...call.function } : call;
  if (!isRecord(fields)) throw unreadable(callee, `a tool call should be an object, but is ${shown(call)}`);
  const name = first(fields, ['name', 'tool_name', 'toolName', 'tool']);
  if (typeof name !== 'string') throw unreadable(callee, `a tool call has no "name": ${shown(call)}`);
  const id = first(fields, ['id', 'tool_call_id', 'toolCallId', 'call_id']);
  const given = first(fields, ['arguments', 'args', 'input', 'parameters']) ?? {};
  const args = typeof given === 'string' ? (jsonOrUndefined(given) ?? given) : given;
  const result = first(fields, ['result', 'output', 'response']);
  const error = first(fields, ['error']);
  const answer =
    error === undefined || error === null || error === false
      ? result === undefined
        ? undefined
        : { content: asText(result), is_error: false }
      : { content: asText(error === true ? (result ?? '') : error), is_error: true };
  return { id: typeof id === 'string' ? id : `call_${index}`, name, arguments: args, result: answer };
}

function first(fields: Record<string, unknown>, names: readonly string[]): unknown {
  const name = names.find((each) => fields[each] !== undefined);
  return name === undefined ? undefined : fields[name];
}

function textOf(value: unknown, { text }: ResponsePaths, callee: string): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join('');
  throw unreadable(callee, `"text" (${text}) should be a text, but is ${shown(value)}`);
}

function numberOf(value: unknown, name: keyof ResponsePaths, callee: string): number | undefined {
  if (value === undefined || (typeof value === 'number' && value >= 0)) return value;
  throw unreadable(callee, `"${name}" should be a number, but is ${shown(value)}`);
}

function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function shown(value: unknown): string {
  return quoteOutput(asText(value), { length: 300 });
}
