import type { ExperimentRecord } from '../../src/experiment/experiment-record.ts';
import type { ExperimentPlan } from '../../src/experiment/plan/experiment-plan.ts';
import { gamesPlanned } from '../../src/experiment/plan/experiment-plan.ts';
import { experimentSchema } from '../../src/experiment/plan/experiment-schema.ts';
import type { Game } from '../../src/game/game-document.ts';
import type { GameSheet } from '../../src/game/game-sheet.ts';
import type { RedOutcome, RedRequest } from '../../src/red/red-team.ts';

/** Documents of the kind a real experiment stores, each with what a test wants to be different. */
export function samplePlan(change: Partial<ExperimentPlan> = {}): ExperimentPlan {
  return { ...experimentSchema.parse({ name: 'sample', tasks: 'all' }), tasks: ['one', 'two'], ...change };
}

export function sampleExperiment(change: Partial<ExperimentRecord> = {}): ExperimentRecord {
  const plan = change.plan ?? samplePlan();
  return {
    experiment_id: 'exp-1',
    kind: 'matrix',
    name: plan.name,
    created_at: '2026-01-01T00:00:00.000Z',
    finished_at: null,
    status: 'running',
    stop_reason: null,
    games_planned: gamesPlanned(plan),
    salvo_version: '0.0.0',
    plan,
    ...change,
  };
}

/**
 * `found` says for each vulnerability whether Blue found it. With `twin`, Blue also looked at the clean twin: of the
 * alarms, so many are consequences, and so many of its ten resources are flagged there.
 */
export function sampleScores(
  found: readonly boolean[],
  alarms = 0,
  twin: { consequences?: number; flagged?: Record<string, number> } | null = null,
): NonNullable<Game['scores']> {
  const hits = found.filter(Boolean).length;
  const precision = hits + alarms === 0 ? 0 : hits / (hits + alarms);
  const recall = found.length === 0 ? 0 : hits / found.length;
  return {
    true_positives: hits,
    false_positives: alarms,
    false_negatives: found.length - hits,
    precision,
    recall,
    f1_score: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
    evasion_rate: found.length === 0 ? 0 : 1 - recall,
    duplicates: 0,
    ...twinScores(hits, recall, alarms, twin),
    clean_resources: 4,
    flagged_clean_resources: 1,
    false_positive_rate: 0.25,
    youden_j: recall - 0.25,
    vulnerabilities: found.map((each, index) => ({
      id: `V${index + 1}`,
      category: index % 2 === 0 ? 'iam' : 'network',
      severity: 'high',
      technique: 'plain_edit',
      weakness: 'kms-no-rotation',
      resource: 'aws_kms_key.main',
      found: each,
      found_by: each ? { finding: index, rule: 'CKV_AWS_7', resource: 'aws_kms_key.main', title: 'No rotation' } : null,
    })),
    other_findings: [],
    clean_alarms: [],
  };
}

function twinScores(hits: number, recall: number, alarms: number, twin: Parameters<typeof sampleScores>[2] = null) {
  if (twin === null) {
    const unknown = { precision_by_twin: null, f1_by_twin: null, false_alarms_by_twin: null, twin: null };
    return { precision_used: 'classic' as const, consequences: 0, present_before: 0, ...unknown };
  }
  const { consequences = 0, flagged = {} } = twin;
  const left = alarms - consequences;
  const precision = hits + left === 0 ? 0 : hits / (hits + left);
  const byCategory = Object.entries(flagged).map(([category, flagged_resources]) => ({ category, flagged_resources }));
  return {
    precision_used: 'twin' as const,
    precision_by_twin: precision,
    f1_by_twin: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
    false_alarms_by_twin: left,
    consequences,
    present_before: 0,
    twin: {
      resources: 10,
      flagged_resources: Math.max(0, ...Object.values(flagged)),
      flagged_by_category: byCategory,
      alarms: left,
    },
  };
}

export function sampleGame(change: Partial<Game> = {}): Game {
  return {
    game_id: 'exp-1-0000001',
    experiment_id: 'exp-1',
    code_key: 'code-1',
    seed: 7,
    task: 'one',
    red: 'mutation',
    blue: 'rules',
    difficulty: 'medium',
    language: 'terraform',
    strategy: 'balanced',
    repetition: 0,
    started_at: '2026-01-01T00:00:00.000Z',
    duration_seconds: 0.5,
    status: 'scored',
    failed_stage: null,
    error: null,
    template: 'static-site',
    red_cost_usd: 0,
    blue_cost_usd: 0,
    judge_cost_usd: 0,
    claimed: 2,
    confirmed: 2,
    phantoms: 0,
    unchecked: 0,
    manifest_accuracy: 1,
    scores: sampleScores([true, false]),
    ...change,
  };
}

export function sampleSheet(change: Partial<GameSheet> = {}): GameSheet {
  const factors = [{ name: 'category', points: 0.3, most: 0.3, reason: 'both are about encryption' }];
  const pair = { vulnerability_id: 'V1', vulnerability_index: 0, finding_index: 0, score: 0.9, factors };
  return {
    code_hash: 'hash',
    vulnerabilities: [{ id: 'V1', title: 'No rotation' }, { id: 'V2' }],
    not_scored: [],
    findings: [{ finding: 0, title: 'The key is not rotated', file: 'main.tf', line: 3 }],
    judged: {
      matches: [{ ...pair, match_type: 'exact' }],
      duplicates: [],
      near_misses: [],
      consequences: [],
      present_before: [],
      in_twin: null,
    },
    ...change,
  };
}

export function failedGame(change: Partial<Game> = {}): Game {
  return sampleGame({
    status: 'failed',
    failed_stage: 'blue',
    error: 'the scanner broke',
    blue_cost_usd: null,
    scores: null,
    ...change,
  });
}

export function sampleOutcome(
  request: Partial<RedRequest> = {},
  metadata: Partial<RedOutcome['metadata']> = {},
): RedOutcome {
  return {
    files: { 'main.tf': 'resource "aws_s3_bucket" "logs" {}\n' },
    vulnerabilities: [{ id: 'V1', type: 'logging', resource: 'aws_s3_bucket.logs', severity: 'high' }],
    metadata: {
      red: 'llm:some-model',
      seed: request.seed ?? 1,
      strategy: request.strategy ?? 'balanced',
      difficulty: request.difficulty ?? 'medium',
      language: request.language ?? 'terraform',
      provider: 'aws',
      template: null,
      twin: null,
      clean_resources: [],
      present_before: [],
      proven: false,
      model_calls: 1,
      input_tokens: 100,
      output_tokens: 50,
      cost_usd: 0.5,
      ...metadata,
    },
  };
}
