import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../../../test/hostile-texts.ts';
import { displayWidth } from '../../../text/output/safe-text.ts';
import type { Message } from '../../../trace/message.ts';
import { type Trace, traceSchema } from '../../../trace/trace.ts';
import { renderConversation } from './conversation.ts';

function traceOf(change: Partial<Trace>): Trace {
  return traceSchema.parse({
    messages: [],
    tool_calls_made: [],
    turn_count: 0,
    input_tokens: 1234,
    output_tokens: 56,
    total_tokens: 1290,
    latency_seconds: 2.3,
    final_content: null,
    finish_reason: 'stop',
    model: 'gpt-4o',
    provider: 'openai',
    timestamp: '2026-01-02T03:04:05Z',
    scenario_hash: 'h',
    cost_usd: 0.0123,
    max_turns_hit: false,
    tool_errors: [],
    ...change,
  });
}

const refund: Message[] = [
  { role: 'system', content: 'You are a support agent.' },
  { role: 'user', content: 'Please refund order A-1.\nThanks!' },
  {
    role: 'assistant',
    content: 'Let me see.',
    tool_calls: [
      { id: 'c1', name: 'lookup', arguments: { id: 'A-1' } },
      {
        id: 'c2',
        name: 'refund',
        arguments: { id: 'A-1', reason: 'the customer was not happy with the colour at all' },
      },
    ],
  },
  { role: 'tool_result', tool_call_id: 'c1', name: 'lookup', content: '{"total":12}', is_error: false },
  { role: 'tool_result', tool_call_id: 'c2', name: 'refund', content: 'no such order', is_error: true },
  { role: 'assistant', content: 'I could not refund it.', tool_calls: [] },
];
const plain = { width: 60, color: false };

describe('renderConversation', () => {
  test('shows where the agent crashed and what it printed', () => {
    const trace = traceOf({
      messages: refund.slice(0, 2),
      finish_reason: 'error',
      error: "Cannot read properties of undefined (reading 'foo')",
      error_code: 'AGENT_CRASHED',
      error_stack:
        "TypeError: Cannot read properties of undefined (reading 'foo')\n    at answer (/project/agent.ts:7:3)\n    at run (/project/agent.ts:2:1)",
      agent_log: 'thinking...\n\u001b[31mred\u001b[0m\n',
    });
    expect(renderConversation(trace, plain).split('\n\n').slice(3).join('\n\n')).toBe(
      [
        'printed by the agent',
        '  thinking...',
        '  red',
        '',
        'finished: error',
        "✖ Cannot read properties of undefined (reading 'foo')",
        '  at answer (/project/agent.ts:7:3)',
        '  at run (/project/agent.ts:2:1)',
        '',
      ].join('\n'),
    );
  });

  test('shows the place and the end of a stack of Python, and no more than the place if the agent printed the stack', () => {
    const frames = Array.from({ length: 9 }, (_, at) => `  File "/app/agent.py", line ${at + 1}, in f${at}\n    f()`);
    const stack = ['Traceback (most recent call last):', ...frames, "KeyError: 'x'"].join('\n');
    const crash = { error: "The command python3 agent.py ended with exit code 1: KeyError: 'x'", error_stack: stack };
    const look = { width: 100, color: false };
    const text = renderConversation(traceOf(crash), look);
    expect(text).toMatch(/KeyError: 'x'\n {2}File "\/app\/agent\.py", line 9, in f8\n {2}\.\.\.\n/);
    expect(text).toMatch(/ {4}File "\/app\/agent\.py", line 9, in f8\n {6}f\(\)\n {2}KeyError: 'x'/);
    expect(text).not.toContain('line 2, in');
    const printed = renderConversation(traceOf({ ...crash, agent_log: `${stack}\n` }), look);
    expect(printed.split('line 9, in f8')).toHaveLength(3);
  });

  test('shows a stack in full when it says more than the error', () => {
    const trace = traceOf({ error: 'it crashed', error_stack: 'RangeError: too deep\n    at f (a.ts:1:1)' });
    expect(renderConversation(trace, plain)).toContain('✖ it crashed\n  RangeError: too deep\n  at f (a.ts:1:1)\n');
  });

  test('shows the conversation as it went', () => {
    const trace = traceOf({
      messages: refund,
      turn_count: 2,
      tool_errors: [{ turn: 1, tool_call_id: 'c2', name: 'refund', kind: 'mocked_error', message: 'no such order' }],
      retries: [{ turn: 2, attempt: 1, reason: 'rate limited', status: 429, delay_seconds: 1.5 }],
    });
    expect(renderConversation(trace, plain)).toMatchInlineSnapshot(`
      "gpt-4o · openai · 2026-01-02T03:04:05Z
      2 turns · 1,234 tokens in, 56 out · $0.0123 · 2.3s

      system
        You are a support agent.

      user
        Please refund order A-1.
        Thanks!

      assistant · turn 1
        Let me see.
        → lookup {"id":"A-1"}
        → refund
          {
            "id": "A-1",
            "reason": "the customer was not happy with the colour
            at all"
          }

      ← lookup
        {"total":12}

      ✖ refund mocked error
        no such order

      ↻ attempt 1 failed: 429 rate limited; waited 1.5s
      assistant · turn 2
        I could not refund it.

      finished: stop
      "
    `);
  });

  test('turns are those the agent made, not those the scenario began with', () => {
    const text = renderConversation(traceOf({ messages: refund, turn_count: 1 }), plain);
    expect(text).toContain('assistant · given by the scenario');
    expect(text).toContain('assistant · turn 1');
    expect(text).not.toContain('turn 2');
  });

  test('what is unknown is said to be', () => {
    const text = renderConversation(traceOf({ input_tokens: null, output_tokens: null, cost_usd: null }), plain);
    expect(text).toContain('tokens unknown · cost unknown');
  });

  test('says why it ended, and lists retries without an answer', () => {
    const text = renderConversation(
      traceOf({
        max_turns_hit: true,
        error: 'The provider gave up.',
        retries: [{ turn: 1, attempt: 1, reason: 'connection cut', status: null, delay_seconds: 0.5 }],
      }),
      plain,
    );
    expect(text).toContain('↻ attempt 1 failed: connection cut; waited 500ms');
    expect(text).toContain('the turn limit was reached');
    expect(text).toContain('✖ The provider gave up.');
  });

  test('shows arguments that were not JSON as they came', () => {
    const call = { id: 'c', name: 'refund', arguments: {}, raw_arguments: '{"id": ' };
    const trace = traceOf({ messages: [{ role: 'assistant', content: null, tool_calls: [call] }], turn_count: 1 });
    expect(renderConversation(trace, plain)).toContain('→ refund arguments are not a JSON object\n    {"id":');
    expect(renderConversation(trace, { ...plain, width: 40 })).toContain('→ refund malformed\n');
  });

  test('leaves out the middle of a long content unless asked for it', () => {
    const trace = traceOf({ messages: [{ role: 'user', content: `start${'x'.repeat(1_000_000)}end` }] });
    const text = renderConversation(trace, plain);
    expect(text).toContain('[... 996008 characters left out ...]');
    expect(text).toContain('  start');
    expect(text).toMatch(/end\n/);
    expect(text.length).toBeLessThan(6000);
    expect(renderConversation(trace, { ...plain, maxChars: 2_000_000 })).not.toContain('left out');
  });

  test('survives arguments nested too deeply', () => {
    let nested: unknown = 1;
    for (let depth = 0; depth < 20_000; depth += 1) nested = [nested];
    const call = { id: 'c', name: 'refund', arguments: { nested } };
    const message: Message = { role: 'assistant', content: null, tool_calls: [call] };
    const trace: Trace = { ...traceOf({ turn_count: 1 }), messages: [message] };
    expect(renderConversation(trace, plain)).toContain('→ refund');
  });

  test('hostile texts neither act on the terminal nor widen a line', () => {
    const hostile = fc
      .array(fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'binary', maxLength: 40 })), {
        maxLength: 5,
      })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(hostile, fc.integer({ min: 40, max: 130 }), fc.boolean(), (text, width, color) => {
        const trace = traceOf({
          messages: [
            { role: 'system', content: text },
            { role: 'user', content: text },
            {
              role: 'assistant',
              content: text,
              tool_calls: [
                { id: text, name: text, arguments: { [`k${text}`]: text } },
                { id: text, name: text, arguments: {}, raw_arguments: text },
              ],
            },
            { role: 'tool_result', tool_call_id: text, name: text, content: text, is_error: text.length % 2 === 0 },
          ],
          turn_count: 1,
          model: text,
          provider: text,
          timestamp: text,
          finish_reason: text,
          error: text,
          retries: [{ turn: 1, attempt: 1, reason: text, status: 500, delay_seconds: 1 }],
        });
        const unpainted = renderConversation(trace, { width, color }).replaceAll(/\u001b\[\d{1,2}m/g, '');
        expect(unpainted).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\p{Default_Ignorable_Code_Point}]/u);
        for (const line of unpainted.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }),
      { numRuns: 300 },
    );
  });
});
