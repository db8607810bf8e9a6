import { compareJudges } from '../packages/salvo/src/judge/which/compare-judges.ts';
import type { StoredComparison } from '../packages/salvo/src/judge/which/stored-comparison.ts';
import { NO_COST } from '../packages/salvo/src/stats/cost.ts';

/** Two judges on thirty answers, of which one errs on three, with the changes that a test needs. */
export function sampleComparison(change: Partial<StoredComparison> = {}): StoredComparison {
  const answers = Array.from({ length: 30 }, (_, index) => ({ human: index % 2 === 0, cluster: `case ${index}` }));
  const judge = (name: string, mode: 'chat' | 'decide', errors: number) => ({
    ...{ name, judge_adapter: 'house', judge_model: `${name}-model`, mode, k: mode === 'decide' ? 1 : 5 },
    verdicts: answers.map(({ human }, index) => {
      const passed = index < errors ? !human : human;
      return { passed, score: passed ? 0.9 : 0.2, probability: passed ? 0.8 : 0.1 };
    }),
    ...{ unscoredBecause: null, paid: [{ usd: 0.002, seconds: 0.5 }], cached: 0, cost: NO_COST },
  });
  const judges = [judge('votes', 'chat', 3), judge('decision', 'decide', 0)];
  return {
    ...{ comparison_id: 'comparison1', created_at: '2026-01-01T00:00:00.000Z' },
    ...{ labels_file: 'labels.jsonl', judges_file: 'judges.yaml' },
    ...compareJudges({ answers, judges, threshold: 0.8, lines: 30, notes: ['A note.'] }),
    ...change,
  };
}
