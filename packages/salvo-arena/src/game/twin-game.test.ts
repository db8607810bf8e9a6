import { describe, expect, test } from 'vitest';
import { CODE, FALSE_ALARM, FOUND, sampleBlue, sampleRed, UNENCRYPTED } from '../../test/arena/sample-teams.ts';
import type { BlueTeam } from '../blue/blue-team.ts';
import { BlueTeamError } from '../blue/blue-team-error.ts';
import { createRulesBlue } from '../blue/rules/rules-blue.ts';
import type { Finding } from '../match/claims/finding.ts';
import { JudgeAgent } from '../match/judge-agent.ts';
import { createMutationRed } from '../red/mutation/create-mutation-red.ts';
import type { RedMetadata } from '../red/red-team.ts';
import { renderGame } from '../report/game/game-report.ts';
import { gameFiles } from './game-folder.ts';
import type { GameSetup } from './game-setup.ts';
import { playGame } from './play-game.ts';
import { looksAtTwin } from './truth-gate.ts';

const TWIN = { 'main.tf': CODE['main.tf'].replace('storage_encrypted = false', 'storage_encrypted = true') };
const NO_CUSTOMER_KEY: Finding = {
  rule_id: 'CKV_AWS_354',
  resource: 'aws_db_instance.main',
  title: 'Performance insights use a key of the customer',
  file: 'main.tf',
  line: 4,
};

/** Reports other things on the code that is not encrypted than on the twin. */
function blueOf(onCode: Finding[], onTwin: Finding[], cost: number | null = null): BlueTeam {
  const base = sampleBlue();
  return {
    ...base,
    async analyze(request) {
      const isTwin = request.files['main.tf']?.includes('storage_encrypted = true');
      const { metadata } = await base.analyze(request);
      const bill = cost === null ? {} : { model_calls: 1, cost_usd: cost };
      return { findings: isTwin ? onTwin : onCode, metadata: { ...metadata, ...bill } };
    },
  };
}

const play = (blue: BlueTeam, changes: Partial<GameSetup> = {}, metadata: Partial<RedMetadata> = {}) =>
  playGame({
    task: 'a database',
    red: sampleRed([UNENCRYPTED], { twin: TWIN, ...metadata }),
    blue,
    difficulty: 'easy',
    language: 'terraform',
    strategy: 'balanced',
    seed: 7,
    gate: async () => expect.unreachable('a proven manifest needs no gate'),
    judge: new JudgeAgent({ matcher: 'evidence' }),
    ...changes,
  });

describe('a game with a twin', () => {
  test('is scored by what Blue reports on it', async () => {
    const played = await play(blueOf([FOUND, NO_CUSTOMER_KEY, FALSE_ALARM], [FALSE_ALARM]));
    expect(played.game.scores).toMatchObject({
      true_positives: 1,
      false_positives: 2,
      precision: 1 / 3,
      precision_used: 'twin',
      precision_by_twin: 0.5,
      f1_by_twin: 2 / 3,
      false_alarms_by_twin: 1,
      consequences: 1,
      twin: {
        resources: 3,
        flagged_resources: 1,
        flagged_by_category: [{ category: 'encryption_at_rest', flagged_resources: 1 }],
        alarms: 1,
      },
      vulnerabilities: [{ id: 'v1', resource: 'aws_db_instance.main', found_by: { finding: 0, title: FOUND.title } }],
      other_findings: [
        {
          finding: 1,
          rule: 'CKV_AWS_354',
          resource: 'aws_db_instance.main',
          kind: 'consequence',
          vulnerability_id: 'v1',
        },
        { finding: 2, resource: 'aws_sqs_queue.jobs', kind: 'false_alarm' },
      ],
      clean_alarms: [{ finding: 0, resource: 'aws_sqs_queue.jobs' }],
    });
    const text = renderGame(played, { width: 100, color: false });
    expect(text).toMatch(/^Precision by twin +50% .*1 found, 1 false alarm/m);
    expect(text).toMatch(/^Precision, classic +33%/m);
    expect(text).toMatch(/^Consequences of a flaw, no false alarms \(1\)\n {2}↳ 1 main\.tf:4/m);
    expect(text).toContain('Precision by the twin: Blue also looked at the same code without the flaws.');
  });

  test('writes both reports, and says of each finding whether it is in both', async () => {
    const files = gameFiles(await play(blueOf([FOUND, FALSE_ALARM], [FALSE_ALARM])));
    const json = (name: string) => JSON.parse(files.get(name) ?? 'null');
    expect(json('findings.json')).toMatchObject([{ in_twin: false }, { in_twin: true }]);
    expect(json('twin_findings.json')).toEqual([FALSE_ALARM]);
    expect(json('scores.json')).toMatchObject({ precision_by_twin: 0.5, precision_used: 'twin', in_twin: [1] });
    const again = new JudgeAgent({ matcher: 'evidence' }).score(json('scored_manifest.json'), json('findings.json'), {
      twinFindings: json('twin_findings.json'),
    });
    expect(again.precisionByTwin).toBe(0.5);
  });

  test('does not punish Blue for what was wrong before', async () => {
    const replication = { rule_id: 'CKV_AWS_144', resource: 'aws_s3_bucket.data', title: 'The bucket is replicated' };
    const present_before = [{ weakness: 's3-no-replication', resource: 'aws_s3_bucket.data' }];
    const played = await play(blueOf([FOUND, replication], [replication]), {}, { present_before });
    expect(played.game.scores).toMatchObject({
      precision_by_twin: 1,
      present_before: 1,
      twin: { alarms: 0, flagged_resources: 0 },
    });
    expect(JSON.parse(gameFiles(played).get('scored_manifest.json') ?? '')).toMatchObject({ present_before });
  });

  test('fails when Blue fails on the twin: it never falls back to classic precision', async () => {
    const blue = blueOf([FOUND], []);
    const { game, blue: outcome } = await play({
      ...blue,
      analyze: (request) =>
        request.files['main.tf'] === TWIN['main.tf']
          ? Promise.reject(new BlueTeamError('SCANNER_TIMEOUT', 'the scanner hangs'))
          : blue.analyze(request),
    });
    expect(game).toMatchObject({
      status: 'failed',
      failed_stage: 'blue',
      error: 'On the clean twin: the scanner hangs',
      scores: null,
    });
    expect(outcome?.findings).toEqual([FOUND]);
  });

  test('pays for both looks', async () => {
    expect((await play(blueOf([FOUND], [], 0.25))).game.blue_cost_usd).toBe(0.5);
    expect((await play(blueOf([FOUND], [], 0.25), { onTwin: false })).game.blue_cost_usd).toBe(0.25);
  });

  test('is scored classically when Blue did not look at it, and says so', async () => {
    const played = await play(blueOf([FOUND, FALSE_ALARM], [FALSE_ALARM]), { onTwin: false });
    expect(played.game.scores).toMatchObject({ precision: 0.5, precision_used: 'classic', precision_by_twin: null });
    expect(played.game.scores?.twin).toBeNull();
    expect(renderGame(played, { width: 100, color: false })).toContain('Precision is the classic one');
    expect(gameFiles(played).has('twin_findings.json')).toBe(false);
  });
});

test('a Blue that may ask a model looks at the twin only when asked to', () => {
  expect([looksAtTwin('scanners', false), looksAtTwin('scanners', true)]).toEqual([true, false]);
  expect([looksAtTwin('always', true), looksAtTwin('never', false)]).toEqual([true, false]);
});

test('a scanner with several rules per cause and alarms everywhere has the precision of its causes', async () => {
  const rules = createRulesBlue();
  /** Reports each finding of the rules under two more rules, and something odd about every key. */
  const verbose: BlueTeam = {
    name: 'verbose',
    async analyze(request) {
      const { findings, metadata } = await rules.analyze(request);
      const again = findings.flatMap((finding) =>
        ['X_1', 'X_2'].map((rule_id) => ({ rule_id, title: 'Look at this', resource: finding.resource ?? null })),
      );
      const odd = [
        ...Object.values(request.files)
          .join('\n')
          .matchAll(/resource "aws_kms_key" "(\w+)"/g),
      ].map(([, name]) => ({ rule_id: 'X_3', title: 'The key is odd', resource: `aws_kms_key.${name}` }));
      return { findings: [...findings, ...again, ...odd], metadata };
    },
  };
  const game = {
    task: 'patient-portal',
    difficulty: 'easy',
    strategy: 'blitz',
    density: 60,
    red: createMutationRed({ fixed: true }),
  } as const;
  const { results, blue, blueOnTwin } = await play(verbose, game);
  const odd = blueOnTwin?.findings.filter(({ rule_id }) => rule_id === 'X_3').length ?? 0;
  const found = results?.truePositives ?? 0;
  expect(odd).toBeGreaterThan(0);
  expect(found).toBeGreaterThan(3);
  expect(blue?.findings.length).toBeGreaterThanOrEqual(3 * found + odd);
  const alarms = results?.inTwin?.length ?? 0;
  expect(alarms).toBeGreaterThanOrEqual(odd);
  expect(results?.falseAlarmsByTwin).toEqual(results?.inTwin);
  expect(results?.precisionByTwin).toBe(found / (found + alarms));
});
