import { expect, it } from 'vitest';
import { performChaos } from '../../packages/salvo/src/app/runs/chaos.ts';
import { projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { viewerFixture } from './viewer-fixture.ts';

const SCENARIO = `
name: look
prompt: Look.
adapter: scripted
script: [{ tool_calls: [{ name: look }] }, { content: Seen. }]
tools: [{ name: look, mock_response: { at: 1 }, faults: [{ kind: timeout, rate: 10% }, { kind: truncated, rate: 10% }] }]
assertions: [{ type: no_false_success, claim: Seen, needs: { tool: look } }]
`;

it('shows the pass rate by dose, each fault alone, and what the agent claimed; and marks the call of a trial', async () => {
  await using project = await projectFixture({ 'salvo.yaml': '', 's.yaml': SCENARIO });
  const options = { cwd: project.root, env: {}, files: ['s.yaml'], doses: [1], alone: 1, trials: 2 };
  const { finished } = await performChaos(options);
  await using _run = finished;
  await using viewer = await viewerFixture(project.root);
  await using opened = await openPage(`${viewer.url}#/runs/${finished.run.run_id}`);
  const { page } = opened;
  await page.getByRole('img', { name: /Pass rate of look by dose: 100% at 0%, \d+% at 100%/ }).waitFor();
  const alone = page.getByRole('region', { name: 'Each fault of look alone' });
  expect(await alone.getByRole('row').allTextContents()).toEqual([
    expect.stringContaining('Alone, at 100%'),
    expect.stringMatching(/^timeout0%/),
    expect.stringMatching(/^truncated100%/),
  ]);
  // The entry of the time-out alone is the third.
  await page.goto(`${viewer.url}#/runs/${finished.run.run_id}/trials/2/0/1`);
  await page.getByText('fault: timeout, the tool was not called').waitFor();
});
