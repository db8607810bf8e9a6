import { expect, test } from 'vitest';
import { readEvidence } from './evidence.ts';

const evidence = (change: object = {}) =>
  JSON.stringify({ salvo_evidence: 1, baseline: 'abc', processes: [], ...change });

test('evidence is read', () => {
  expect(readEvidence(evidence(), 'e.json')).toMatchObject({ baseline: 'abc', processes: [] });
});

test.each([
  ['nothing', ''],
  ['a part', '{"salvo_evidence": 1, "base'],
  ['a list', '[]'],
  ['a baseline', '{"salvo_baseline": 1, "scenarios": []}'],
  ['another version', evidence({ salvo_evidence: 2 })],
  ['a hash that is a number', evidence({ baseline: 5 })],
  ['a plan without trials', evidence({ processes: [{ id: 'a', planned: 0, scenarios: [] }] })],
  [
    'unknown outcomes',
    evidence({
      processes: [
        {
          ...{ id: 'a', planned: 1 },
          scenarios: [
            { name: 'n', file: 'f', adapter: 'a', model: 'm', cases: [{ case: null, row: null, trials: '2' }] },
          ],
        },
      ],
    }),
  ],
  ['too many agents', evidence({ processes: new Array(1001).fill({ id: 'a', planned: 1, scenarios: [] }) })],
  ['deep nesting', '['.repeat(100_000)],
])('%s is refused with a sentence that names the file', (_, text) => {
  expect(() => readEvidence(text, 'e.json')).toThrow(/^e\.json/);
});
