import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { resultsOf, SCENARIO, salvo, startModels } from './cassette-fixture.ts';
import { documentOf, runCli } from './cli-fixture.ts';

const ROOT = new URL('../../', import.meta.url);

test('the example of a local model replays its cassette without the model and its package', async () => {
  await using project = await projectFixture();
  for (const name of ['salvo.yaml', 'scenarios', 'answers.jsonl']) {
    await cp(new URL(`examples/local-model/${name}`, ROOT), project.path(name), { recursive: true });
  }
  const args = ['run', '--model-cassette', 'answers.jsonl', '--json'];
  const { scenarios, exit_code } = documentOf(await runCli(args, { cwd: project.root, env: { CI: 'true' } }));
  expect(exit_code).toBe(0);
  expect(scenarios.map(({ name, trials_passed }) => [name, trials_passed])).toEqual([
    ['small-talk', 2],
    ['weather', 2],
  ]);
  const live = await runCli(['run', '-n', '1'], { cwd: project.root });
  expect([live.code, live.stderr]).toEqual([4, expect.stringMatching(/npm install node-llama-cpp|model\.gguf/)]);
});

test('a model of the AI SDK is recorded, and replayed without its package, its server and its key', async () => {
  await using server = await startModels();
  const settings = (url: string) => `
default_adapter: own
default_model: agent-model
adapters:
  own: { type: ai-sdk, package: "@ai-sdk/openai-compatible", base_url: "${url}/v1", api_key_env: OPENAI_API_KEY }
`;
  const withoutJudge = SCENARIO.replace(/^ {2}- \{ type: judge.*\n/m, '');
  await using project = await projectFixture({ 'salvo.yaml': settings(server.url), 's.yaml': withoutJudge });
  for (const name of ['ai', '@ai-sdk/openai-compatible']) {
    await mkdir(dirname(project.path(`node_modules/${name}`)), { recursive: true });
    await symlink(fileURLToPath(new URL(`node_modules/${name}`, ROOT)), project.path(`node_modules/${name}`));
  }
  const args = ['run', 's.yaml', '-c', '1', '--model-cassette', 'answers.jsonl', '--json'];
  const first = await salvo(project, server, args);
  const then = resultsOf(first);
  expect(then.map(({ status }) => status)).toEqual(['passed', 'passed', 'failed']);
  await rm(project.path('node_modules'), { recursive: true });
  await project.write('salvo.yaml', settings('http://127.0.0.1:9'));
  const again = await salvo(project, null, args);
  expect(again.code).toBe(first.code);
  expect(resultsOf(again)).toEqual(then);
});
