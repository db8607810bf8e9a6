import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { listRuns, openRun } from '../../packages/salvo/src/app/results/open-run.ts';
import { reportRun } from '../../packages/salvo/src/app/results/report-run.ts';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { runText } from '../../packages/salvo/src/report/run/run-text.ts';
import { renderHistory } from '../../packages/salvo/src/report/run/terminal/history.ts';
import { done, sampleScenario } from '../cli/sample-scenario.ts';
import { projectFixture } from '../project-fixture.ts';

test('what passed and failed at one clean commit is named as flaky, in reports and in the history', async () => {
  const turns = (text: string) => ({ weight: 1, turns: [done(text)] });
  const scenario = { min_pass_rate: 0, min_score: 0, script: { variants: [turns('Done'), turns('No')] } };
  await using project = await projectFixture({ 's.yaml': sampleScenario(scenario), '.gitignore': '.salvo\n' });
  const cwd = project.root;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd, encoding: 'utf8' });
  const run = async (seed: number) => {
    await using finished = await runFiles({ cwd, files: ['s.yaml'], trials: 1, seed });
    return finished.run;
  };
  const reported = async () => {
    await using opened = await openRun({ cwd, run: 'latest' });
    const latest = await reportRun(opened);
    const text = await runText({ ...latest.report, full: true }, { width: 120, color: false });
    return { text, document: latest.stream.run };
  };
  expect((await run(1)).git).toBeNull();
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  const commit = git('rev-parse', 'HEAD').trim();
  await run(1);
  expect(await reported()).toMatchObject({ text: expect.not.stringContaining('Flaky'), document: { flaky: [] } });
  for (const seed of [2, 3, 4, 5, 6]) await run(seed);
  const named = new RegExp(
    `Flaky: .*\n.*passed \\d of 6 trials in 6 runs, failed in run \\w+ at commit ${commit.slice(0, 7)}`,
  );
  const { text, document } = await reported();
  expect(text).toMatch(named);
  expect(document).toMatchObject({ git: { commit, dirty: false }, flaky: [{ trials_scored: 6 }] });
  expect(renderHistory(await listRuns({ cwd }), { width: 120, color: false, now: Date.now() })).toMatch(named);

  await project.write('s.yaml', sampleScenario({ ...scenario, prompt: 'another' }));
  expect((await run(1)).git).toEqual({ commit, dirty: true });
  expect((await reported()).text).not.toContain('Flaky');
});
