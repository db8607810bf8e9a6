import { describe, expect, it } from 'vitest';
import { expectToSurviveDamage, readValue, readValues } from '../../../../../../test/import-reader.ts';
import type { ImportedConversation } from '../../import-format.ts';
import { codexFormat } from './codex.ts';

type Line = Record<string, unknown>;

const line = (type: string, payload: Line, more: Line = {}): Line => ({ type, payload, ...more });
const meta = line('session_meta', { id: 's-1' });
const event = (type: string, more: Line = {}) => line('event_msg', { type, ...more });
const user = (...texts: string[]) =>
  line('response_item', {
    ...{ type: 'message', role: 'user', content: texts.map((text) => ({ type: 'input_text', text })) },
  });
const answer = (text: string) =>
  line('response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });
const total = (input_tokens: number, output_tokens: number) =>
  event('token_count', { info: { total_token_usage: { input_tokens, output_tokens, cache_write_input_tokens: 3 } } });

const read = (...lines: readonly Line[]): ImportedConversation => readValue(codexFormat, meta, ...lines);

const said = ({ trace }: ImportedConversation) => trace.messages.map(({ role, content }) => `${role}: ${content}`);

describe('messages in the name of the user', () => {
  it.each([
    '<user_shell_command>\n<command>ls</command>\n</user_shell_command>',
    '<SUBAGENT_NOTIFICATION>{}</subagent_notification>',
    '<goal_context>Go on</goal_context>',
    '<hook_prompt hook_run_id="1">Again</hook_prompt>',
    'Warning: apply_patch was requested via shell. Use the tool.',
  ])('are no messages of the user if Codex adds them: %s', (added) => {
    expect(said(read(user(added), user('Hi')))).toEqual([`system: ${added}`, 'user: Hi']);
  });

  it('may have parts of both', () => {
    const read1 = read(user('<environment_context>x</environment_context>', 'Hi', 'there'));
    expect(said(read1)).toEqual(['system: <environment_context>x</environment_context>', 'user: Hi\nthere']);
  });

  it('are known by the event beside each, also if their words are unknown', () => {
    const told = (message: string) => event('user_message', { message });
    const context = line('turn_context', { model: 'm' });
    const read1 = read(user('Rules'), user('[1]'), context, told('[one]'), answer('Yes'), told('[2]'), user('[2]'));
    expect(said(read1)).toEqual(['system: Rules', 'user: [1]', 'assistant: Yes', 'user: [2]']);
    expect(said(read(user('A'), user('B'), answer('Yes'), told('C')))).toEqual([
      'user: A',
      'user: B',
      'assistant: Yes',
    ]);
  });

  it('may be those of another agent', () => {
    const content = [
      { type: 'input_text', text: 'Look' },
      { type: 'encrypted_content', encrypted_content: 'x' },
    ];
    const message = (parts: unknown) =>
      line('response_item', { type: 'agent_message', author: '/root', content: parts });
    const read1 = read(message(content), message(content.slice(1)), answer('I look'));
    expect(said(read1)).toEqual(['system: Look', 'assistant: I look']);
    expect(read1.aside).toMatchObject({ lines: { 'response_item/encrypted agent_message': 1 } });
  });
});

describe('events that tell about complete items', () => {
  const done = (item: Line) => event('item_completed', { item });
  const events = [
    done({ type: 'UserMessage', id: '1', content: [{ type: 'text', text: 'Hi' }] }),
    done({ type: 'agentMessage', id: '2', text: 'I look.' }),
    done({ type: 'CommandExecution', id: '3', command: 'ls', aggregatedOutput: 'a.ts', exitCode: 1, status: 'failed' }),
    done({ type: 'Plan', id: '4', text: 'x' }),
  ];

  it('are read if the file has no such items', () => {
    const read1 = read(...events);
    expect(said(read1)).toEqual(['user: Hi', 'assistant: I look.', 'tool_result: a.ts']);
    expect(read1.trace.tool_calls_made).toMatchObject([
      { name: 'shell', arguments: { command: 'ls' }, is_error: true },
    ]);
    expect(expectToSurviveDamage(codexFormat, [meta, ...events])).toBeGreaterThan(30);
  });

  it('repeat items, and tell which the user wrote', () => {
    const [asked, said1, called] = events as [Line, Line, Line, Line];
    const call = { type: 'function_call', name: 'shell', call_id: 'c1', arguments: '{}' };
    const read1 = read(user('Rules'), user('Hi'), asked, answer('I look.'), said1, called);
    expect(said(read1)).toEqual(['system: Rules', 'user: Hi', 'assistant: I look.', 'tool_result: a.ts']);
    const context = '<environment_context>x</environment_context>';
    expect(said(read(user(context), asked, user('Hi')))).toEqual([`system: ${context}`, 'user: Hi']);
    expect(read(user('Hi'), line('response_item', call), ...events).trace.tool_calls_made).toHaveLength(1);
  });
});

describe('turns that are not in the conversation', () => {
  it('were taken back, with their tokens', () => {
    const back = (num_turns: unknown) => event('thread_rolled_back', { num_turns });
    const turns = [user('1'), answer('a'), user('2'), answer('b'), total(10, 4), user('3'), answer('c')];
    const read1 = read(...turns, back(1), back(1), user('4'), total(20, 8));
    expect(said(read1)).toEqual(['user: 1', 'assistant: a', 'user: 4']);
    expect(read1.fields).toMatchObject({ abandoned_turns: 2 });
    expect(read1.trace).toMatchObject({ input_tokens: 20, output_tokens: 8 });
    expect(said(read(...turns, back(-1), back('x')))).toHaveLength(6);
    expect(said(read(...turns, back(1e9), user('4')))).toEqual(['user: 4']);
  });

  const own = line('session_meta', {
    ...{ id: 'child', parent_thread_id: 'root', agent_nickname: 'Ada', subagent_history_start_ordinal: 4 },
  });
  const child = [own, line('session_meta', { id: 'root' }), user('Of the parent'), total(100, 40), user('Look')]
    .concat([answer('Seen'), total(130, 45)])
    .map((each, ordinal) => ({ ...each, ordinal }));

  it('are those of the agent that started a sub-agent', () => {
    const [read1] = readValues(codexFormat, ...child);
    if (!read1) throw new Error('nothing was read');
    expect(said(read1)).toEqual(['user: Look', 'assistant: Seen']);
    expect(read1).toMatchObject({ id: 'child', fields: { agent: 'Ada', parent: 'root' } });
    expect(read1.trace).toMatchObject({ input_tokens: 30, output_tokens: 5 });
  });

  it('are its own in a file that Codex wrote anew', () => {
    const anew = [own, user('Look'), answer('Seen'), total(130, 45)].map((each, ordinal) => ({ ...each, ordinal }));
    const [read1] = readValues(codexFormat, ...anew);
    expect(read1?.trace).toMatchObject({ messages: [{ content: 'Look' }, { content: 'Seen' }], input_tokens: 130 });
  });

  it('do not make damage worse', () => {
    expect(
      expectToSurviveDamage(codexFormat, [...child, event('thread_rolled_back', { num_turns: 1 })]),
    ).toBeGreaterThan(50);
  });
});
