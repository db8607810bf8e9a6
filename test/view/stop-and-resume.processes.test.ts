import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { startCli, storeOf } from '../cli/cli-fixture.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { viewerFixture } from './viewer-fixture.ts';

/** From the third trial on, it waits while there is a file `wait`. */
const agent = `
import { appendFileSync, existsSync } from 'node:fs';
export default async function agent({ trialNumber }) {
  appendFileSync('started.txt', 'x');
  while (trialNumber > 2 && existsSync('wait')) await new Promise((resolve) => setTimeout(resolve, 10));
  return 'Done.';
}
`;

it('stops a run of another process, shows why it cannot be resumed, and resumes it', async () => {
  const scenario = sampleScenario({ name: 'greeting', adapter: './agent.mjs', script: undefined });
  await using project = await projectFixture({ 'salvo.yaml': '', wait: '', 'agent.mjs': agent, 's.yaml': scenario });
  await using viewer = await viewerFixture(project.root);
  await using opened = await openPage(viewer.url);
  const { page } = opened;
  await page.getByText('Nothing is stored yet').waitFor();
  const started = startCli(['run', 's.yaml', '-n', '6', '--concurrency', '1'], { cwd: project.root });

  const row = page.getByRole('row').filter({ hasText: 'greeting' });
  await row.getByText('Running').waitFor();
  expect(await row.getByRole('button', { name: /^Delete run/ }).isDisabled()).toBe(true);
  const [trials, cost] = [row.getByRole('cell').nth(7), row.getByRole('cell').nth(8)];
  await trials.filter({ hasText: /^2$/ }).waitFor();
  expect(await cost.textContent()).toBe('—');
  await row.getByRole('link').click();
  await page.getByText('2 of 6 trials').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Finishing the trials under way').waitFor();
  await started.untilStderrHas('Finishing the trials under way');
  await project.remove('wait');
  expect((await started.result).code).toBe(3);
  await page.getByText('3 of 6 trials').waitFor();
  await page.getByText('greeting was interrupted').waitFor();
  await page.getByText('‖ Interrupted').waitFor();

  await project.write('s.yaml', scenario.replace('Please.', 'Now.'));
  const refused = page.waitForEvent('console', (message) => message.text().includes('409'));
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('alert').filter({ hasText: 's.yaml has changed since run' }).waitFor();
  await refused;
  opened.forgetProblems();

  await project.write('s.yaml', scenario);
  await project.write('agent.mjs', `// Another agent.${agent}`);
  const refusedAgent = page.waitForEvent('console', (message) => message.text().includes('409'));
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('alert').filter({ hasText: 'was begun with another agent: agent.mjs changed.' }).waitFor();
  await refusedAgent;
  opened.forgetProblems();

  await project.write('agent.mjs', agent);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('✓ Pass').first().waitFor();
  await page.getByRole('link', { name: 'Trial 6: passed, score 1.00' }).waitFor();
  expect(await readFile(project.path('started.txt'), 'utf8')).toBe('x'.repeat(6));
  expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0);
});

it('gives up the trials under way when it is asked once more', async () => {
  const scenario = sampleScenario({ name: 'greeting', adapter: './agent.mjs', script: undefined });
  await using project = await projectFixture({ 'salvo.yaml': '', wait: '', 'agent.mjs': agent, 's.yaml': scenario });
  const started = startCli(['run', 's.yaml', '-n', '4', '--concurrency', '1', '-q'], { cwd: project.root });
  await using viewer = await viewerFixture(project.root);
  await expect.poll(() => readFile(project.path('started.txt'), 'utf8').catch(() => '')).toBe('xxx');
  await using store = await storeOf(project);
  const [run] = await store.listRuns();
  const stop = () => viewer.request(`/api/runs/${run?.run_id}/stop`, { method: 'POST' });
  expect((await stop()).status).toBe(200);
  await started.untilStderrHas('Finishing');
  await stop();
  expect((await started.result).code).toBe(3);
  const trials = await Array.fromAsync(store.trials(run?.run_id ?? ''));
  expect(trials.filter(({ result }) => result !== null)).toHaveLength(2);
  const late = await stop();
  expect([late.status, await late.json()]).toEqual([
    409,
    { error: `No process works on run ${run?.run_id}, so nothing was stopped.` },
  ]);
});
