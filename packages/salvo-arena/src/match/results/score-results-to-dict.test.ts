import { describe, expect, expectTypeOf, it } from 'vitest';
import { JudgeAgent } from '../judge-agent.ts';
import type { ScoreResultsDict } from './score-results.ts';
import { scoreResultsToDict } from './score-results-to-dict.ts';

const results = new JudgeAgent().score(
  [
    { id: 'v1', type: 'encryption', resource: 'aws_s3_bucket.data', technique: 'hiddenDefault', severity: 'high' },
    { id: 'v2', type: 'myType', resource: 'aws_s3_bucket.web' },
  ],
  [{ type: 'encryption', resource: 'aws_s3_bucket.data' }],
  { confirmed: ['v1', 'v2'], cleanResources: ['aws_vpc.main'] },
);
const dict = scoreResultsToDict(results);

describe('scoreResultsToDict', () => {
  it('has everything in snake_case', () => {
    expect(dict).toMatchObject({
      true_positives: 1,
      false_positives: 0,
      false_negatives: 1,
      precision: 1,
      recall: 0.5,
      f1_score: results.f1Score,
      f2_score: results.f2Score,
      f05_score: results.f05Score,
      evasion_rate: 0.5,
      matches: [{ vulnerability_id: 'v1', vulnerability_index: 0, finding_index: 0, match_type: expect.any(String) }],
      evaded: ['v2'],
      evaded_indices: [1],
      false_alarms: [],
      near_misses: [],
      precision_without_duplicates: 1,
      severity_weighted_recall: 0.6,
      anchors: { manifest_accuracy: 1, youden_j: 0.5, false_positive_rate: 0 },
      models: null,
    });
    const names = [...JSON.stringify(dict).matchAll(/"(\w+)":/g)].map(([, name = '']) => name);
    expect(names).toContain('f1_score');
    expect(names.filter((name) => name !== name.toLowerCase())).toEqual([]);
  });

  it('loses nothing', () => {
    expect(Object.keys(dict)).toHaveLength(Object.keys(results).length);
  });

  it('keeps the keys of breakdowns as they are', () => {
    expect(dict.breakdowns.technique).toEqual(results.breakdowns.technique);
    expect(Object.keys(dict.breakdowns.category)).toEqual(['encryption', 'mytype']);
  });

  it('survives JSON, and shares nothing with the results', () => {
    expect(JSON.parse(JSON.stringify(dict))).toEqual(dict);
    dict.evaded.push('x');
    expect(results.evaded).toEqual(['v2']);
  });

  it('is typed by its own names', () => {
    expectTypeOf<ScoreResultsDict['f05_score']>().toEqualTypeOf<number>();
    expectTypeOf<ScoreResultsDict['matches'][number]['match_type']>().toEqualTypeOf<'exact' | 'partial'>();
    expectTypeOf<NonNullable<ScoreResultsDict['models']>['cost_usd']>().toEqualTypeOf<number | null>();
    expectTypeOf<ScoreResultsDict['breakdowns']['category'][string]['found']>().toEqualTypeOf<number>();
  });
});
