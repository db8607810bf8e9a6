import { expect, test } from 'vitest';
import type { AdapterStatus } from '../adapters/availability.ts';
import { displayWidth } from '../text/output/safe-text.ts';
import { renderAdapters } from './adapters-report.ts';

const adapters: AdapterStatus[] = [
  { name: 'openai', type: 'openai', status: 'missing_key', detail: 'set OPENAI_API_KEY' },
  { name: 'local', type: 'openai', status: 'ready', detail: 'http://localhost:11434/v1' },
  { name: 'module', type: 'module', status: 'ready', detail: 'use the path of a TS or JS file as the adapter' },
];
const options = { adapters, default_adapter: 'local', judge: { adapter: 'openai', model: 'gpt-4o-mini', k: 3 } };

test('says what is ready, and what to do about what is not', () => {
  expect(renderAdapters(options, { width: 80, color: false })).toMatchInlineSnapshot(`
    "   Adapter  Type    Status
    ✖  openai           missing key  set OPENAI_API_KEY
    ✔  local    openai  ready        http://localhost:11434/v1
    ✔  module           ready        use the path of a TS or JS file as the adapter

    Scenarios run on "local" unless they say otherwise; judges are "openai" with
    gpt-4o-mini, 3 votes.
    "
  `);
});

test('warns about models that their provider shuts down', () => {
  const ending_models = [{ model: 'gpt-4o-mini', on: '2027-01-14', instead: 'gpt-6-luna' }];
  const text = (today: string) => renderAdapters({ ...options, ending_models }, { width: 200, color: false }, today);
  const rest = 'gpt-4o-mini down on 2027-01-14. It recommends gpt-6-luna instead.';
  expect(text('2026-11-17')).toContain(`Warning: OpenAI shuts ${rest}`);
  expect(text('2027-02-01')).toContain(`Warning: OpenAI has shut ${rest}`);
});

test('says that a judge decides', () => {
  const judge = { ...options.judge, mode: 'decide' as const };
  expect(renderAdapters({ ...options, judge }, { width: 200, color: false })).toContain('gpt-4o-mini, which decides.');
});

test.each([24, 40, 60, 80, 200])('no line is wider than %i columns, and no advice is cut short', (width) => {
  const text = renderAdapters(options, { width, color: false });
  for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  expect(text).not.toContain('…');
  expect(text.replaceAll(/\s+/g, ' ')).toContain('use the path of a TS or JS file as the adapter');
});

test('colours change nothing but the colour, and TERM=dumb gets ASCII only', () => {
  const plain = renderAdapters(options, { width: 60, color: false });
  expect(renderAdapters(options, { width: 60, color: true }).replaceAll(/\u001b\[\d+m/g, '')).toBe(plain);
  expect(renderAdapters(options, { width: 60, color: false, ascii: true })).not.toMatch(/[^\x20-\x7e\n]/);
});
