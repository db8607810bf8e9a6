import { describe, expect, it } from 'vitest';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { type Baseline, baselineText } from './baseline.ts';
import { readResults } from './read-results.ts';

const BASELINE: Baseline = {
  ...{ salvo_baseline: 1, salvo_version: '0.1.0', run_id: 'r', created_at: '2026-01-01T00:00:00Z', commit: null },
  scenarios: [
    {
      ...{ name: 'a "quoted" name', file: 'a.yaml', adapter: 'openai', model: 'm', seed: 7 },
      yardstick: { threshold: 0.8, assertions: { a: 'x' }, judges: {}, mocks: null, task: null, system_prompt: null },
      cost_usd: { trials: 2, mean: 0.1, sd: 0 },
      latency_seconds: null,
      cases: [
        { case: 'one', row: 'abc', trials: '10-.', scores: [1, 0.5, null, null] },
        { case: 'two', row: 'def', trials: '11', identical: true },
      ],
    },
  ],
};

describe('the file of a baseline', () => {
  it('is read as it was written, with a line for each case', () => {
    const text = baselineText(BASELINE);
    expect(readResults(text, 'b.json')).toEqual(BASELINE);
    expect(text.split('\n').filter((line) => line.includes('"trials":"'))).toHaveLength(2);
    expect(readResults(`\uFEFF${text}`, 'b.json')).toEqual(BASELINE);
  });

  const text = baselineText(BASELINE);
  it.each([
    ['nothing', '', 'b.json cannot be compared with: it is empty.'],
    ['white space', ' \n ', 'it is empty'],
    ['half a file', text.slice(0, text.length / 2), /^b\.json:\d+:\d+ is not valid JSON/],
    ['a syntax error', '{\n  "a": nope\n}', 'b.json:2:9 is not valid JSON'],
    ['deep nesting', '['.repeat(100_000), 'nested too deeply'],
    ['a number', '7', 'neither a baseline'],
    ['a list', '[]', 'neither a baseline'],
    ['another document', '{"scenarios": []}', 'neither a baseline'],
    [
      'a newer version',
      '{"salvo_baseline": 2}',
      'it was written by a newer Salvo (version 2); this one reads up to 1: update Salvo.',
    ],
    ['missing fields', '{"salvo_baseline": 1}', 'scenarios: '],
    ['a wrong outcome', text.replace('"10-."', '"10x"'), 'scenarios.0.cases.0.trials: only 1, 0, - and . are outcomes'],
    ['a score above 1', text.replace('[1,0.5', '[2,0.5'), 'scenarios.0.cases.0.scores.0'],
    ['a text for a list', text.replace('"scenarios": [', '"scenarios": "none", "x": ['), 'scenarios: '],
    ['a key of objects', '{"salvo_baseline": 1, "__proto__": {"scenarios": []}}', 'values of it are wrong'],
    ['a wrong result', '{"run_id": 1, "scenarios": [{}]}', 'run_id: '],
  ])('with %s is refused with what is wrong', (_, content, message) => {
    const error = thrownBy(() => readResults(content, 'b.json'));
    expect(error).toBeInstanceOf(SalvoError);
    if (typeof message === 'string') expect(error.message).toContain(message);
    else expect(error.message).toMatch(message);
  });
});

function thrownBy(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was thrown');
}
