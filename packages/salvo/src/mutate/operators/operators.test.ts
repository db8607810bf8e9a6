import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sampleTrace } from '../../../../../test/sample-trace.ts';
import { scenarioFieldsSchema } from '../../scenario/schema/scenario-schema.ts';
import { FAILING_OPERATORS, OPERATOR_NAMES } from '../../scenario/schema/shared-fields.ts';
import { foreignTrace } from '../../trace/foreign-trace.ts';
import type { Message } from '../../trace/message.ts';
import type { Trace } from '../../trace/trace.ts';
import { isSkip } from '../mutant.ts';
import { subjectOf } from '../subject.ts';
import { OPERATORS } from './operators.ts';

const TOOLS = [
  { name: 'find', effect: 'read' },
  { name: 'set_address', effect: 'write' },
  { name: 'pay', effect: 'write' },
] as const;

function subject(trace: Trace, { siblings = [], ...changes }: { siblings?: Trace[]; workspace?: string } = {}) {
  const fields = scenarioFieldsSchema.parse({ prompt: 'x', tools: TOOLS, ...changes });
  return subjectOf({ trace, scenario: { ...fields, name: 's', assertions: [] }, siblings, otherAnswers: [] });
}

/** A conversation in which tools are called, and answer. */
function conversation(
  answer: string,
  ...calls: [name: string, args: Record<string, unknown>, result: string][]
): Trace {
  const messages: Message[] = [{ role: 'user', content: 'Please pay my bill of the shop, order B-12.' }];
  for (const [at, [name, args, result]] of calls.entries()) {
    messages.push({ role: 'assistant', content: null, tool_calls: [{ id: `c${at}`, name, arguments: args }] });
    messages.push({ role: 'tool_result', tool_call_id: `c${at}`, name, content: result, is_error: false });
  }
  messages.push({ role: 'assistant', content: answer, tool_calls: [] });
  return foreignTrace(messages, {});
}

function sitesOf(name: string, trace: Trace, options?: Parameters<typeof subject>[1]): string[] | string {
  const sites = OPERATORS.find((operator) => operator.name === name)?.sites(subject(trace, options)) ?? [];
  return isSkip(sites) ? sites.skip : sites.map(({ label }) => label);
}

const PAID = conversation(
  'I have paid 49.90 for the order B-12. The receipt is R-551.',
  ['find', { order: 'B-12' }, '{"bill":"X-9","amount":49.9}'],
  ['pay', { bill: 'X-9', amount: 49.9 }, '{"receipt":"R-551"}'],
);

describe('the operators', () => {
  test('are all there, documented, and say why their verdict is known', () => {
    const page = readFileSync(new URL('../../../../../docs/mutate.md', import.meta.url), 'utf8');
    expect(OPERATORS.map(({ name }) => name)).toEqual([...OPERATOR_NAMES]);
    for (const { name, must, change, why } of OPERATORS) {
      expect(must).toBe(FAILING_OPERATORS.some((each) => each === name) ? 'fail' : 'pass');
      expect(page).toContain(`| \`${name}\` | ${change} | ${why} |`);
    }
  });

  test('change what they say, and leave the original as it was', () => {
    const before = structuredClone(PAID);
    const found = subject(PAID);
    for (const { sites } of OPERATORS) {
      const own = sites(found);
      for (const site of isSkip(own) ? [] : own) {
        const { trace } = site.make(() => 0.5);
        expect(trace).not.toEqual(PAID);
        expect(trace.tool_calls_made.length).toBe(trace.messages.filter(({ role }) => role === 'tool_result').length);
      }
    }
    expect(PAID).toEqual(before);
  });

  test('a call that another passing trace did without is not dropped', () => {
    expect(sitesOf('call_dropped', PAID)).toEqual(['pay']);
    const without = conversation('It was paid already: 49.90.', ['find', { order: 'B-12' }, '{"amount":49.9}']);
    expect(sitesOf('call_dropped', PAID, { siblings: [without] })).toMatch(/did without/);
  });

  test('a second call is only an error if it adds something', () => {
    expect(sitesOf('call_repeated', PAID)).toEqual(['pay']);
    const set = conversation('Your address is set to B-12.', ['set_address', { city: 'Rome' }, 'ok']);
    expect(sitesOf('call_repeated', set)).toMatch(/may change nothing/);
  });

  test('a fact that another passing answer leaves out is not replaced', () => {
    expect(sitesOf('id_replaced', PAID)).toEqual(['B-12', 'R-551']);
    const shorter = conversation('Paid: 49.9, for B-12.', ['pay', { bill: 'X-9' }, '{"receipt":"R-551"}']);
    expect(sitesOf('id_replaced', PAID, { siblings: [shorter] })).toEqual(['B-12']);
    expect(sitesOf('number_replaced', PAID, { siblings: [shorter] })).toEqual(['49.90']);
    const invented = conversation('The order B-12 costs 77.30, see Q-123.');
    expect(sitesOf('number_replaced', invented)).toMatch(/repeats no number/);
    expect(sitesOf('id_replaced', invented)).toEqual(['B-12']);
  });

  test('the answer to a farewell, and the answer beside files, are left alone', () => {
    const messages: Message[] = [...PAID.messages, { role: 'user', content: 'Thanks, bye!' }];
    messages.push({ role: 'assistant', content: 'You are welcome.', tool_calls: [] });
    expect(sitesOf('answer_empty', foreignTrace(messages, {}))).toMatch(/farewell/);
    expect(sitesOf('answer_empty', PAID, { workspace: 'repo' })).toMatch(/files/);
  });

  test('a passing refusal is not replaced by a refusal, and a label not by Markdown', () => {
    expect(sitesOf('answer_refusal', conversation('I am sorry, I cannot pay B-12 for you.'))).toMatch(/refusal itself/);
    for (const name of ['markdown', 'politer', 'white_space']) {
      expect(sitesOf(name, conversation('billing'))).toBe('the answer is no prose');
    }
  });

  test('traces with one message, with images or without an answer have mutants or reasons, and never an error', () => {
    const files = [{ media_type: 'image/png', data: 'AAAA' }];
    const traces = [
      sampleTrace(),
      sampleTrace({ final_content: null, messages: [] }),
      sampleTrace({ messages: [{ role: 'user', content: '', files }], final_content: '', turn_count: 0 }),
      foreignTrace([{ role: 'assistant', content: 'Hi', files, tool_calls: [] }], {}),
      conversation('x'.repeat(100_000), ['find', {}, '['.repeat(50_000)]),
      conversation('Done, order B-12.', ['pay', { a: { b: [null, { c: Number.NaN }] } }, '{"__proto__":{"x":1}}']),
    ];
    for (const trace of traces) {
      for (const { sites } of OPERATORS) {
        const own = sites(subject(trace));
        if (isSkip(own)) expect(own.skip).not.toBe('');
        else for (const site of own) expect(site.make(() => 0).trace.messages).toBeDefined();
      }
    }
  });
});
