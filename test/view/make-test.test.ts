import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { type ViewerFixture, viewerFixture } from './viewer-fixture.ts';

let project: ProjectFixture;
let viewer: ViewerFixture;
let run = '';

beforeAll(async () => {
  project = await projectFixture({
    's.yaml': sampleScenario({
      name: 'refund',
      prompt: 'My kettle (order A-1001) arrived broken.',
      tools: [
        { name: 'lookup_order', effect: 'read', mock_response: { order_id: 'A-1001', paid: 49.9 } },
        { name: 'issue_refund', effect: 'write', mock_response: { refund_id: 'R-77' } },
      ],
      script: [
        { tool_calls: [{ name: 'lookup_order', arguments: { order_id: 'A-1001' } }] },
        { tool_calls: [{ name: 'issue_refund', arguments: { order_id: 'A-1001', amount: 59.9 } }] },
        { content: 'Done: I have refunded 59.90. The number is R-77. {{x}} <b>' },
      ],
    }),
  });
  await using finished = await runFiles({ cwd: project.root, env: {}, files: ['s.yaml'], trials: 1 });
  run = finished.run.run_id;
  viewer = await viewerFixture(project.root);
});

afterAll(async () => {
  await viewer[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

it('makes a test of a trial, shows it, saves it and writes it once', async () => {
  await using opened = await openPage(`${viewer.url}#/runs/${run}/trials/0/0/1`);
  const { page } = opened;
  await page.getByRole('button', { name: 'Make a test of it' }).click();
  const dialog = page.getByRole('dialog', { name: 'A test of this trial' });
  const file = dialog.getByRole('region', { name: 'scenarios/refund-trial-1.yaml' });
  await file.getByText('name: refund trial 1').waitFor();
  const checks = dialog.getByRole('list', { name: 'Assertions of the test, tried on this trial' });
  expect(await checks.textContent()).toContain('✓ passestool_called tool: "lookup_order"');

  await dialog.getByRole('textbox', { name: /^What was wrong/ }).fill('refunded 59.90 instead of 49.90');
  await dialog.getByRole('button', { name: 'Make it a test of this' }).click();
  const failing = dialog.getByRole('region', { name: 'scenarios/refunded-59-90-instead-of-49-90.yaml' });
  await failing.getByText('arguments: { amount: 59.9 }').waitFor();
  expect(await checks.textContent()).toContain(
    '✕ failstool_not_called tool: "issue_refund", arguments: {"amount":59.9}',
  );

  const saving = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save as refunded-59-90-instead-of-49-90.yaml' }).click();
  const saved = await readFile(await (await saving).path(), 'utf8');
  await dialog.getByRole('button', { name: /^Write scenarios/ }).click();
  await dialog.getByRole('button', { name: /^Wrote scenarios/ }).waitFor();
  const written = await readFile(project.path('scenarios/refunded-59-90-instead-of-49-90.yaml'), 'utf8');
  expect(written).toBe(saved);
  expect(await failing.textContent()).toBe(written);

  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Make a test of it' }).click();
  await dialog.getByRole('textbox', { name: /^What was wrong/ }).fill('refunded 59.90 instead of 49.90');
  await dialog.getByRole('button', { name: 'Make it a test of this' }).click();
  await dialog.getByRole('button', { name: /^Write scenarios\/refunded/ }).click();
  await dialog.getByText('scenarios/refunded-59-90-instead-of-49-90.yaml exists already.').waitFor();
  opened.forgetProblems();
});
