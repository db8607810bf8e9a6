import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startLoopback } from '../loopback/loopback-server.ts';
import { completion, openAiError } from '../loopback/openai-wire.ts';
import { projectFixture } from '../project-fixture.ts';
import { type CliResult, runCli, runProgram, storedBytes } from './cli-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

/** Looks like no key of any provider: only the environment tells that it is one. */
const KEY = 'correct-horse-battery-staple-42';
const PROMPT_KEY = 'sk-ant-api03-abcdefghijklmnop0123456789';

test('a key in use or in a prompt gets into nothing that is stored, printed or written', async () => {
  const call = { id: 'c1', name: 'look', arguments: JSON.stringify({ url: `https://example.com/?k=${KEY}` }) };
  await using server = await startLoopback([
    {
      expect: ({ headers }) => expect(headers.authorization).toBe(`Bearer ${KEY}`),
      reply: completion({ content: `My key is ${KEY}.`, toolCalls: [call] }),
    },
    { reply: openAiError(529, { message: `overloaded for ${KEY}`, headers: { 'retry-after': '0.01' } }) },
    { reply: completion({ content: `Again: ${KEY} and ${PROMPT_KEY}` }) },
    { reply: openAiError(401, { message: `Incorrect API key provided: ${KEY}` }) },
  ]);
  await using project = await projectFixture({
    'salvo.yaml': `adapters: { local: { type: openai, base_url: "${server.url}/v1", api_key_env: LOCAL_SECRET } }`,
    's.yaml': sampleScenario({
      adapter: 'local',
      model: 'gpt-4o',
      script: undefined,
      prompt: `Use ${PROMPT_KEY} for it.`,
      tools: [{ name: 'look', description: 'Looks.', parameters: {}, mock_response: `seen with ${PROMPT_KEY}` }],
      assertions: [
        { type: 'output_contains', value: 'Done' },
        { type: 'tool_called', tool: 'look', arguments: { url: 'https://example.com' } },
      ],
    }),
  });
  const options = { cwd: project.root, env: { LOCAL_SECRET: KEY, GITHUB_STEP_SUMMARY: project.path('summary.md') } };
  const files = ['--junit', 'junit.xml', '--markdown', 'run.md', '--csv', 'run.csv'];
  const args = ['run', 's.yaml', '-n', '2', '--concurrency', '1', ...files];
  const outputs = [await runCli(args, options)];
  expect(outputs[0]?.code).toBe(3);
  for (const command of [['report', '--json'], ['replay'], ['replay', '--json'], ['reeval'], ['export']]) {
    outputs.push(await runCli(command, options));
  }
  const written = await Promise.all(
    ['junit.xml', 'run.md', 'run.csv', 'summary.md'].map((name) => readFile(project.path(name), 'utf8')),
  );
  const everything = [
    ...outputs.flatMap(({ stdout, stderr }) => [stdout, stderr]),
    ...written,
    await storedBytes(project),
  ].join('\n');
  expect(everything).toContain('[REDACTED');
  expect(everything).not.toContain(KEY);
  expect(everything).not.toContain(PROMPT_KEY);
});

test.each([`glpat-${'aB3dE5gH7jK9mN1pQ2sT'}`, `whsec_${'aB3dE5gH7jK9mN1pQ2sT'}`, `my password is ${'hunter2'}`])(
  'validate does not print what the store would redact: %s',
  async (secret) => {
    await using project = await projectFixture({ 's.yaml': `prompt: Hi.\nadapter: scripted\npromt: ${secret}\n` });
    const { code, stdout, stderr } = await runCli(['validate', 's.yaml'], { cwd: project.root });
    expect(code).toBe(4);
    expect(stdout + stderr).toContain('promt: ');
    expect(stdout + stderr).not.toContain(secret.split(' ').at(-1));
  },
);

test('a variable that a program is granted is not stored or printed, whatever its name', async () => {
  const env = { MY_THING: 'blue-whale-9', PW8: 'xk27qpzz' };
  const program =
    "const { MY_THING, PW8 } = process.env; console.log(JSON.stringify({ content: 'I have ' + MY_THING + ' ' + PW8 }))";
  await using project = await projectFixture({
    'salvo.yaml': JSON.stringify({
      adapters: { mine: { type: 'exec', command: [process.execPath, 'agent.mjs'], env: ['MY_THING', 'PW8'] } },
    }),
    'agent.mjs': program,
    's.yaml': 'prompt: Hi.\nadapter: mine\ntrials: 1\nassertions: [{type: output_contains, value: nothing}]\n',
  });
  const options = { cwd: project.root, env };
  const outputs = [await runCli(['run', 's.yaml', '--json'], options), await runCli(['replay'], options)];
  const everything = [...outputs.map(({ stdout, stderr }) => stdout + stderr), await storedBytes(project)].join('\n');
  expect(everything).toContain('I have [REDACTED');
  for (const value of Object.values(env)) expect(everything).not.toContain(value);
});

test('a secret in the environment that no adapter uses is not stored or printed when an agent quotes it', async () => {
  const env = {
    SOME_PASSWORD: 'Trident-of-Poseidon',
    AZURE_DEVOPS_EXT_PAT: 'abcdefghij0123456789klmn',
    UNGRANTED_SECRET: 'swordfishes',
  };
  await using project = await projectFixture({
    'agent.mjs': `export default function agent() {
      const { SOME_PASSWORD, AZURE_DEVOPS_EXT_PAT, UNGRANTED_SECRET } = process.env;
      console.log('logged ' + AZURE_DEVOPS_EXT_PAT);
      throw new Error('login failed with ' + SOME_PASSWORD + '/' + AZURE_DEVOPS_EXT_PAT + ' and ' + UNGRANTED_SECRET);
    }`,
    's.yaml': sampleScenario({ adapter: './agent.mjs', script: undefined }),
  });
  const options = { cwd: project.root, env };
  const outputs: CliResult[] = [await runProgram(['run', 's.yaml', '--junit', 'junit.xml'], options)];
  for (const command of [['report', '--json'], ['replay', '--full'], ['export']])
    outputs.push(await runCli(command, options));
  const everything = [
    ...outputs.flatMap(({ stdout, stderr }) => [stdout, stderr]),
    await readFile(project.path('junit.xml'), 'utf8'),
    await storedBytes(project),
  ].join('\n');
  expect(everything).toContain('login failed with [REDACTED:secret]/[REDACTED:secret] and [REDACTED:secret]');
  for (const secret of Object.values(env)) expect(everything).not.toContain(secret);
});

test.each([
  'type: http, url: "http://user:hunter22@127.0.0.1:9/x?token=abcdef123456"',
  'type: openai, base_url: "http://:hunter22@127.0.0.1:9/v1?token=abcdef123456"',
])('an address with a password is refused before the first trial, and not printed: %s', async (adapter) => {
  await using project = await projectFixture({
    'salvo.yaml': `adapters: { a: { ${adapter} } }`,
    's.yaml': sampleScenario({ adapter: 'a', script: undefined }),
  });
  for (const command of ['validate', 'run']) {
    const { code, stdout, stderr } = await runCli([command, 's.yaml'], { cwd: project.root });
    expect(code).toBe(4);
    expect(stdout + stderr).toContain('must not have a user name or a password in it');
    expect(stdout + stderr).not.toMatch(/hunter22|abcdef123456/);
  }
});
