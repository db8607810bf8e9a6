import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compareHref, labelsHref, runHref, tracesHref, trialHref, whereHref } from './page-hrefs.ts';

const TRIAL = { run_id: 'r1', scenario_index: 0, case_index: 2, trial_number: 13 };

test('an address names what its page shows', () => {
  expect(runHref('r1')).toBe('/runs/r1');
  expect(trialHref(TRIAL)).toBe('/runs/r1/trials/0/2/13');
  expect(tracesHref(TRIAL, { ...TRIAL, run_id: 'r2' })).toBe('/traces/r1/0/2/13/with/r2/0/2/13');
  expect(labelsHref('r1')).toBe('/labels/r1');
});

test('whatever a name contains stays in its part of the address', () => {
  expect(compareHref(['r1@a/b', 'r1@c?#'])).toBe('/compare/r1%40a%2Fb/r1%40c%3F%23');
  expect(labelsHref('r1', 0, 'a/b')).toBe('/labels/r1/0/a%2Fb');
});

test('nothing chosen is the page itself', () => {
  expect(whereHref('/runs', '')).toBe('/runs');
  expect(whereHref('/runs', 'model%3Dx')).toBe('/runs/where/model%3Dx');
});

test('no page spells an address out: those of the API come from its routes, those of pages from here', () => {
  const files = globSync('packages/*/web/src/**/*.{ts,tsx}').filter(
    (file) => !/\.test\.ts$|\/src\/(?:app|main)\.tsx$/.test(file),
  );
  const spelled = files.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /['"`]#?\/(?:api\/|(?:runs|traces|compare|experiments|judges|mutations|labels|score|game|project|events)\b).*/g,
      ),
    ].map(([text]) => `${file}: ${text}`),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(spelled).toEqual([]);
});
