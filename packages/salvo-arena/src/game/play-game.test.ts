import { describe, expect, test, vi } from 'vitest';
import { FALSE_ALARM, FOUND, sampleBlue, sampleRed, UNENCRYPTED, UNVERSIONED } from '../../test/arena/sample-teams.ts';
import type { BlueRequest } from '../blue/blue-team.ts';
import { BlueTeamError } from '../blue/blue-team-error.ts';
import type { GateEntry } from '../gate/gate-result.ts';
import { JudgeAgent } from '../match/judge-agent.ts';
import { RedModelError } from '../red/llm/ask-engineer.ts';
import { RedTeamError } from '../red/red-team-error.ts';
import { cleanAlarms } from './clean-alarms.ts';
import { gameSchema } from './game-document.ts';
import type { GameSetup } from './game-setup.ts';
import { playGame } from './play-game.ts';
import type { GameEvent } from './played-game.ts';

function setup(changes: Partial<GameSetup> = {}): GameSetup {
  return {
    task: 'a database',
    red: sampleRed(),
    blue: sampleBlue(),
    difficulty: 'easy',
    language: 'terraform',
    strategy: 'balanced',
    seed: 7,
    gate: async () => expect.unreachable('a proven manifest needs no gate'),
    judge: new JudgeAgent({ matcher: 'evidence' }),
    now: () => Date.UTC(2030, 0, 1),
    ...changes,
  };
}

/** A gate that confirms, rejects or leaves open by id. */
const gateSaying =
  (statuses: Record<string, GateEntry['status']>): GameSetup['gate'] =>
  async ({ vulnerabilities }) => ({
    entries: vulnerabilities.map((vulnerability) => {
      return { vulnerability, status: statuses[vulnerability.id] ?? 'confirmed', checks: [] };
    }),
    manifest_accuracy: 0.5,
  });

const failingBlue = {
  name: 'broken',
  analyze: () => Promise.reject(new BlueTeamError('SCANNER_TIMEOUT', 'the scanner hangs')),
};

describe('playGame', () => {
  test('plays Red, the gate, Blue and the Judge in this order, and returns a document', async () => {
    const events: GameEvent[] = [];
    const { game } = await playGame(setup({ onStage: (event) => events.push(event) }));
    expect(gameSchema.parse(game)).toEqual(game);
    expect(game).toMatchObject({
      red: 'sample',
      blue: 'watchful',
      started_at: '2030-01-01T00:00:00.000Z',
      status: 'scored',
      error: null,
      template: 'orders',
      claimed: 2,
      confirmed: 2,
      blue_cost_usd: 0,
      judge_cost_usd: 0,
      scores: {
        true_positives: 1,
        false_negatives: 1,
        recall: 0.5,
        clean_resources: 2,
        flagged_clean_resources: 1,
        false_positive_rate: 0.5,
        youden_j: 0,
        vulnerabilities: [
          { id: 'v1', category: 'encryption', severity: 'high', technique: 'plain', found: true },
          { id: 'v2', category: 'versioning', severity: 'medium', technique: null, found: false },
        ],
      },
    });
    expect(events).toMatchObject([
      { type: 'stage_started', stage: 'red' },
      { type: 'red_finished', files: 1, vulnerabilities: 2, template: 'orders' },
      { type: 'stage_started', stage: 'gate' },
      { type: 'gate_finished', confirmed: 2, phantoms: 0, unchecked: 0 },
      { type: 'stage_started', stage: 'blue' },
      { type: 'blue_finished', findings: 2 },
      { type: 'stage_started', stage: 'judge' },
      { type: 'judge_finished', found: 1, vulnerabilities: 2 },
    ]);
  });

  test('Blue sees the code and nothing else, and cannot change what is kept', async () => {
    const seen: BlueRequest[] = [];
    const blue = sampleBlue();
    const { red } = await playGame(
      setup({
        blue: {
          name: 'vandal',
          analyze(request) {
            seen.push(structuredClone({ ...request, signal: undefined }));
            request.files['main.tf'] = '';
            return blue.analyze(request);
          },
        },
      }),
    );
    expect(Object.keys(seen[0] ?? {}).sort()).toEqual(['files', 'language', 'seed', 'signal']);
    expect(red?.files['main.tf']).toContain('aws_db_instance');
  });

  test('only what the gate confirmed is scored: a phantom costs Blue nothing', async () => {
    const red = sampleRed([UNENCRYPTED, UNVERSIONED, { id: 'v3', type: 'iam' }], { proven: false });
    const gate = gateSaying({ v2: 'phantom', v3: 'unchecked' });
    const { game, scored } = await playGame(setup({ red, gate }));
    expect(game).toMatchObject({ claimed: 3, confirmed: 1, phantoms: 1, unchecked: 1, manifest_accuracy: 0.5 });
    expect(scored).toEqual([UNENCRYPTED]);
    expect(game.scores).toMatchObject({ recall: 1 });
  });

  test('without a confirmed entry there is nothing to score, and Blue is not called', async () => {
    const analyze = vi.fn();
    const red = sampleRed([UNENCRYPTED], { proven: false });
    const { game } = await playGame(
      setup({ red, blue: { name: 'idle', analyze }, gate: gateSaying({ v1: 'phantom' }) }),
    );
    expect(game).toMatchObject({ status: 'failed', failed_stage: 'gate', scores: null, phantoms: 1 });
    expect(game.error).toMatch(/1 not in the code/);
    expect(analyze).not.toHaveBeenCalled();
  });

  test('a Red that fails is a failed game', async () => {
    const red = {
      name: 'tired',
      generate: () => Promise.reject(new RedTeamError('RED_NOTHING_FITS', 'no template fits')),
    };
    const { game, red: outcome } = await playGame(setup({ red }));
    expect(game).toMatchObject({ status: 'failed', failed_stage: 'red', error: 'no template fits', scores: null });
    expect(game).toMatchObject({ red_cost_usd: 0, blue_cost_usd: 0 });
    expect(outcome).toBeNull();
    expect(gameSchema.parse(game)).toEqual(game);
  });

  test('a Red that hid nothing, or names files outside of the folder, has failed', async () => {
    const nothing = await playGame(setup({ red: sampleRed([]) }));
    expect(nothing.game).toMatchObject({ failed_stage: 'red', error: expect.stringMatching(/hid nothing/) });
    const outside = await playGame(setup({ red: sampleRed([UNENCRYPTED], {}, { '../x.tf': '' }) }));
    expect(outside.game).toMatchObject({ failed_stage: 'red', error: expect.stringMatching(/leads out/) });
  });

  test('a Blue that fails is a failed game with what Red made, never one without findings', async () => {
    const events: GameEvent[] = [];
    const played = await playGame(setup({ blue: failingBlue, onStage: (event) => events.push(event) }));
    expect(played.game).toMatchObject({ status: 'failed', failed_stage: 'blue', error: 'the scanner hangs' });
    expect(played.game).toMatchObject({ scores: null, blue_cost_usd: 0, red_cost_usd: 0, claimed: 2 });
    expect(played.red?.vulnerabilities).toHaveLength(2);
    expect(played.results).toBeNull();
    expect(events.at(-1)).toEqual({ type: 'stage_failed', stage: 'blue', message: 'the scanner hangs' });
  });

  test('the cost of a failed model is what its error says, and otherwise unknown', async () => {
    const usage = { model_calls: 1, input_tokens: 9, output_tokens: 9, cost_usd: 0.5 };
    const error = new RedModelError('MODEL_ANSWER_INVALID', 'unreadable', { usage });
    const red = { name: 'llm:m', generate: () => Promise.reject(error) };
    expect((await playGame(setup({ red }))).game.red_cost_usd).toBe(0.5);
    const blue = { ...failingBlue, name: 'hybrid:rules+llm:m' };
    expect((await playGame(setup({ blue }))).game.blue_cost_usd).toBeNull();
  });

  test('nothing found is a score', async () => {
    const { game } = await playGame(setup({ blue: sampleBlue([]) }));
    expect(game).toMatchObject({ status: 'scored', scores: { recall: 0, evasion_rate: 1 } });
  });

  test('rejects when it is stopped: a stopped game is neither scored nor failed', async () => {
    const stop = new AbortController();
    const blue = {
      name: 'slow',
      async analyze() {
        stop.abort();
        throw new BlueTeamError('SCANNER_TIMEOUT', 'stopped');
      },
    };
    await expect(playGame(setup({ blue, signal: stop.signal }))).rejects.toThrow(/abort/i);
  });

  test('the same game has the same id whenever it is played; another has another', async () => {
    const ids = async (changes: Partial<GameSetup> = {}) => {
      const { game } = await playGame(setup(changes));
      return [game.game_id, game.code_key];
    };
    const first = await ids();
    expect(await ids({ now: () => 0 })).toEqual(first);
    const [otherSeed, sameCode] = await ids({ seed: 8 });
    expect(otherSeed).not.toBe(first[0]);
    expect(sameCode).toBe(first[1]);
    const [otherFindings, stillSameCode] = await ids({ blue: sampleBlue([FOUND]) });
    expect(otherFindings).not.toBe(first[0]);
    expect(stillSameCode).toBe(first[1]);
  });

  test('a game of an experiment has the ids that the experiment gives it', async () => {
    const place = { gameId: 'g', experimentId: 'e', codeKey: 'c', repetition: 2 };
    const { game } = await playGame(setup({ place }));
    expect(game).toMatchObject({ game_id: 'g', experiment_id: 'e', code_key: 'c', repetition: 2 });
  });

  test('lists false alarms about clean resources, without duplicates of a flaw', async () => {
    const blue = sampleBlue([FOUND, FALSE_ALARM, FOUND, { type: 'iam', resource: 'aws_iam_role.x', title: 'x' }]);
    expect(cleanAlarms(await playGame(setup({ blue })))).toEqual([1]);
  });
});
