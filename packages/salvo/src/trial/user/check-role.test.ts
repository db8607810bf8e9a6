import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createRoleCheck } from './check-role.ts';
import type { SaidText } from './user-prompt.ts';

const FILE = new URL('../../../../../test/fixtures/simulated-user/messages.yaml', import.meta.url);
const groupsSchema = z.array(
  z.strictObject({
    goal: z.string(),
    facts: z.union([z.record(z.string(), z.unknown()), z.array(z.string())]),
    persona: z.string().optional(),
    agent: z.array(z.string()),
    ordinary: z.array(z.string()),
    breaking: z.array(z.strictObject({ text: z.string(), kind: z.string() })),
  }),
);

const messages = groupsSchema.parse(parse(readFileSync(FILE, 'utf8'))).flatMap((group) => {
  const check = createRoleCheck({ ...group, prompt: '' });
  const said = group.agent.map((text): SaidText => ({ by: 'agent', text }));
  const found = (text: string) => check({ text, isDone: false, said });
  return [
    ...group.ordinary.map((text) => ({ text, kind: null, found: found(text) })),
    ...group.breaking.map(({ text, kind }) => ({ text, kind, found: found(text) })),
  ];
});
const ordinary = messages.filter(({ kind }) => kind === null);
const breaking = messages.filter(({ kind }) => kind !== null);

const alarms = ordinary.filter(({ found }) => found !== null);
const missed = breaking.filter(({ kind, found }) => found?.kind !== kind);

test(`${alarms.length} of ${ordinary.length} ordinary messages are taken for a break: none may be`, () => {
  expect(ordinary.length).toBeGreaterThanOrEqual(150);
  expect(alarms).toEqual([]);
});

test(`${missed.length} of ${breaking.length} breaking messages are missed, or taken for another kind: none may be`, () => {
  expect(breaking.length).toBeGreaterThanOrEqual(60);
  expect(missed).toEqual([]);
});

describe('the end of a conversation', () => {
  const check = createRoleCheck({ goal: 'Cancel your order.', prompt: '' });
  const answered: SaidText[] = [
    { by: 'user', text: 'Cancel my order.' },
    { by: 'agent', text: 'Shall I cancel it?' },
  ];
  const end = (text: string, said = answered) => check({ text, isDone: true, said })?.kind ?? null;

  test.each(['', 'Thanks, bye.', 'No, that is all. Thank you!', 'Great, have a nice day', 'Never mind.'])(
    'may be said with %j',
    (text) => {
      expect(end(text)).toBeNull();
    },
  );

  test.each(['Yes, please.', 'Go ahead', 'When will I get my money?', 'I confirm.'])('is too early with %j', (text) => {
    expect(end(text)).toBe('ended_early');
  });

  test('is too early before the agent has said anything', () => {
    expect(end('Thanks, bye.', [])).toBe('ended_early');
    expect(end('', [{ by: 'user', text: 'Hi.' }])).toBe('ended_early');
  });
});

describe('texts of any kind', () => {
  const check = createRoleCheck({ goal: 'Ask.', facts: ['x'.repeat(100_000)], prompt: '' });

  test('never make the check throw', () => {
    const ofShortFacts = createRoleCheck({ goal: 'Ask.', facts: ['R-01'], prompt: '' });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.string({ unit: 'grapheme' }), (text, answer) => {
        ofShortFacts({ text, isDone: false, said: [{ by: 'agent', text: answer }] });
      }),
    );
  });

  test.each([
    ['digits', '1'.repeat(100_000)],
    ['groups of digits', '12 34-'.repeat(20_000)],
    ['an endless id', 'A1-'.repeat(40_000)],
    ['capital words', 'My name is Aa '.repeat(10_000)],
    ['e-mail addresses', 'a@b.'.repeat(30_000)],
    ['quotes', '"'.repeat(100_000)],
    ['one sentence', 'how can I '.repeat(10_000)],
    ['blanks', ' '.repeat(100_000)],
  ])('are cut before they take long: %s', (_, text) => {
    expect(() => check({ text, isDone: false, said: [{ by: 'agent', text }] })).not.toThrow();
  });

  test('a fact is the same fact in any notation', () => {
    const known = createRoleCheck({ facts: { date: '2026-06-09', total: 1234.5, id: 'AB-12-CD' }, prompt: '' });
    for (const text of ['June 9', '9 June 2026', '6/9/2026', '9.6.2026', '$1,234.50', '1234.5 dollars', 'id ab12cd'])
      expect([text, known({ text, isDone: false, said: [] })]).toEqual([text, null]);
    expect(known({ text: 'It was on June 10.', isDone: false, said: [] })?.kind).toBe('unknown_fact');
  });

  test('days may be counted from a known date if somebody speaks of days later', () => {
    const counting = createRoleCheck({ goal: 'Move the flight of May 20 to one day later.', prompt: '' });
    expect(counting({ text: 'Then May 21.', isDone: false, said: [] })).toBeNull();
    expect(counting({ text: 'Then August 21.', isDone: false, said: [] })?.kind).toBe('unknown_fact');
  });
});
