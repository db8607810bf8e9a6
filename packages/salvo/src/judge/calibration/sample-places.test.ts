import { describe, expect, it } from 'vitest';
import { compareRecordedVerdicts, readRecordedVerdicts } from './recorded-verdicts.ts';
import { joinCopies, type PlacedItem, samplePlaces } from './sample-places.ts';

const unknown: PlacedItem = { scenario: null, case: null, task: null, answer: null, weight: null };

describe('samplePlaces', () => {
  const clusters = (items: Partial<PlacedItem>[]) =>
    samplePlaces(items.map((item) => ({ ...unknown, ...item }))).map(({ cluster }) => cluster);

  it('puts items of one case together, also if it is the only one', () => {
    const [a, b, c] = clusters([{ case: '1' }, { case: '1' }, { case: '2' }]);
    expect([a === b, a === c]).toEqual([true, false]);
    expect(clusters([{ case: '1' }, { case: '1' }])).not.toContain(null);
  });

  it('takes the task for the case if lines name none', () => {
    const [a, b, c] = clusters([{ task: 'x' }, { task: 'x' }, { task: 'y' }]);
    expect([a === b, a === c]).toEqual([true, false]);
  });

  it('takes the trials of a scenario with a single task for independent, as a run without data does', () => {
    const items = ['a', 'b'].flatMap((scenario) => [1, 2].map(() => ({ scenario, task: 'x' })));
    expect(clusters(items)).toEqual([null, null, null, null]);
  });
});

describe('joinCopies', () => {
  const place = { cluster: null, copy: 'same', weight: null };
  const said = (human: boolean | null, judge: boolean, weight: number | null = null) => ({
    human: { passed: human, score: null },
    judge: { passed: judge, score: null },
    votes: [[judge]],
    sample: { ...place, weight },
  });

  it('makes one of equal answers, by the majority', () => {
    expect(joinCopies([said(true, true), said(true, false), said(false, true)])).toEqual([said(true, true)]);
  });

  it('has no verdict of people if they are divided', () => {
    expect(joinCopies([said(true, true), said(false, true)])).toEqual([said(null, true)]);
  });

  it('stands for all trials that its copies were drawn for', () => {
    expect(joinCopies([said(true, true, 2), said(true, true, 3)])).toEqual([said(true, true, 5)]);
  });

  it('leaves alone what is not known to be a copy', () => {
    const { sample: _, ...plain } = said(true, true);
    expect(joinCopies([plain, plain])).toEqual([plain, plain]);
  });
});

describe('labels that are not independent', () => {
  const calibrate = (lines: object[]) =>
    compareRecordedVerdicts(
      readRecordedVerdicts(lines.map((line) => JSON.stringify(line)).join('\n'), { file: 'x', threshold: 0.5 }),
      { threshold: 0.5 },
    ).report;
  const twice = (line: (right: boolean) => object) => Array.from({ length: 30 }, (_, index) => line(index < 15));

  it('of two answers, each labelled 15 times, do not make a judge usable', () => {
    for (const key of ['id', 'response'] as const) {
      const report = calibrate(twice((right) => ({ human: right, judge: right, [key]: right ? 'yes' : 'no' })));
      expect(report).toMatchObject({ items: 30, verdict: 'too few labels', overall: { n: 2 } });
      expect(report.notes.join(' ')).toContain('28 labels are on copies');
    }
  });

  it('of two cases do not make a judge usable either', () => {
    const report = calibrate(twice((right) => ({ human: right, judge: right, case: right ? 'a' : 'b' })));
    expect(report).toMatchObject({ verdict: 'too few labels', overall: { n: 30, cases: 2 } });
    expect(report.reason).toContain('30 items of 2 cases');
  });

  it('say what is assumed if lines name neither case, task nor id', () => {
    const report = calibrate(twice((right) => ({ human: right, judge: right })));
    expect(report).toMatchObject({ verdict: 'usable', overall: { n: 30 } });
    expect(report.notes).toEqual([expect.stringContaining('each is taken for another answer that is independent')]);
  });
});
