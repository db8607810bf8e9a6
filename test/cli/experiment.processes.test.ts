import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Game } from '../../packages/salvo-arena/src/game/game-document.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { GATE, runCli, startCli } from './cli-fixture.ts';
import { storedGames } from './stored-games.ts';

/** A scanner behind a gate that finds nothing. */
const gatedScanner = `${GATE}\nconsole.log('[]');`;
const files = {
  'gated.mjs': gatedScanner,
  'gated.yaml': `name: gated\ntasks: { sample: 4 }\nblue: [rules, "command:node gated.mjs {dir}"]\nconcurrency: 2\nformat: salvo\n`,
};

async function untilStored(project: ProjectFixture, count: number): Promise<void> {
  while ((await storedGames(project)).length < count) await sleep(20);
}

/** What was found, without ids and times. */
function scoresOf(games: readonly Game[]) {
  return games.map(({ task, blue, code_key, seed, status, scores }) => ({
    task,
    blue,
    code_key,
    seed,
    status,
    scores,
  }));
}

describe('an experiment that was killed', () => {
  test('is completed by --resume with what an uninterrupted one gives, and only what is missing is played', async () => {
    await using project = await projectFixture({ ...files, wait: '' });
    const { child, result } = startCli(['experiment', 'gated.yaml'], { cwd: project.root });
    await untilStored(project, 3);
    child.kill('SIGKILL');
    expect((await result).signal).toBe('SIGKILL');
    await project.remove('wait');
    const before = await storedGames(project);
    expect(before.length).toBeLessThan(8);

    const resumed = await runCli(['experiment', '--resume', 'latest', '--json'], { cwd: project.root });
    expect(resumed.code).toBe(0);
    expect(JSON.parse(resumed.stdout).games).toEqual({ planned: 8, scored: 8, failed: 0, missing: 0 });
    const after = await storedGames(project);
    expect(after).toEqual(expect.arrayContaining(before));
    expect(before.length).toBeGreaterThan(0);

    await using fresh = await projectFixture(files);
    await runCli(['experiment', 'gated.yaml'], { cwd: fresh.root });
    expect(scoresOf(after)).toEqual(scoresOf(await storedGames(fresh)));
  });

  test('cannot be resumed while it is still at work', async () => {
    await using project = await projectFixture({ ...files, wait: '' });
    const { child, result } = startCli(['experiment', 'gated.yaml'], { cwd: project.root });
    await untilStored(project, 1);
    const { code, stderr } = await runCli(['experiment', '--resume', 'latest'], { cwd: project.root });
    expect(code).toBe(4);
    expect(stderr).toContain(`still at work in process ${child.pid}`);
    child.kill('SIGKILL');
    await result;
  });
});

test('Ctrl-C finishes the games under way, and prints how to resume', async () => {
  await using project = await projectFixture({ ...files, wait: '' });
  const { child, result, untilStderrHas } = startCli(['experiment', 'gated.yaml', '--quiet'], { cwd: project.root });
  await untilStored(project, 1);
  child.kill('SIGINT');
  await untilStderrHas('Finishing');
  await project.remove('wait');
  const { code, stdout, stderr } = await result;
  expect(code).toBe(3);
  expect(stdout).toMatch(/not played/);
  expect(stdout).toContain('salvo experiment --resume');
  expect(stderr).toMatch(/^Finishing the games under way[^\n]*\n$/);
  const resumed = await runCli(['experiment', '--resume', 'latest'], { cwd: project.root });
  expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('8 of 8 games scored') });
});
