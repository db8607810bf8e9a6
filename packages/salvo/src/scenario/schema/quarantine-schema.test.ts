import { expect, test } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { inspectScenario } from '../load-scenario.ts';
import { isInQuarantine, readQuarantine } from './quarantine-schema.ts';

test('a quarantine holds until its last day is over in UTC', () => {
  const quarantine = { until: '2026-12-31', reason: 'x' };
  expect(isInQuarantine(quarantine, '2026-12-31T23:59:59.999Z')).toBe(true);
  expect(isInQuarantine(quarantine, '2027-01-01T00:00:00.000Z')).toBe(false);
  expect(isInQuarantine(quarantine, '2027-01-01T05:00:00+09:00')).toBe(true);
});

test.each([
  ['2026-12-31 waits for issue 7', { until: '2026-12-31', reason: 'waits for issue 7' }],
  ['2026-12-31: waits', { until: '2026-12-31', reason: 'waits' }],
  [' 2026-12-31   waits ', { until: '2026-12-31', reason: 'waits' }],
  [
    { until: '2028-02-29', reason: 'x' },
    { until: '2028-02-29', reason: 'x' },
  ],
  ['2026-12-31', null],
  ['2026-12-31waits', null],
  ['2026-02-29 no leap year', null],
  ['soon, hopefully', null],
  [{ until: '2026-12-31', reason: ' ' }, null],
  [true, null],
  [20261231, null],
])('the quarantine of a row that is %j', (given, expected) => {
  expect(readQuarantine(given)).toEqual(expected);
});

test.each([
  ['quarantine: {until: 2026-02-30, reason: x}', '2:21 invalid-value'],
  ['quarantine: {until: tomorrow, reason: x}', '2:21 invalid-value'],
  ['quarantine: {until: 2026-02-28}', '2:1 missing-key'],
  ['quarantine: 2026-02-28 waits', '2:13 wrong-type'],
  ['data: [{name: a, quarantine: 2026-13-01 x}]', '2:18 invalid-row'],
  ['data: [{name: a, quarantine: 2026-12-01}]', '2:18 invalid-row'],
])('%s is an error at its place', async (line, expected) => {
  const scenario = `prompt: hi\n${line}\nadapter: scripted\nscript: [{content: a}]\nassertions: [{type: output_json}]\n`;
  await using fixture = await projectFixture({ 's.yaml': scenario });
  const { diagnostics } = await inspectScenario({ file: fixture.path('s.yaml'), project: await fixture.project() });
  expect(diagnostics.map(({ line: at, column, code }) => `${at}:${column} ${code}`)).toEqual([expected]);
});
