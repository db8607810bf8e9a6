import { describe, expect, it } from 'vitest';
import { endedRun, judged, measured, measuredRows, results, YARDSTICK } from '../../../../../test/sample-against.ts';
import { verdictReason } from '../../report/run/verdict.ts';
import type { Baseline } from './baseline.ts';
import { judgedSummaries } from './judged-summaries.ts';

const PASSED = '1'.repeat(20);
const HALF = '10'.repeat(10);

type How = Parameters<typeof judged>[2];

function summaries(base: Baseline, next: Baseline, how: How = {}) {
  const own = endedRun(next, how).scenarios.flatMap(({ summary }) => summary ?? []);
  return judgedSummaries(judged(base, next, how), own);
}

/** The only scenario of both. */
function summary(before: string, now: string, how: How = {}) {
  const [found] = summaries(results(measured(before)), results(measured(now)), how);
  if (!found) throw new Error('There is no summary.');
  return found;
}

describe('a run against a baseline', () => {
  it('fails if a scenario is worse by more than luck', () => {
    expect(judged(results(measured(PASSED)), results(measured(HALF)))).toMatchObject({
      exit_code: 1,
      scenarios: [{ answer: 'worse', why: 'worse' }],
    });
    expect(summary(PASSED, HALF)).toMatchObject({ verdict: 'FAIL', decided_by: 'baseline' });
  });

  it('tolerates a drop up to the largest that is allowed', () => {
    const [before, now] = ['1'.repeat(400), '1'.repeat(384) + '0'.repeat(16)];
    expect(summary(before, now).verdict).toBe('FAIL');
    expect(summary(before, now, { maxDrop: 0.1 })).toMatchObject({ verdict: 'PASS', decided_by: 'baseline' });
    expect(summary(before, now, { maxDrop: 0.03 }).verdict).toBe('FAIL');
  });

  it('is not worse by more than 10 points only if the interval rules out such a drop', () => {
    const [before, now] = ['1'.repeat(400), `${'1'.repeat(398)}00`];
    expect(verdictReason(summary(before, now))).toBe(
      '398 of 400 trials passed; not worse than the baseline by more than 10 points',
    );
  });

  it('never calls undecided "not worse", and says how large a drop is possible and what would decide', () => {
    const found = summary('11111', '11110', { maxDrop: 0.5 });
    expect(found).toMatchObject({
      verdict: 'PASS',
      decided_by: 'baseline_observed',
      baseline: { answer: 'undecided' },
    });
    expect(verdictReason(found)).toMatch(
      /^4 of 5 trials passed; undecided whether it is worse than the baseline, a drop of up to \d+ points is possible; about \d+ trials in each run would decide$/,
    );
  });

  it('fails by what was observed: 5 of 5 before, 2 of 5 now', () => {
    const found = summary('11111', '11000');
    expect(found).toMatchObject({ verdict: 'FAIL', decided_by: 'baseline_observed' });
    expect(verdictReason(found)).toMatch(
      /^2 of 5 trials passed; 100% before: undecided .*; the pass rate fell from 100% to 40%, more than 10 points\. An unchanged agent would be red like this in \d+% of such runs; -n \d+ brings this to 5%$/,
    );
  });

  it('is not scored where the comparison does not decide, if that is asked for', () => {
    const base = results(measured('11111'));
    expect(judged(base, base, { undecided: 'fail' })).toMatchObject({
      exit_code: 3,
      scenarios: [{ why: 'undecided' }],
    });
    expect(summary('11111', '11111', { undecided: 'fail' })).toMatchObject({
      ...{ verdict: 'UNSCORED', decided_by: 'baseline_undecided' },
    });
  });

  it('fails if one scenario of thirty passes in no trial any more', () => {
    const many = (last: string) =>
      results(
        ...Array.from({ length: 30 }, (_, index) =>
          measured(index === 29 ? last : '111', { name: `s${index}`, file: `s${index}.yaml` }),
        ),
      );
    const found = judged(many('111'), many('000'));
    expect(found.observed).toMatchObject({ why: 'one_died', scenarios: 30 });
    expect(found.scenarios.flatMap(({ name, why }) => (why === null ? [] : [`${name} ${why}`]))).toEqual([
      's29 observed',
    ]);
  });

  it('fails if all scenarios together are worse, and names those that fell', () => {
    const names = Array.from({ length: 12 }, (_, index) => `s${index}`);
    const all = (trials: (index: number) => string) =>
      results(...names.map((name, index) => measured(trials(index), { name, file: `${name}.yaml` })));
    const [base, next] = [all(() => '1111'), all((index) => (index === 0 ? '1111' : '1101'))];
    const found = judged(base, next);
    expect(found).toMatchObject({ exit_code: 1, comparison: { conclusion: 'worse' } });
    expect(found.scenarios.flatMap(({ name, why }) => (why === 'together' ? [name] : []))).toEqual(names.slice(1));
    expect(judged(base, next, { maxDrop: 0.3 })).toMatchObject({ exit_code: 0 });
  });

  it('names only what is worse by itself, if something is', () => {
    const other = { name: 'other', file: 'other.yaml' };
    const base = results(measured(PASSED), measured(PASSED, other));
    const next = results(measured('0'.repeat(20)), measured(`0${'1'.repeat(19)}`, other));
    expect(judged(base, next).scenarios.map(({ why }) => why)).toEqual(['worse', null]);
  });

  it('fails where all trials are copies of one answer, and the answer became wrong', () => {
    const copies = (trials: string) => measured('', { cases: [{ case: null, row: null, trials, identical: true }] });
    expect(judged(results(copies(PASSED)), results(copies('0'.repeat(20))))).toMatchObject({ exit_code: 1 });
    expect(judged(results(copies(PASSED)), results(copies(PASSED)))).toMatchObject({ exit_code: 0 });
  });

  it('never passes if no trial of the run passed', () => {
    const found = summary('0'.repeat(20), '0'.repeat(20));
    expect(found).toMatchObject({ verdict: 'FAIL', decided_by: 'nothing_passed' });
    expect(summary('0'.repeat(20), '0'.repeat(20), { min_pass_rate: 0 }).verdict).toBe('FAIL');
  });
});

describe('the cases of a run against a baseline', () => {
  const rows = (count: number, trials: string, prefix = 'r') =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, trials]));

  it('are judged as without a baseline', () => {
    const [found] = summaries(results(measuredRows(rows(20, '11'))), results(measuredRows(rows(20, '00'))));
    expect(found?.cases.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 20 }, () => 'FAIL'));
    const [same] = summaries(
      results(measuredRows({ ...rows(19, '11'), b: '10' })),
      results(measuredRows({ ...rows(19, '11'), b: '10' })),
      { maxDrop: 0.2 },
    );
    expect(same).toMatchObject({ verdict: 'PASS', trials_passed: 39 });
    expect(same?.cases.at(-1)).toMatchObject({ case: 'b', verdict: 'PARTIAL' });
    expect(same?.gates).toEqual([]);
  });

  it('fail the scenario if the baseline does not have them and a trial of them fails', () => {
    const [base, next] = [rows(12, '11'), { ...rows(12, '11'), ...rows(18, '00', 'new') }];
    const [found] = summaries(results(measuredRows(base)), results(measuredRows(next)));
    expect(found).toMatchObject({ verdict: 'FAIL', decided_by: 'new_cases', baseline: { new_cases: 18 } });
    expect(found && verdictReason(found)).toBe(
      '24 of 60 trials passed; 18 of 18 cases that the baseline does not have failed: every trial of them must pass',
    );
  });

  it('are new if their row was edited', () => {
    const edited = measuredRows(rows(24, '11'));
    const next = {
      ...edited,
      cases: edited.cases.map((each, index) => (index < 12 ? { ...each, row: 'edited', trials: '00' } : each)),
    };
    const found = judged(results(measuredRows(rows(24, '11'))), results(next));
    expect(found).toMatchObject({ exit_code: 1, scenarios: [{ why: 'new_cases' }] });
    expect(found.scenarios[0]?.new_cases_failed).toHaveLength(12);
  });

  it('are part of a minimum that somebody set, whether they are new or not', () => {
    const [base, next] = [rows(12, '11'), { ...rows(12, '11'), new: '00' }];
    const [found] = summaries(results(measuredRows(base)), results(measuredRows(next)), { min_pass_rate: 0.9 });
    expect(found).toMatchObject({ verdict: 'PASS', decided_by: 'min_pass_rate' });
  });
});

describe('what the baseline cannot judge', () => {
  const changed = { yardstick: { ...YARDSTICK, assertions: { polite: 'other', 'output_contains:"yes"': 'bbb' } } };

  it('is judged by its own rule and named, and the rest is compared', () => {
    const other = { name: 'other', file: 'other.yaml' };
    const base = results(measured(PASSED), measured(PASSED, other));
    const next = results(measured(HALF, changed), measured(PASSED, other));
    expect(judged(base, next)).toMatchObject({
      exit_code: 0,
      scenarios: [
        { answer: 'not_comparable', because: ['the assertion polite changed'], by_own_rule: true },
        { why: null },
      ],
    });
    const [first, second] = summaries(base, next);
    expect(first).toMatchObject({ verdict: 'PARTIAL', decided_by: 'min_pass_rate' });
    expect(first && verdictReason(first)).toContain('100% must pass (min_pass_rate); not comparable with the baseline');
    expect(second?.verdict).toBe('PASS');
    const [green] = summaries(base, results(measured(PASSED, changed)));
    expect(green?.verdict).toBe('PASS');
  });

  it('includes another prompt, which a comparison only mentions, and scenarios that the baseline does not have', () => {
    const asked = { yardstick: { ...YARDSTICK, task: 'xxx' } };
    expect(judged(results(measured(PASSED)), results(measured(PASSED, asked))).scenarios).toMatchObject([
      { answer: 'not_comparable', because: ['the prompt or the messages differ'] },
    ]);
    expect(judged(results(), results(measured(HALF))).scenarios).toMatchObject([
      { answer: 'new', because: ['the baseline does not have it'], why: null },
    ]);
    expect(summaries(results(), results(measured(HALF)))[0]?.verdict).toBe('PARTIAL');
  });
});

describe('a minimum that somebody set', () => {
  it('decides what the comparison does not, and a drop fails all the same', () => {
    expect(summary('11111', '11000', { min_pass_rate: 0.4 })).toMatchObject({
      ...{ verdict: 'PASS', decided_by: 'min_pass_rate' },
    });
    expect(summary('11111', '11000', { min_pass_rate: 0.5 })).toMatchObject({ verdict: 'PARTIAL' });
    expect(summary(PASSED, HALF, { min_pass_rate: 0.5 })).toMatchObject({ verdict: 'FAIL', decided_by: 'baseline' });
  });

  it('of costs is checked, too, but says nothing about the pass rate', () => {
    expect(summary('11111', '11000', { max_cost_usd: 100 })).toMatchObject({ decided_by: 'baseline_observed' });
    expect(summary('11111', '11111', { max_cost_usd: 0 })).toMatchObject({ decided_by: 'max_cost_usd' });
  });
});
