import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { documentOf, runProgram } from '../cli/cli-fixture.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';

const SCENARIO = {
  prompt: 'hi',
  adapter: 'scripted',
  script: [{ content: `Done. ${'x'.repeat(2000)}` }],
  assertions: [{ type: 'output_contains', value: 'Done' }],
};

/** Mounts a small disk at the folder of the results; undefined where that is not permitted. */
function smallDisk(project: ProjectFixture, kilobytes: number): Disposable | undefined {
  const folder = project.path('.salvo');
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    return undefined;
  }
  return { [Symbol.dispose]: () => execFileSync('umount', [folder]) };
}

test('a run on a full disk says so, keeps what was stored, and is completed when there is room', async ({ skip }) => {
  await using project = await projectFixture({ 's.yaml': JSON.stringify(SCENARIO), 'salvo.yaml': '' });
  using disk = smallDisk(project, 2048);
  if (disk === undefined) skip('no small disk can be mounted here');
  // Leaves too little room for the run.
  writeFileSync(project.path('.salvo/filler'), Buffer.alloc(1536 * 1024));
  const full = await runProgram(['run', 's.yaml', '-n', '200', '--json'], { cwd: project.root });
  expect([3, 4]).toContain(full.code);
  expect(full.stderr).toMatch(/full|no space|ENOSPC/i);
  expect(full.stderr).not.toMatch(/Internal error|\n {4}at /);
  await project.remove('.salvo/filler');
  execFileSync('mount', ['-o', 'remount,size=65536k', project.path('.salvo')]);
  const again = await runProgram(['run', '--resume', 'latest', '--json'], { cwd: project.root });
  expect(again.code).toBe(0);
  expect(new Set(documentOf(again).scenarios[0]?.trials.map(({ trial_number }) => trial_number)).size).toBe(200);
});
