import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runProgram } from './cli-fixture.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/typescript', import.meta.url));
const ZOD = fileURLToPath(new URL('../../node_modules/zod', import.meta.url));

test('the example passes', async () => {
  await using project = await projectFixture();
  await cp(EXAMPLE, project.root, { recursive: true });
  await mkdir(project.path('node_modules'));
  await symlink(ZOD, project.path('node_modules/zod'));
  const { verdict, scenarios } = documentOf(await runProgram(['run', '--json'], { cwd: project.root }));
  expect([verdict, scenarios[0]?.name]).toEqual(['PASS', 'refunds what was paid']);
});

test('other code is another scenario: a run is judged by the code of today, and not without it', async () => {
  const file = 'scenarios/a.scenario.ts';
  const code = (word: string) => `import { defineScenario } from 'salvo';
const agent = () => ({ content: 'good', cost_usd: 0 });
export const a = defineScenario({ prompt: 'Hi', agent, assertions: [({ output }) => output === '${word}'] });
`;
  await using project = await projectFixture({ [file]: code('good') });
  const salvo = (...args: string[]) => runProgram(args, { cwd: project.root });
  expect(documentOf(await salvo('run', '-n', '1', '--json')).verdict).toBe('PASS');

  await project.write(file, code('bad'));
  const resumed = await salvo('run', '--resume', 'latest');
  expect(resumed).toMatchObject({ code: 4, stderr: expect.stringContaining('has changed') });
  const reeval = await salvo('reeval', '--json');
  expect(JSON.parse(reeval.stdout)).toMatchObject({ scenarios: [{ task_changes: [], after: { verdict: 'FAIL' } }] });

  await project.remove(file);
  const gone = await salvo('reeval');
  expect(gone).toMatchObject({
    code: 4,
    stdout: '',
    stderr: expect.stringContaining(`${file}:1:1 error [missing-file]`),
  });
});

test('code that needs more than its types removed is an error at its place', async () => {
  await using project = await projectFixture({
    'salvo.yaml': 'hooks: ./salvo.hooks.ts\n',
    'salvo.hooks.ts': 'enum A { B }\nexport const setup = () => A.B;\n',
    'scenarios/a.scenario.ts': `export default { prompt: 'Hi' };\nclass A { constructor(private a: string) {} }\n`,
  });
  const { code, stdout } = await runProgram(['validate'], { cwd: project.root });
  expect(code).toBe(4);
  expect(stdout).toContain('salvo.hooks.ts:1:1 error [scenario-code]');
  expect(stdout).toContain('scenarios/a.scenario.ts:2:');
  expect(stdout.split('Node only removes types.')).toHaveLength(3);
});

test('an error that nobody catches ends the run, but not without its teardowns', async () => {
  await using project = await projectFixture({
    'scenarios/a.scenario.ts': `import { appendFileSync } from 'node:fs';
const log = (text: string) => () => appendFileSync('log.txt', text);
export default {
  prompt: 'Hi',
  agent: () => new Promise(() => setTimeout(() => { throw new Error('stray'); })),
  assertions: [() => true],
  teardownTrial: log('trial '),
  teardown: log('scenario '),
};
`,
  });
  const { code, stderr } = await runProgram(['run', '-n', '1'], { cwd: project.root });
  expect([code, stderr]).toEqual([3, expect.stringContaining('Uncaught error: Error: stray')]);
  expect(await readFile(project.path('log.txt'), 'utf8')).toBe('trial scenario ');
});

test('a check that never ends leaves its trials unscored, and the reports are written', async () => {
  await using project = await projectFixture({
    'scenarios/a.scenario.ts': `import { defineScenario } from 'salvo';
export default defineScenario({
  prompt: 'Hi',
  timeout_seconds: 0.5,
  agent: () => 'good',
  assertions: [{ id: 'slow', check: () => new Promise(() => {}) }],
});
`,
  });
  const printed = await runProgram(['run', '-n', '1', '--json', '--junit', 'salvo.xml'], { cwd: project.root });
  expect(printed.stderr).not.toContain('was ended by code');
  expect(documentOf(printed)).toMatchObject({ verdict: 'UNSCORED', scenarios: [{ trials_unscored: 1 }] });
  expect(await readFile(project.path('salvo.xml'), 'utf8')).toContain('slow&quot; did not end within 0.5 s');
});
