import { describe, expect, it } from 'vitest';
import { sampleTrace } from '../../../../test/sample-trace.ts';
import { agentTurns, traceOf, traceUpTo } from './agent-turns.ts';
import { askedMessages, type Message } from './message.ts';
import type { ToolCallRecord, Trace } from './trace.ts';

const user = (content: string): Message => ({ role: 'user', content });
const agent = (content: string | null, ...calls: string[]): Message => ({
  role: 'assistant',
  content,
  tool_calls: calls.map((name) => ({ id: 'c', name, arguments: {} })),
});
const result: Message = { role: 'tool_result', tool_call_id: 'c', name: 't', content: 'ok', is_error: false };
const record = (name: string): ToolCallRecord => ({
  ...{ id: 'c', name, arguments: {}, turn: 1, result: 'ok', is_error: false },
});

function traceWith(messages: Message[], changes: Partial<Trace> = {}): Trace {
  const last = messages.findLast(({ role }) => role === 'assistant');
  return sampleTrace({ messages, final_content: last?.content ?? null, ...changes });
}

const answersIn = (trace: Trace, given?: Message[]) =>
  agentTurns(trace, given && { messages: given }).map(({ answer }) => answer);

describe('agentTurns', () => {
  it('has one for each message of the user that the agent answered', () => {
    const messages = [user('a'), agent('let me see', 't'), result, agent('one'), user('b'), agent('two')];
    expect(answersIn(traceWith([{ role: 'system', content: 's' }, ...messages]))).toEqual(['one', 'two']);
  });

  it('leaves out a message that was never answered, such as the last of a simulated user', () => {
    expect(answersIn(traceWith([user('a'), agent('one'), user('bye')]))).toEqual(['one']);
    expect(answersIn(traceWith([user('a')]))).toEqual([]);
    expect(answersIn(traceWith([]))).toEqual([]);
  });

  it('takes messages of the user in a row as one question', () => {
    expect(answersIn(traceWith([user('a'), user('b'), agent('both')]))).toEqual(['both']);
  });

  it('has no answer where the agent only called tools, and the final answer of the trial last', () => {
    const messages = [user('a'), agent(null, 't'), result, user('b'), agent('two')];
    expect(answersIn(traceWith(messages, { final_content: 'the result' }))).toEqual([null, 'the result']);
  });

  it('leaves out answers that the scenario gives as history', () => {
    const history = [user('a'), agent('given')];
    expect(answersIn(traceWith([...history, user('b'), agent('own')]), [...history, user('b')])).toEqual(['own']);
    // The agent returned a conversation without the history.
    expect(answersIn(traceWith([user('b'), agent('own')]), [...history, user('b')])).toEqual(['own']);
    // The same question, and an answer of its own.
    expect(answersIn(traceWith([user('a'), agent('other')]), [...history, user('a')])).toEqual(['other']);
  });

  it('knows history between questions, and history whose secrets were redacted', () => {
    const given = [user('first'), user('my key is sk-1'), agent('given'), user('last')];
    const held = [
      user('first'),
      agent('one'),
      user('my key is [REDACTED:key]'),
      agent('given'),
      user('last'),
      agent('two'),
    ];
    expect(answersIn(traceWith(held), given)).toEqual(['one', 'two']);
  });
});

describe('a turn of a trace', () => {
  const messages = [
    user('a'),
    agent(null, 't1'),
    result,
    agent('one'),
    user('b'),
    agent(null, 't2'),
    result,
    agent('two'),
  ];
  const trace = traceWith(messages, { tool_calls_made: [record('t1'), record('t2')] });
  const turns = agentTurns(trace, undefined);
  const [first, second] = turns;

  it('alone has its own messages and calls', () => {
    if (!first || !second) throw new Error('there are two turns');
    expect(traceOf(trace, turns, first)).toMatchObject({ final_content: 'one', tool_calls_made: [{ name: 't1' }] });
    const alone = traceOf(trace, turns, second);
    expect(alone).toMatchObject({ final_content: 'two', tool_calls_made: [{ name: 't2' }] });
    expect(alone.messages).toEqual(messages.slice(4));
    expect(alone.tools_seen).toBeUndefined();
  });

  it('for a judge has what came before, and nothing that came later', () => {
    if (!first || !second) throw new Error('there are two turns');
    expect(traceUpTo(trace, turns, first)).toMatchObject({ final_content: 'one', tool_calls_made: [{ name: 't1' }] });
    expect(traceUpTo(trace, turns, first).messages).toEqual(messages.slice(0, 4));
    expect(traceUpTo(trace, turns, second)).toEqual(trace);
  });

  it('does not know its calls if the messages do not show when a call was made', () => {
    const unclear = { ...trace, tool_calls_made: [{ ...record('t0'), id: 'other' }, ...trace.tool_calls_made] };
    const [turn, ...others] = agentTurns(unclear, undefined);
    if (!turn) throw new Error('there is a turn');
    expect(traceOf(unclear, [turn, ...others], turn).tools_seen).toBe('unknown');
  });
});

it('askedMessages are those that the agent answers', () => {
  expect(askedMessages([user('a')])).toEqual([0]);
  expect(askedMessages([user('a'), agent('x'), user('b'), user('c')])).toEqual([2, 3]);
  expect(askedMessages([user('a'), agent('x')])).toEqual([]);
});
