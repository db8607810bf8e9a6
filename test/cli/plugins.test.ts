import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { builtPackage } from '../built-package.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { documentOf, runProgram } from './cli-fixture.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/plugins', import.meta.url));
const ZOD = fileURLToPath(new URL('../../node_modules/zod', import.meta.url));

const REGISTRATIONS = `
import { registerAdapter, registerEvaluator } from 'salvo';
registerEvaluator('polite', (assertion, trace) => ({ score: trace.final_content === 'please' ? 1 : 0, details: '' }));
registerAdapter('parrot', () => ({
  providerName: () => 'parrot',
  sendTurn: async () => ({ content: 'please', tool_calls: [], usage: null, finish_reason: 'stop', raw_response: null }),
}));`;
const SCENARIO = 'prompt: hi\nadapter: parrot\nassertions: [{type: polite}]\n';

function pluginProject(plugin: string, name = 'plugin.mjs'): Promise<ProjectFixture> {
  return projectFixture({
    'salvo.yaml': `default_adapter: parrot\nplugins: [./${name}]\n`,
    [name]: plugin,
    'scenarios/s.yaml': SCENARIO,
  });
}

async function exampleProject(): Promise<ProjectFixture> {
  const project = await projectFixture();
  await cp(EXAMPLE, project.root, { recursive: true });
  await mkdir(project.path('node_modules'));
  await symlink(ZOD, project.path('node_modules/zod'));
  return project;
}

describe('the example of plugins', () => {
  test('is valid, and its run passes with the adapter and the assertion type of the plugin', async () => {
    await using project = await exampleProject();
    expect(await runProgram(['validate'], { cwd: project.root })).toMatchObject({
      code: 0,
      stdout: '2 files are valid\n',
    });
    expect(documentOf(await runProgram(['run', '--json'], { cwd: project.root })).verdict).toBe('PASS');
  });

  test('has a schema for the fields of its assertion type, in validate and for editors', async () => {
    await using project = await exampleProject();
    await project.write('scenarios/short-answer.yaml', 'prompt: hi\nassertions:\n  - {type: max_words, limits: 5}\n');
    const { code, stdout } = await runProgram(['validate'], { cwd: project.root });
    expect(code).toBe(4);
    expect(stdout).toContain('scenarios/short-answer.yaml:3:23 error [unknown-key] unknown key "limits"');
    expect((await runProgram(['schema', 'scenario'], { cwd: project.root })).stdout).toContain('"max_words"');
  });
});

describe('a plugin', () => {
  test.each(['plugin.ts', 'plugin.js', 'plugin.mjs'])('can be %s', async (name) => {
    await using project = await pluginProject(REGISTRATIONS, name);
    expect(documentOf(await runProgram(['run', '--json', '-n', '1'], { cwd: project.root })).verdict).toBe('PASS');
  });

  test.each([
    ['import', REGISTRATIONS],
    ['require', REGISTRATIONS.replace(/import (.*) from 'salvo'/, "const $1 = require('salvo')")],
  ])('can use %s in a package of type commonjs', async (_, code) => {
    await using project = await pluginProject(code, 'plugin.js');
    await project.write('package.json', '{ "type": "commonjs" }');
    expect(await runProgram(['validate'], { cwd: project.root })).toMatchObject({ code: 0, stderr: '' });
  });

  test('is loaded once per process', async () => {
    const count = `${REGISTRATIONS}\nimport { appendFileSync } from 'node:fs';\nappendFileSync('loaded.txt', 'x');\n`;
    await using project = await pluginProject(count);
    await runProgram(['run', '--json'], { cwd: project.root });
    expect(await readFile(project.path('loaded.txt'), 'utf8')).toBe('x');
  });

  test('makes its adapter known to salvo adapters', async () => {
    await using project = await pluginProject(REGISTRATIONS);
    const { stdout } = await runProgram(['adapters', '--json'], { cwd: project.root });
    expect(JSON.parse(stdout).adapters).toContainEqual(
      expect.objectContaining({ name: 'parrot', type: 'registered', status: 'ready' }),
    );
  });

  test('is loaded for the library as well', async () => {
    await using project = await pluginProject(REGISTRATIONS);
    const index = pathToFileURL(join(await builtPackage(), 'dist/index.js')).href;
    await project.write(
      'main.mjs',
      `import { getAdapter, getEvaluator, loadProject } from '${index}';
      await loadProject(import.meta.dirname);
      await loadProject(import.meta.dirname);
      console.log(getAdapter('parrot').providerName(), typeof getEvaluator('polite'));`,
    );
    const { execFileSync } = await import('node:child_process');
    const stdout = execFileSync(process.execPath, [project.path('main.mjs')], { encoding: 'utf8' });
    expect(stdout).toBe('parrot function\n');
  });
});

describe('a plugin that cannot be loaded is a diagnostic with exit code 4:', () => {
  const SALVO_YAML = 'salvo.yaml:2:11';
  test.each<[string, string, string, string]>([
    ['a syntax error', 'plugin.mjs', 'const a = 1;\nconst b = = 2;\n', 'plugin.mjs:2:11'],
    ['a syntax error in TypeScript', 'plugin.ts', 'const a: number = 1;\nconst b: = 2;\n', 'plugin.ts:2:10'],
    ['an error that it throws', 'plugin.ts', 'interface A {}\nthrow new Error("boom");\nexport {};\n', 'plugin.ts:2:7'],
    ['a text that it throws', 'plugin.mjs', 'throw "boom"', SALVO_YAML],
    ['an object that it throws', 'plugin.mjs', 'throw Object.create(null)', SALVO_YAML],
    ['a missing package', 'plugin.mjs', 'import "not-installed";', 'plugin.mjs:1:8'],
    ['a missing export', 'plugin.mjs', '\nimport { registerJudge } from "salvo";\n', 'plugin.mjs:2:10'],
    ['a wrong extension', 'plugin.yaml', 'a: 1', SALVO_YAML],
  ])('%s', async (_, name, plugin, place) => {
    await using project = await pluginProject(plugin, name);
    const [run, validated] = await Promise.all(
      ['run', 'validate'].map((command) => runProgram([command], { cwd: project.root })),
    );
    expect(run?.code).toBe(4);
    expect(run?.stderr).toMatch(new RegExp(`^${place} error \\[`));
    expect(run?.stderr).not.toMatch(/^\s+at /m);
    expect(validated?.stdout).toContain(`${place} error [`);
  });

  test.each(['throw new Error("boom");', 'const b = = 2;'])('and is the only one: %s', async (plugin) => {
    await using project = await pluginProject(plugin);
    const { code, stdout } = await runProgram(['validate', '--format', 'json'], { cwd: project.root });
    expect(code).toBe(4);
    expect(JSON.parse(stdout).diagnostics).toMatchObject([{ code: 'plugin-error', file: 'plugin.mjs' }]);
  });

  test('a missing file', async () => {
    await using project = await projectFixture({ 'salvo.yaml': 'plugins: [./plugin.ts]\n', 's.yaml': 'prompt: hi\n' });
    const { code, stderr } = await runProgram(['run', 's.yaml'], { cwd: project.root });
    expect(code).toBe(4);
    expect(stderr).toContain('salvo.yaml:1:11 error [missing-file] ./plugin.ts does not exist');
  });

  test.each([
    ['a name that is registered already', "registerAdapter('parrot', () => null);", '"parrot" is registered already'],
    ['a built-in adapter', "registerAdapter('openai', () => null);", '"openai" is a built-in adapter'],
    ['a built-in assertion type', "registerEvaluator('judge', () => null);", '"judge" is a built-in assertion type'],
  ])('%s', async (_, call, message) => {
    await using project = await pluginProject(`${REGISTRATIONS}\n  ${call}\n`);
    const { code, stderr } = await runProgram(['run'], { cwd: project.root });
    expect(code).toBe(4);
    expect(stderr).toContain('plugin.mjs:8:3 error [plugin-error] the plugin cannot be loaded: ');
    expect(stderr).toContain(message);
  });
});

test('an extension that fails is named with its error, which is wrong input and no bug in Salvo', async () => {
  const doors = '{ commands: async () => { throw new TypeError("no such table"); } }';
  await using project = await pluginProject(`export default { name: 'salvo-notes', doors: ${doors} };`);
  expect(await runProgram(['--help'], { cwd: project.root })).toMatchObject({
    code: 4,
    stderr:
      'The package salvo-notes failed to provide its commands: no such table. Update it together with Salvo, or uninstall it; if it is yours, correct it.\n',
  });
});
