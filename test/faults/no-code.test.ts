import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runProgram } from '../cli/cli-fixture.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { viewerFixture } from '../view/viewer-fixture.ts';

const MARK = `import { writeFileSync } from 'node:fs';
writeFileSync(new URL('./executed', import.meta.url), '');
`;
const COMMAND = `"exec:sh -c 'cat; touch executed'"`;
const wasExecuted = ({ path }: ProjectFixture) => existsSync(path('executed'));
const PROMPT = 'prompt: hi\n';
const SCRIPTED = `${PROMPT}adapter: scripted\nscript: [{ content: hello }]\n`;
const CRITERIA = 'criteria: [{ name: polite, description: Is it polite? }]';

/** Files that execute something when they are run, each by another door, and how the door is refused. */
const DOORS: [door: string, refusal: string, files: Record<string, string>][] = [
  ['a program as agent', 's.yaml:2:10', { 's.yaml': `${PROMPT}adapter: ${COMMAND}\n` }],
  ['a module as agent', 's.yaml:2:10', { 's.yaml': `${PROMPT}adapter: ./agent.mjs\n`, 'agent.mjs': MARK }],
  [
    'a program as judge',
    's.yaml:4:',
    { 's.yaml': `${SCRIPTED}assertions: [{ type: judge, ${CRITERIA}, judge_adapter: ${COMMAND} }]\n` },
  ],
  [
    'a module as assertion',
    's.yaml:4:',
    { 's.yaml': `${SCRIPTED}assertions: [{ type: custom, module: ./agent.mjs }]\n`, 'agent.mjs': MARK },
  ],
  ['a plugin', 'salvo.yaml:1:11', { 's.yaml': SCRIPTED, 'salvo.yaml': 'plugins: [./p.mjs]\n', 'p.mjs': MARK }],
  ['hooks', 'salvo.yaml:1:8', { 's.yaml': SCRIPTED, 'salvo.yaml': 'hooks: ./p.mjs\n', 'p.mjs': MARK }],
  [
    'a scenario in code',
    's.scenario.mjs:1:1',
    { 's.scenario.mjs': `${MARK}export default { prompt: 'hi', agent: () => 'hello', assertions: [() => true] };\n` },
  ],
];

test.each(DOORS)('%s is executed by a run, and refused with --no-code', async (_, refusal, files) => {
  await using project = await projectFixture(files);
  const args = ['run', Object.keys(files)[0] ?? '', '-n', '1', '--retries', '0'];
  const refused = await runProgram([...args, '--no-code'], { cwd: project.root });
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining(refusal)]);
  expect(refused.stderr).toContain('--no-code');
  expect(wasExecuted(project)).toBe(false);
  await runProgram(args, { cwd: project.root });
  expect(wasExecuted(project)).toBe(true);
});

test.each([
  ['an MCP server', `${SCRIPTED}mcp_servers: [{ command: touch executed }]\n`],
  ['inline JavaScript', `${SCRIPTED}assertions: [{ type: javascript, value: "process.exit(0)" }]\n`],
  ['a command in a prompt', `prompt: "exec:touch executed"\nadapter: scripted\nscript: [{ content: hello }]\n`],
])('%s is nothing that a scenario can have', async (_, scenario) => {
  await using project = await projectFixture({ 's.yaml': scenario });
  await runProgram(['run', 's.yaml', '-n', '1'], { cwd: project.root });
  expect(wasExecuted(project)).toBe(false);
});

/** A scenario whose judge cannot be reached: its trial is judged again by every later command. */
const JUDGED = {
  's.yaml': `${SCRIPTED}assertions: [{ type: judge, ${CRITERIA}, judge_adapter: own, judge_model: m, k: 1 }]\n`,
  'salvo.yaml': 'adapters: { own: { type: openai, base_url: "http://127.0.0.1:9/v1" } }\n',
};
const env = { OPENAI_API_KEY: 'unused' };

/** What salvo.yaml becomes after the run. The scenario stays as it is. */
const CHANGES: [change: string, salvoYaml: string][] = [
  ['a plugin', `plugins: [./p.mjs]\n${JUDGED['salvo.yaml']}`],
  ['hooks', `hooks: ./p.mjs\n${JUDGED['salvo.yaml']}`],
  ['a judge that is a program now', `adapters: { own: { type: exec, command: "sh -c 'cat; touch executed'" } }\n`],
  ['a judge that is a module now', 'adapters: { own: { type: module, path: ./p.mjs } }\n'],
];

async function storedRun(salvoYaml: string, more: string[] = []): Promise<ProjectFixture> {
  const project = await projectFixture(JUDGED);
  await runProgram(['run', 's.yaml', '-n', '1', '--retries', '0', ...more], { cwd: project.root, env });
  await project.write('p.mjs', `${MARK}export default () => 'hello';\nexport function setup() {}\n`);
  await project.write('salvo.yaml', salvoYaml);
  return project;
}

test.each(CHANGES)('%s: refused by all that goes on with a run that was made with --no-code', async (_, salvoYaml) => {
  await using project = await storedRun(salvoYaml, ['--no-code']);
  for (const args of [['run', '--resume', 'latest'], ['reeval'], ['reeval', '--estimate']]) {
    const { code, stderr } = await runProgram(args, { cwd: project.root, env });
    expect([args.join(' '), code, stderr]).toEqual([args.join(' '), 4, expect.stringContaining('--no-code')]);
  }
  await using viewer = await viewerFixture(project.root);
  const resumed = await viewer.request('/api/runs/latest/resume', { method: 'POST' });
  expect([resumed.status, await resumed.json()]).toEqual([409, { error: expect.stringContaining('--no-code') }]);
  expect(wasExecuted(project)).toBe(false);
});

test.each(CHANGES)('%s: executed if the run was made without it, so the test above can fail', async (_, salvoYaml) => {
  await using project = await storedRun(salvoYaml);
  await runProgram(['run', '--resume', 'latest'], { cwd: project.root, env });
  expect(wasExecuted(project)).toBe(true);
});
