import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { salvoVersion } from '../../packages/salvo/src/text/modules/salvo-version.ts';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runCli } from './cli-fixture.ts';

/** Trials from `until` on get no answer: their provider is down. */
const agent = (answer: string, until: number) => `import { WORD } from './words.ts';
export default ({ trialNumber }: { trialNumber: number }) => {
  if (trialNumber > ${until}) throw Object.assign(new Error('down'), { status: 503 });
  return ${answer};
};
`;
const files = {
  'salvo.yaml': '',
  'agent.ts': agent('WORD', 1),
  'words.ts': `export const WORD = 'no';\n`,
  's.yaml':
    'prompt: hi\nadapter: ./agent.ts\nassertions: [{ type: output_contains, value: "yes" }]\nmin_pass_rate: 50%\n',
};

test('a run whose agent changed is not resumed, unless it may be a mixture, which its reports say', async () => {
  await using project = await projectFixture(files);
  const salvo = (...args: string[]) => runCli(args, { cwd: project.root });
  expect(await salvo('run', 's.yaml', '-n', '3', '--retries', '0')).toMatchObject({ code: 3 });

  await project.write('agent.ts', agent('WORD', 3));
  await project.write('words.ts', `export const WORD = 'yes';\n`);
  const refused = await salvo('run', '--resume', 'latest');
  expect(refused).toMatchObject({ code: 4, stdout: '' });
  expect(refused.stderr).toContain('was begun with another agent: agent.ts changed, words.ts changed.');
  expect(refused.stderr).toContain('--mixed');

  const note = 'A mixture of different agents: agent.ts changed, words.ts changed.';
  const mixed = await salvo('run', '--resume', 'latest', '--mixed', '--json', '--junit', 'salvo.xml');
  expect(documentOf(mixed).scenarios).toMatchObject([{ trials_scored: 3, trials_passed: 2 }]);
  expect(JSON.parse(mixed.stdout).notes).toEqual([expect.stringContaining(note)]);
  expect(await readFile(project.path('salvo.xml'), 'utf8')).toContain(note);
  expect((await salvo('report')).stdout.replaceAll(/\s+/g, ' ')).toContain(note);
  expect(JSON.parse((await salvo('report', '--json')).stdout).notes).toEqual([expect.stringContaining(note)]);
});

test('a run whose agent is the same is resumed', async () => {
  await using project = await projectFixture(files);
  const salvo = (...args: string[]) => runCli(args, { cwd: project.root });
  await salvo('run', 's.yaml', '-n', '2', '--retries', '0');
  expect(await salvo('run', '--resume', 'latest', '--retries', '0')).toMatchObject({ code: 3 });
});

test('parts of shards with different agents are not merged, unless they may be a mixture', async () => {
  await using project = await projectFixture({ ...files, 'agent.ts': agent('WORD', 9) });
  const salvo = (...args: string[]) => runCli(args, { cwd: project.root });
  await salvo('run', 's.yaml', '-n', '2', '--shard', '1/2', '--out', 'parts');
  await project.write('words.ts', `export const WORD = 'yes';\n`);
  await salvo('run', 's.yaml', '-n', '2', '--shard', '2/2', '--out', 'parts');
  const refused = await salvo('merge', 'parts');
  expect(refused).toMatchObject({ code: 4, stdout: '' });
  expect(refused.stderr).toContain('are of different agents: words.ts changed.');
  const merged = await salvo('merge', 'parts', '--mixed', '--json');
  expect(merged.code).toBe(0);
  expect(JSON.parse(merged.stdout).notes).toEqual([expect.stringContaining('A mixture of different agents')]);
});

test('--mixed without --resume is refused, and nothing is run', async () => {
  await using project = await projectFixture(files);
  const { code, stderr } = await runCli(['run', 's.yaml', '--mixed'], { cwd: project.root });
  expect([code, stderr]).toEqual([4, expect.stringContaining('give --resume RUN')]);
});

test('a run that another version of Salvo began is resumed, and its reports name both', async () => {
  await using project = await projectFixture(files);
  const salvo = (...args: string[]) => runCli(args, { cwd: project.root });
  await salvo('run', 's.yaml', '-n', '2', '--retries', '0');
  expect(JSON.parse((await salvo('report', '--json')).stdout)).not.toHaveProperty('notes');
  const database = new DatabaseSync(project.path('.salvo/salvo.db'));
  database.exec("UPDATE runs SET salvo_version = '0.0.9'");
  database.close();
  const note = `Made by Salvo 0.0.9 and ${salvoVersion()}: trials may have been run or judged in different ways.`;
  const resumed = await salvo('run', '--resume', 'latest', '--retries', '0', '--json');
  expect(JSON.parse(resumed.stdout).notes).toEqual([note]);
  expect((await salvo('report')).stdout.replaceAll(/\s+/g, ' ')).toContain(note);
});
