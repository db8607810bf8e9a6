import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFixture } from '../../../../test/project-fixture.ts';
import { sampleBlue, sampleRed, UNENCRYPTED, UNVERSIONED } from '../../test/arena/sample-teams.ts';
import { JudgeAgent } from '../match/judge-agent.ts';
import { readFindings } from '../match/read-findings.ts';
import { readManifest } from '../match/read-manifest.ts';
import { scoreResultsToDict } from '../match/results/score-results-to-dict.ts';
import { gameSchema } from './game-document.ts';
import { checkGameFolder, gameFiles, writeGameFolder } from './game-folder.ts';
import type { GameSetup } from './game-setup.ts';
import { playGame } from './play-game.ts';

const play = (changes: Partial<GameSetup> = {}) =>
  playGame({
    task: 'a database',
    red: sampleRed([UNENCRYPTED, UNVERSIONED], { proven: false, twin: { 'main.tf': 'secure' } }),
    blue: sampleBlue(),
    difficulty: 'easy',
    language: 'terraform',
    strategy: 'balanced',
    seed: 1,
    gate: async () => ({
      entries: [
        { vulnerability: UNENCRYPTED, status: 'confirmed', checks: [] },
        {
          vulnerability: UNVERSIONED,
          status: 'phantom',
          checks: [{ check: 'resource', outcome: 'failed', reason: 'there is none' }],
        },
      ],
      manifest_accuracy: 0.5,
    }),
    judge: new JudgeAgent({ matcher: 'evidence' }),
    ...changes,
  });

const FORCE = { force: true };
const NO_FORCE = { force: false };

describe('the folder of a game', () => {
  test('holds code, twin, manifests, findings, scores and the game, in the formats that Salvo reads', async () => {
    await using project = await projectFixture();
    const played = await play();
    const folder = project.path('deep/game');
    await writeGameFolder(folder, gameFiles(played), NO_FORCE);
    const text = (name: string) => readFile(join(folder, name), 'utf8');
    expect((await readdir(folder)).sort()).toEqual([
      'code',
      'findings.json',
      'game.json',
      'phantom_manifest.json',
      'scored_manifest.json',
      'scores.json',
      'twin',
      'twin_findings.json',
      'vulnerability_manifest.json',
    ]);
    expect(await text('code/main.tf')).toBe(played.red?.files['main.tf']);
    expect(await text('twin/main.tf')).toBe('secure');
    expect(readManifest(await text('vulnerability_manifest.json')).vulnerabilities).toHaveLength(2);
    expect(readManifest(await text('scored_manifest.json')).vulnerabilities).toMatchObject([{ id: 'v1' }]);
    expect(JSON.parse(await text('phantom_manifest.json'))).toEqual({
      canary: expect.stringContaining('salvo-arena canary'),
      vulnerabilities: [
        {
          ...UNVERSIONED,
          gate: { status: 'phantom', checks: [{ check: 'resource', outcome: 'failed', reason: 'there is none' }] },
        },
      ],
    });
    expect(Array.isArray(JSON.parse(await text('findings.json')))).toBe(true);
    expect(readFindings(await text('findings.json'))).toHaveLength(2);
    expect(gameSchema.parse(JSON.parse(await text('game.json')))).toEqual(played.game);
    expect(played.results && JSON.parse(await text('scores.json'))).toEqual(
      played.results && JSON.parse(JSON.stringify(scoreResultsToDict(played.results))),
    );
  });

  test('of a game whose Blue failed keeps what Red made, and no findings', async () => {
    const played = await play({ blue: { name: 'broken', analyze: () => Promise.reject(new Error('down')) } });
    const names = [...gameFiles(played).keys()];
    expect(names).toContain('code/main.tf');
    expect(names).toContain('game.json');
    expect(names).not.toContain('findings.json');
    expect(names).not.toContain('scores.json');
  });

  test('is never one with files of the user, not even with force', async () => {
    await using project = await projectFixture({ 'used/notes.txt': 'mine', 'used/game.json': '{}' });
    await expect(checkGameFolder(project.path('used'), NO_FORCE)).rejects.toThrow(/"notes.txt", which no game wrote/);
    await expect(writeGameFolder(project.path('used'), new Map([['game.json', '1']]), FORCE)).rejects.toThrow(
      /no game wrote/,
    );
    expect(await readFile(project.path('used/game.json'), 'utf8')).toBe('{}');
    expect(await readdir(project.root)).toEqual(['used']);
  });

  test('is replaced as a whole with force, and refused without', async () => {
    await using project = await projectFixture({ 'game/game.json': 'old', 'game/code/old.tf': '' });
    const files = new Map([['game.json', 'new']]);
    await expect(checkGameFolder(project.path('game'), NO_FORCE)).rejects.toThrow(/`force`/);
    await writeGameFolder(project.path('game'), files, FORCE);
    expect(await readdir(project.path('game'))).toEqual(['game.json']);
    expect(await readdir(project.root)).toEqual(['game']);
  });

  test('may be empty', async () => {
    await using project = await projectFixture({ 'game/x': '' });
    await checkGameFolder(project.path('none'), NO_FORCE);
    await expect(checkGameFolder(project.path('game/x'), NO_FORCE)).rejects.toThrow(/is a file/);
  });

  test('is not created when one of its files cannot be written', async () => {
    await using project = await projectFixture({});
    const clash = new Map([
      ['code', 'a file'],
      ['code/main.tf', 'below it'],
    ]);
    await expect(writeGameFolder(project.path('game'), clash, NO_FORCE)).rejects.toThrow(/could not be written/);
    expect(await readdir(project.root)).toEqual([]);
  });
});
