import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../stats/seeded-random.ts';
import { compareRecordedVerdicts, readRecordedVerdicts } from './recorded-verdicts.ts';

/** A panel of judges, each right with its own chance, on items that people pass or fail in turn. */
function panelOf(rights: Record<string, number>, items = 300) {
  const random = seededRandom('panel', ...Object.values(rights));
  const lines = Array.from({ length: items }, (_, index) => {
    const human = index % 2 === 0;
    const votes = Object.fromEntries(
      Object.entries(rights).map(([name, right]) => [name, random() < right ? human : !human]),
    );
    return JSON.stringify({ human, votes });
  });
  const verdicts = readRecordedVerdicts(lines.join('\n'), { file: 'v', threshold: 0.8 });
  return compareRecordedVerdicts(verdicts, { threshold: 0.8 }).report;
}

describe('panelAgreement', () => {
  it('compares each judge and the majority on the same items', () => {
    const { panel } = panelOf({ good: 0.9, fair: 0.7, poor: 0.6 });
    expect(panel?.items).toBe(300);
    expect(panel?.judges.map(({ judge_model }) => judge_model)).toEqual(['good', 'fair', 'poor']);
    expect(panel?.judges[0]?.agreement).toBeGreaterThan(panel?.judges[2]?.agreement ?? 1);
  });

  it('knows a majority that is worse than the best judge, beyond chance', () => {
    const { panel } = panelOf({ good: 0.95, poor: 0.55, poorer: 0.5 });
    expect(panel?.best_minus_majority).toBeGreaterThan(0.1);
    expect(panel?.best_minus_majority_ci?.[0]).toBeGreaterThan(0);
  });

  it('knows a majority that is better than every judge', () => {
    const { panel } = panelOf({ a: 0.8, b: 0.8, c: 0.8, d: 0.8, e: 0.8 });
    expect(panel?.best_minus_majority).toBeLessThan(0);
  });

  it('is worth as many votes as it has judges that err independently', () => {
    const six = { a: 0.95, b: 0.95, c: 0.95, d: 0.95, e: 0.95, f: 0.95 };
    expect(panelOf(six, 2000).overall.effective_votes?.worth).toBeGreaterThan(5.2);
  });

  it('leaves out items without the verdict of every judge, and is null without a panel', () => {
    const read = (...lines: string[]) =>
      compareRecordedVerdicts(readRecordedVerdicts(lines.join('\n'), { file: 'v', threshold: 0.8 }), { threshold: 0.8 })
        .report.panel;
    expect(
      read(
        '{"human": true, "votes": {"a": true, "b": true, "c": null}}',
        '{"human": true, "votes": {"a": true, "b": true, "c": false}}',
      )?.items,
    ).toBe(1);
    expect(read('{"human": true, "votes": {"a": true, "b": null, "c": true}}')).toBeNull();
    expect(read('{"human": true, "votes": [true, true]}')).toBeNull();
    expect(read('{"human": true, "judge": true}')).toBeNull();
  });
});
