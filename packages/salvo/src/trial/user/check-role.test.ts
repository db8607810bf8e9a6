import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
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

test('no ordinary message of the labelled set is taken for a break', () => {
  expect(ordinary.length).toBeGreaterThanOrEqual(150);
  expect(ordinary.filter(({ found }) => found !== null)).toEqual([]);
});

test('every breaking message of the labelled set is found, as what it is', () => {
  expect(breaking.length).toBeGreaterThanOrEqual(60);
  expect(breaking.filter(({ kind, found }) => found?.kind !== kind)).toEqual([]);
});
