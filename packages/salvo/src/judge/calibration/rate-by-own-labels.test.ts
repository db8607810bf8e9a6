import { describe, expect, it } from 'vitest';
import { sampleLabel } from '../../../../../test/sample-label.ts';
import { drawTrials } from './draw-trials.ts';
import type { HumanLabel } from './human-label.ts';
import { type LabelledTrial, rateByOwnLabels } from './rate-by-own-labels.ts';

interface Drawing {
  trials?: number;
  labels?: number;
  cases?: number | null;
  passes?: (index: number) => boolean;
  change?: (label: HumanLabel, position: number) => HumanLabel[];
}

/** 60 trials, of which the first 30 that are drawn have labels. Three of four pass, and the judge is always right. */
function drawn(options: Drawing = {}): LabelledTrial[] {
  const { trials = 60, labels = 30, cases = null, change = (label) => [label] } = options;
  const passes = options.passes ?? ((index: number) => index % 4 > 0);
  const order = drawTrials(Array.from({ length: trials }, (_, index) => ({ id: `trace ${index}`, doubt: 0.5 })));
  return Array.from(order, ([trace_id, draw], index): LabelledTrial => {
    const passed = passes(index);
    const label = sampleLabel({ trace_id, passed, drawn: draw });
    return {
      case: cases === null ? null : index % cases,
      probability: Number(passed),
      labels: draw.position <= labels ? change(label, draw.position) : [],
      counts: true,
    };
  });
}

function noteOf(options: Drawing): string | undefined {
  const found = rateByOwnLabels(drawn(options));
  expect(found?.rate ?? null).toBeNull();
  return found?.note;
}

const withoutDraw = ({ drawn: _, ...label }: HumanLabel): HumanLabel => label;

describe('rateByOwnLabels', () => {
  it('names the method, the labels and the trials', () => {
    const found = rateByOwnLabels(drawn());
    expect(found).toMatchObject({
      labels: 30,
      note: "prediction-powered, by labels of 30 of the run's own 60 trials",
    });
    expect(found?.rate).toBeCloseTo(0.75, 1);
  });

  it('weighs labels by their chance of being drawn', () => {
    // Trials that fail are drawn far more often: half of the labels fail, and a quarter of the trials.
    const trials = Array.from({ length: 400 }, (_, index) => ({ id: `t${index}`, doubt: index % 4 === 0 ? 1 : 0.05 }));
    const order = drawTrials(trials);
    const labelled = trials.map(({ id }, index): LabelledTrial => {
      const draw = order.get(id);
      const label = sampleLabel({ trace_id: id, passed: index % 4 > 0, drawn: draw });
      const isDrawn = draw !== undefined && draw.position <= 120;
      return { case: null, probability: 0.5, labels: isDrawn ? [label] : [], counts: true };
    });
    const given = labelled.flatMap(({ labels }) => labels);
    expect(given.filter(({ passed }) => passed).length / given.length).toBeLessThan(0.62);
    expect(rateByOwnLabels(labelled)?.rate).toBeCloseTo(0.75, 1);
  });

  it('has nothing to say without labels', () => {
    expect(rateByOwnLabels(drawn({ labels: 0 }))).toBeNull();
    expect(rateByOwnLabels([])).toBeNull();
  });

  it.each<[string, Drawing]>([
    ['are 19, and at least 20 are needed', { labels: 19 }],
    ['all say pass', { passes: () => true }],
    ['all say fail', { passes: () => false }],
    ['are of a run with fewer than 20 cases', { cases: 12 }],
    ['were not drawn;', { change: (label) => [withoutDraw(label)] }],
    ['are of several draws', { change: (label, position) => [{ ...label, run_id: position > 5 ? 'run-1' : 'run-2' }] }],
  ])('gives no rate if labels %s', (why, options) => {
    expect(noteOf(options)).toContain(why);
  });

  it('gives no rate by labels of few of many cases', () => {
    const trials = drawn({ trials: 400, labels: 40 });
    const few = trials.map((trial, index) => ({ ...trial, case: trial.labels.length > 0 ? index % 9 : 9 + index }));
    expect(rateByOwnLabels(few)).toMatchObject({ rate: null, note: expect.stringContaining('fewer than 10 cases') });
  });

  it('gives no rate if trials were added after the draw', () => {
    const more: LabelledTrial = { case: null, probability: 1, labels: [], counts: true };
    expect(rateByOwnLabels([...drawn(), more])).toMatchObject({
      rate: null,
      note: expect.stringContaining('were not drawn from the trials that the run has now'),
    });
  });

  it('leaves out ties, skipped trials and trials that a person chose, and says so', () => {
    const change = (label: HumanLabel, position: number): HumanLabel[] => {
      if (position === 1) return [label, { ...label, labelled_by: 'Bob', passed: !label.passed }];
      if (position === 2) return [];
      return position === 3 ? [withoutDraw(label)] : [label];
    };
    expect(rateByOwnLabels(drawn({ change }))).toMatchObject({
      labels: 27,
      note:
        "prediction-powered, by labels of 27 of the run's own 60 trials; 2 drawn trials without a label, taken to be " +
        'like the others; 1 trial without a verdict of most people left out; 1 trial that a person chose left out',
    });
  });

  it('is about the trials that count', () => {
    const trials = drawn().map((trial, index) => ({ ...trial, counts: index % 4 > 0 || index < 40 }));
    const found = rateByOwnLabels(trials);
    expect(found?.note).toContain('own 55 trials');
    expect(found?.rate).toBeGreaterThan(rateByOwnLabels(drawn())?.rate ?? 1);
  });
});
