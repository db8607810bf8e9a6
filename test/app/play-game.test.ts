import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { playNamedTeams } from '../../packages/salvo-arena/src/app/games/play-game.ts';
import { type BlueOutcome, toolMetadata } from '../../packages/salvo-arena/src/blue/blue-team.ts';
import type { GameEvent } from '../../packages/salvo-arena/src/game/played-game.ts';
import { sampleRed } from '../../packages/salvo-arena/test/arena/sample-teams.ts';
import { projectFixture } from '../project-fixture.ts';

describe('playNamedTeams', () => {
  test('plays mutation against rules without any option but a seed, and writes nothing', async () => {
    await using project = await projectFixture();
    const events: GameEvent['type'][] = [];
    const { played, gate } = await playNamedTeams({
      cwd: project.root,
      seed: 7,
      onEvent: ({ type }) => events.push(type),
    });
    expect(played.game).toMatchObject({ red: 'mutation', blue: 'rules', status: 'scored', seed: 7 });
    expect(gate.status).toBe('passed');
    expect(events).toEqual([
      'stage_started',
      'red_finished',
      'stage_started',
      'gate_finished',
      'stage_started',
      'blue_finished',
      'stage_started',
      'judge_finished',
    ]);
    expect(await readdir(project.root)).toEqual([]);
  });

  test('gives the same game for the same seed', async () => {
    const ids = [await playNamedTeams({ seed: 3 }), await playNamedTeams({ seed: 3 })];
    expect(ids[0]?.played.game.game_id).toBe(ids[1]?.played.game.game_id);
  });

  test('writes a folder where it is asked to', async () => {
    await using project = await projectFixture();
    await playNamedTeams({ cwd: project.root, seed: 7, out: 'kept' });
    expect(await readdir(project.path('kept'))).toContain('game.json');
    await expect(playNamedTeams({ cwd: project.root, seed: 7, out: 'kept' })).rejects.toThrow(/holds a game already/);
  });

  test('lets rules look at the twin, and a function only if asked to, since it may ask a model', async () => {
    const looks = { count: 0 };
    const blue = () => {
      looks.count += 1;
      return [];
    };
    const used = async (options: Parameters<typeof playNamedTeams>[0]) =>
      (await playNamedTeams({ seed: 7, ...options })).played.game.scores?.precision_used;
    expect(await used({ blue: 'rules' })).toBe('twin');
    expect(await used({ blue: 'rules', twin: 'never' })).toBe('classic');
    expect([await used({ blue }), looks.count]).toEqual(['classic', 1]);
    expect([await used({ blue, twin: 'always' }), looks.count]).toEqual(['twin', 3]);
  });

  test('is unscored when Blue fails', async () => {
    const { played, gate } = await playNamedTeams({ seed: 7, blue: 'command:no-such-scanner {dir}' });
    expect(played.game).toMatchObject({ status: 'failed', failed_stage: 'blue', scores: null });
    expect(gate).toEqual({ status: 'unscored', messages: [] });
  });

  test('rejects when it is aborted', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(playNamedTeams({ seed: 7, signal })).rejects.toThrow('enough');
  });

  test.each([
    [{ red: 'mutatoin' }, 'RED_UNKNOWN'],
    [{ blue: 'chekov' }, 'BLUE_UNKNOWN'],
    [{ blue: 'rules', mode: 'hybrid' }, 'OPTIONS_INVALID'],
    [{ task: 'three-zone-netwrk' }, 'TASK_UNKNOWN'],
    [{ category: 'gardens' }, 'OPTIONS_INVALID'],
    [{ blue: 'llm:gpt-5' }, 'ADAPTER_NOT_READY'],
  ] as const)('refuses %j with the code %s', async (options, code) => {
    await expect(playNamedTeams({ env: {}, seed: 7, ...options })).rejects.toMatchObject({ code });
  });

  test('plays teams that are passed in, and a function as Blue', async () => {
    const findings = [{ type: 'encryption', resource: 'aws_s3_bucket.orders' }];
    const { played } = await playNamedTeams({ red: sampleRed(), blue: async () => findings, task: 'orders', env: {} });
    expect(played.game).toMatchObject({ red: 'sample', blue: 'blue', status: 'scored' });
    expect(played.blue?.findings).toEqual(findings);
  });

  test.each([
    ['rules', 'unchecked'],
    ['checkov', 'passed'],
  ])('if a Blue that is passed in is called %s, the check of the gate by the rules is %s', async (name, outcome) => {
    const code = 'resource "aws_ebs_volume" "data" {\n  availability_zone = "eu-west-1a"\n  encrypted = false\n}\n';
    const claim = { id: 'v1', type: 'ebs-volume-unencrypted', resource: 'aws_ebs_volume.data' };
    const red = sampleRed([claim], { proven: false }, { 'main.tf': code });
    const analyze = async (): Promise<BlueOutcome> => ({ findings: [], metadata: toolMetadata(name) });
    const { played } = await playNamedTeams({ red, blue: { name, analyze }, task: 'orders', env: {} });
    const checks = played.gate?.entries.flatMap((entry) => entry.checks) ?? [];
    expect(checks.filter(({ check }) => check === 'rule')).toMatchObject([{ outcome }]);
  });

  test('needs no key for a model that the mode excludes', async () => {
    const { played } = await playNamedTeams({ env: {}, seed: 7, blue: 'llm:gpt-5', mode: 'tools_only' });
    expect(played.game).toMatchObject({ blue: 'rules', status: 'scored' });
  });
});
