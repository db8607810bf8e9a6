import { copyFile, mkdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startRefundModel } from '../refund-model.ts';
import { sdkProject } from '../sdk-project.ts';

test.each(['strands', 'adk'])('the example %s runs without a key, from its cassette', async (adapter) => {
  await using project = await sdkProject();
  const { exitCode, output } = await project.run(['--adapter', adapter]);
  expect(output).toContain('3 of 3 trials passed');
  expect(exitCode).toBe(0);
});

test('the example claude-agent runs with a key, and so does the template', async () => {
  await using model = await startRefundModel('claude-agent');
  await using project = await sdkProject();
  const example = await project.run(['--adapter', 'claude-agent', '-n', '1'], model.env);
  expect(example).toMatchObject({ output: expect.stringContaining('1 of 1 trial passed'), exitCode: 0 });
  // What `salvo init --template claude-agent` writes is the example, without a folder around it.
  await mkdir(project.path('template/scenarios'), { recursive: true });
  for (const name of ['agent.ts', 'support.ts']) {
    await copyFile(project.path(`claude-agent/${name}`), project.path(`template/${name}`));
  }
  const template = await project.run(['--adapter', './template/agent.ts', '-n', '1'], model.env);
  expect(template).toMatchObject({ output: expect.stringContaining('1 of 1 trial passed'), exitCode: 0 });
});
