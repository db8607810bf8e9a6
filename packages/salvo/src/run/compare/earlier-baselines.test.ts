import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readResults } from './read-results.ts';

const FOLDER = new URL('../../../../../test/store/versions/baselines/', import.meta.url);

describe.each(readdirSync(FOLDER))('the baseline %s, as a Salvo of that commit wrote it', (name) => {
  const read = () => readResults(readFileSync(new URL(name, FOLDER), 'utf8'), name);

  test('has its scenarios, cases and trials', () => {
    const { scenarios } = read();
    expect(scenarios.map((each) => [each.name, each.cases.map(({ trials }) => trials)])).toEqual([
      ['cases', ['111', '111']],
      ['judged', ['111']],
    ]);
  });

  test('says which judge it was measured by', () => {
    const judged = read().scenarios.find((each) => each.name === 'judged');
    expect(judged?.yardstick.judges).toEqual({
      right: { model: 'house-1', adapter: 'house', hash: expect.stringMatching(/^[0-9a-f]{12}$/) },
    });
  });
});

test('a judge that was one text keeps an adapter of several words, and has no hash in a scenario with data', () => {
  const baseline = JSON.parse(readFileSync(new URL('249d7935.json', FOLDER), 'utf8'));
  baseline.scenarios[0].yardstick.judges = { right: 'house-1 exec:node judge.mjs' };
  const [scenario] = readResults(JSON.stringify(baseline), 'b.json').scenarios;
  expect(scenario?.yardstick.judges).toEqual({
    right: { model: 'house-1', adapter: 'exec:node judge.mjs', hash: null },
  });
});
