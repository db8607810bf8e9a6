import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type ProjectFixture, projectFixture } from '../../../../../test/project-fixture.ts';
import { TEMPLATES, templateOf } from '../../app/project/templates.ts';
import { runFiles } from '../../app/runs/run.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { initCommand } from './init.ts';
import { validateCommand } from './validate.ts';

function terminalIn(fixture: ProjectFixture) {
  const written: string[] = [];
  const output = { write: (text: string) => written.push(text), isTTY: false, columns: 80, color: false };
  const { signal } = new AbortController();
  const terminal = { cwd: fixture.root, env: {}, stdout: output, stderr: output, stop: signal, abort: signal };
  return { terminal, text: () => written.join('') };
}

async function init(fixture: ProjectFixture, options: Partial<Parameters<typeof initCommand>[0]> = {}) {
  const { terminal, text } = terminalIn(fixture);
  await initCommand({ dir: '.', force: false, ...options }, terminal);
  return text();
}

test('makes a project that is valid at once', async () => {
  await using fixture = await projectFixture();
  expect(await init(fixture, { dir: 'my agent' })).toContain('  cd "my agent"\n  salvo run -n 10\n');
  const { terminal, text } = terminalIn(fixture);
  expect(await validateCommand({ files: ['my agent/scenarios'], format: 'text' }, terminal)).toBe(0);
  expect(text()).toContain('valid');
});

test('gives an agent of your own no model: reports would name it, and its tokens would be priced by it', async () => {
  await using fixture = await projectFixture();
  await init(fixture);
  expect((await fixture.project()).config.default_model).toBeUndefined();
});

test('keeps what is there, and overwrites it only when forced', async () => {
  await using fixture = await projectFixture({ 'salvo.yaml': 'scenarios_dir: tests\n' });
  const shown = await init(fixture);
  expect(shown).toMatch(/kept {2}salvo\.yaml\n +created {2}scenarios/);
  expect(await readFile(fixture.path('salvo.yaml'), 'utf8')).toBe('scenarios_dir: tests\n');
  expect(await init(fixture, { force: true })).toMatch(/overwrote {2}salvo\.yaml/);
  expect(await readFile(fixture.path('salvo.yaml'), 'utf8')).toContain('default_adapter: scripted');
});

test('with existing settings, the first scenario is run by its name', async () => {
  await using fixture = await projectFixture({ 'salvo.yaml': 'scenarios_dir: tests\n' });
  expect(await init(fixture)).toContain('salvo run scenarios/weather.yaml --adapter scripted -n 10\n');
});

test.each(TEMPLATES)('with the template %s, the agent of an example is called', async (template) => {
  await using fixture = await projectFixture();
  const { packages, key } = templateOf(template);
  const shown = await init(fixture, { template });
  expect(shown).toMatch(/created {2}agent\.(ts|py)\n/);
  if (packages.length > 0) expect(shown).toContain(`npm install ${packages.join(' ')}\n`);
  expect(shown.includes('_API_KEY=')).toBe(key !== undefined);
  const { terminal, text } = terminalIn(fixture);
  expect(await validateCommand({ files: ['scenarios'], format: 'text' }, terminal)).toBe(0);
  expect(text()).toContain('valid');
  const { config } = await fixture.project();
  expect(config.default_adapter).toBe(template === 'python' ? 'exec:python3 agent.py' : './agent.ts');
});

test('the template in Python runs as it is', async (context) => {
  if (spawnSync('python3', ['--version']).status !== 0) context.skip('There is no python3.');
  await using fixture = await projectFixture();
  await init(fixture, { template: 'python' });
  await using run = await runFiles({ cwd: fixture.root, trials: 1, env: process.env });
  expect(run.outcome.exitCode).toBe(0);
});

test('an editor’s settings are never overwritten; what they lack is said', async () => {
  await using fixture = await projectFixture({ '.vscode/settings.json': '{"editor.tabSize": 2}' });
  expect(await init(fixture, { force: true })).toContain('add to it: "yaml.customTags": ["!include scalar"]');
  expect(await readFile(fixture.path('.vscode/settings.json'), 'utf8')).toBe('{"editor.tabSize": 2}');
});

test('a file that cannot be written is the user’s to fix, not a bug', async () => {
  await using fixture = await projectFixture({ 'a-file': '', 'blocked/scenarios': '' });
  await mkdir(fixture.path('folder-in-the-way/salvo.yaml'), { recursive: true });
  await chmod(fixture.path('a-file'), 0o444);
  for (const dir of ['a-file', 'blocked', 'folder-in-the-way']) {
    await expect(init(fixture, { dir })).rejects.toThrow(SalvoError);
  }
});
