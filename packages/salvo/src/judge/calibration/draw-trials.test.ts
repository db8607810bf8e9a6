import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleLabel } from '../../../../../test/sample-label.ts';
import { drawTrials, drawWeights } from './draw-trials.ts';

/** A hundred trials, of which every tenth is doubtful, with ids of their own. */
function hundred(name: string) {
  return Array.from({ length: 100 }, (_, index) => ({ id: `${name} ${index}`, doubt: index % 10 === 0 ? 0.9 : 0 }));
}

/** Labels of the first so many trials of a draw, without those that were skipped. */
function labelsOf(name: string, count: number, skipped: readonly number[] = []) {
  const drawn = [...drawTrials(hundred(name))].filter(([, { position }]) => position <= count);
  return drawn
    .filter(([, { position }]) => !skipped.includes(position))
    .map(([trace_id, draw]) => [sampleLabel({ trace_id, run_id: name, drawn: draw })]);
}

describe('drawTrials', () => {
  it('is the same for everybody, and depends on nothing but the trials', () => {
    const trials = hundred('run');
    expect(drawTrials(trials.toReversed())).toEqual(drawTrials(trials));
  });

  it('gives every trial a place, in the order of the draw', () => {
    const order = [...drawTrials(hundred('run')).values()];
    expect(order.map(({ position }) => position)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(order.every(({ of }) => of === 100)).toBe(true);
  });

  it('draws seven tenths of the first trials by doubt, and the others evenly', () => {
    const shares = Array.from({ length: 200 }, (_, run) => {
      const drawn = drawTrials(hundred(`run ${run}`));
      return hundred(`run ${run}`).filter(({ id, doubt }) => doubt > 0 && drawn.get(id)?.position === 1).length;
    });
    // Seven tenths of the draws are by doubt, and a tenth of the others is doubtful as well.
    expect(shares.reduce((sum, share) => sum + share, 0) / 200).toBeCloseTo(0.73, 1);
  });

  it('draws evenly if nothing is doubtful', () => {
    const even = drawTrials(hundred('run').map(({ id }) => ({ id, doubt: 0 })));
    expect(new Set([...even.values()].map(({ rate }) => rate))).toEqual(new Set([1]));
    expect(drawTrials([])).toEqual(new Map());
  });
});

it('has another name if a trial or its doubt is another', () => {
  const trials = hundred('run');
  const name = (some: typeof trials) => drawTrials(some).get('run 1')?.draw;
  const doubtful = trials.map((trial, index) => (index === 7 ? { ...trial, doubt: 0.5 } : trial));
  expect(name(trials.toReversed())).toBe(name(trials));
  expect(new Set([name(trials), name(trials.slice(1)), name(doubtful)]).size).toBe(3);
});

describe('drawWeights', () => {
  it('makes the labels stand for all trials, doubtful or not', () => {
    const totals = { doubtful: 0, certain: 0 };
    for (let run = 0; run < 100; run += 1) {
      const labels = labelsOf(`run ${run}`, 40);
      const { weights } = drawWeights(labels);
      for (const [index, weight] of weights.entries()) {
        const isDoubtful = (labels[index]?.[0]?.drawn?.rate ?? 0) > 1;
        totals[isDoubtful ? 'doubtful' : 'certain'] += (weight ?? 0) / 100;
      }
    }
    expect(totals.doubtful).toBeGreaterThan(9);
    expect(totals.doubtful).toBeLessThan(11.5);
    expect(totals.certain).toBeGreaterThan(86);
    expect(totals.certain).toBeLessThan(97);
  });

  it('weighs all labels alike once every trial has one', () => {
    const { weights, skipped } = drawWeights(labelsOf('run', 100));
    expect(new Set(weights)).toEqual(new Set([1]));
    expect(skipped).toBe(0);
  });

  it('counts a skipped trial as missing: it was drawn, and has no label', () => {
    const all = drawWeights(labelsOf('run', 40));
    const some = drawWeights(labelsOf('run', 40, [3, 7, 11]));
    expect([all.skipped, some.skipped]).toEqual([0, 3]);
    expect(some.weights).toEqual(all.weights.filter((_, index) => ![2, 6, 10].includes(index)));
  });

  it('gives no weight to a label on a trial that a person chose, or of an earlier version', () => {
    expect(drawWeights([[sampleLabel()], ...labelsOf('run', 2)]).weights).toEqual([
      null,
      expect.any(Number),
      expect.any(Number),
    ]);
  });

  it('knows every chance within its own draw only', () => {
    const runs = fc.integer({ min: 1, max: 30 });
    fc.assert(
      fc.property(runs, runs, (few, many) => {
        const [a, b] = [labelsOf('a', few), labelsOf('b', many)];
        expect(drawWeights([...a, ...b]).weights).toEqual([...drawWeights(a).weights, ...drawWeights(b).weights]);
      }),
      { numRuns: 20 },
    );
  });
});
