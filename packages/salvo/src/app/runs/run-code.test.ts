import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { storedBytes } from '../../../../../test/cli/cli-fixture.ts';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { performRun, resumeRun, runFiles } from './run.ts';
import type { PerformRunOptions } from './run-options.ts';

describe('two scenarios of one file', () => {
  const code = `const agent = ({ scenario }) => ({ content: scenario, cost_usd: 0 });
export default async () => ['good', 'bad'].map((name) => (
  { name, prompt: 'Hi', agent, assertions: [{ id: 'is good', check: ({ output }) => output === 'good' }] }
));
`;

  test('are chosen, resumed and repeated one by one', async () => {
    await using project = await projectFixture({ 'scenarios/two.scenario.ts': code });
    const verdicts = async (options: PerformRunOptions) => {
      await using finished = await performRun({ cwd: project.root, env: {}, trials: 1, ...options });
      return finished.run.scenarios.map(({ name, summary }) => [name, summary?.verdict]);
    };
    const both = [
      ['good', 'PASS'],
      ['bad', 'FAIL'],
    ];
    expect(await verdicts({})).toEqual(both);
    expect(await verdicts({ resume: 'latest' })).toEqual(both);
    expect(await verdicts({ failed: true })).toEqual([['bad', 'FAIL']]);
    expect(await verdicts({ resume: 'latest' })).toEqual([['bad', 'FAIL']]);
    expect(await verdicts({ files: ['good'] })).toEqual([['good', 'PASS']]);
    expect(await verdicts({ grep: 'OO' })).toEqual([['good', 'PASS']]);
    expect(await verdicts({ files: ['bad', 'scenarios', 'bad'] })).toEqual(both.toReversed());
  });

  test('use the adapter of the command line instead of their agent', async () => {
    await using project = await projectFixture({
      'scenarios/two.scenario.ts': code,
      'other.ts': `export default () => ({ content: 'good', cost_usd: 0 });\n`,
    });
    await using finished = await runFiles({ cwd: project.root, env: {}, trials: 1, adapter: './other.ts' });
    expect(finished.outcome.verdict).toBe('PASS');
    expect(finished.run.scenarios.map(({ adapter }) => adapter)).toEqual(['./other.ts', './other.ts']);
  });
});

describe('hooks of a project', () => {
  const SECRET = 'hunter2-hunter2-hunter2';
  const hooked = (hooks: string) =>
    projectFixture({
      'salvo.yaml': 'hooks: ./salvo.hooks.ts\nenv_file: .env\n',
      '.env': `DB_PASSWORD=${SECRET}\n`,
      'salvo.hooks.ts': hooks,
      'scenarios/a.yaml':
        'prompt: hi\nadapter: scripted\nscript: [{content: hi}]\nassertions: [{type: output_contains, value: hi}]\n',
    });

  test('run for scenarios in YAML, too; a teardown that fails is a note without secrets', async () => {
    await using project = await hooked(`import { appendFileSync } from 'node:fs';
const log = (text) => appendFileSync(new URL('log.txt', import.meta.url), text + '\\n');
export const setup = () => log('setup');
export const setupTrial = ({ scenario, trialNumber }) => log(scenario + ' ' + trialNumber);
export const teardown = () => { log('teardown'); throw new Error('cannot close ${SECRET}'); };
`);
    await using finished = await runFiles({ cwd: project.root, env: {}, trials: 2, concurrency: 1 });
    expect(finished.outcome.verdict).toBe('PASS');
    expect(finished.notes).toEqual(['teardown of the run failed: cannot close [REDACTED:secret]']);
    expect(await readFile(project.path('log.txt'), 'utf8')).toBe('setup\na 1\na 2\nteardown\n');
  });

  test('whose setup fails leave trials that cannot be scored, which a resumed run repeats', async () => {
    await using project = await hooked(`import { existsSync } from 'node:fs';
export const setup = () => {
  if (!existsSync(new URL('ready', import.meta.url))) throw new Error('no access with ${SECRET}');
};
`);
    {
      await using finished = await runFiles({ cwd: project.root, env: {}, trials: 2 });
      expect(finished.outcome).toMatchObject({ verdict: 'UNSCORED', exitCode: 3 });
      expect(finished.run.scenarios[0]?.summary?.errors).toMatchObject([{ code: 'SETUP_FAILED' }]);
    }
    expect(await storedBytes(project)).not.toContain(SECRET);
    await project.write('ready', '');
    await using resumed = await resumeRun({ cwd: project.root, env: {}, run: 'latest' });
    expect(resumed.outcome.verdict).toBe('PASS');
  });

  test('are functions', async () => {
    await using project = await hooked('export const setup = 1;\n');
    await expect(runFiles({ cwd: project.root, env: {} })).rejects.toThrow('the export "setup" should be a function');
    await using other = await hooked('export const beforeAll = () => {};\n');
    await expect(runFiles({ cwd: other.root, env: {} })).rejects.toThrow('exports no hooks; it exports beforeAll');
  });
});
