import { expect, test } from 'vitest';
import { runProgram } from '../cli/cli-fixture.ts';
import { projectFixture } from '../project-fixture.ts';

const ATTACKS = [
  '::stop-commands::token',
  '  ::error::forged',
  '##[error]forged',
  '\t::add-mask::a',
  'x\r::warning::y',
];
const WIDTHS = [20, 24, 33, 47, 80, 120];

/** A command that the runner of GitHub Actions would obey. Those of Salvo name the scenario's file. */
const isForged = (line: string) =>
  (line.trimStart().startsWith('::') && !line.startsWith('::error file=s.yaml,')) || line.includes('##[');

test('no text of an agent is a workflow command, at any width, in any output', async ({ task }) => {
  const text = ATTACKS.map((attack, index) => `${'A'.repeat(index * 7)} ${attack}\n${attack}`).join(' ');
  const scenario = {
    prompt: text,
    adapter: 'scripted',
    script: [{ content: text }],
    assertions: [{ type: 'output_contains', value: `missing ${text}` }],
  };
  await using project = await projectFixture({ 's.yaml': JSON.stringify(scenario) });
  const env = { GITHUB_ACTIONS: 'true', FORCE_COLOR: '0' };
  const forged: string[] = [];
  let cases = 0;
  const commands = [
    ['run', 's.yaml', '-n', '1'],
    ['report'],
    ['replay'],
    ['run', 's.yaml', '-n', '1', '--json'],
    ['export'],
  ];
  for (const width of WIDTHS) {
    for (const args of commands) {
      const { stdout, stderr } = await runProgram(args, { cwd: project.root, env: { ...env, COLUMNS: String(width) } });
      expect(stdout).not.toBe('');
      forged.push(...`${stdout}\n${stderr}`.split(/[\r\n]/).filter(isForged));
      cases += ATTACKS.length;
    }
  }
  task.meta.cases = cases;
  expect(forged).toEqual([]);
});

test('what an agent in this process prints is no workflow command', async () => {
  await using project = await projectFixture({
    's.yaml': 'prompt: hi\nadapter: ./agent.mjs\nassertions: [{type: output_contains, value: Done}]\n',
    'agent.mjs': 'console.log("::error::a"); process.stderr.write("  ::error::b\\n"); export default () => "Done."',
  });
  const { stdout, stderr } = await runProgram(['run', 's.yaml', '-n', '1', '--json'], { cwd: project.root });
  expect(JSON.parse(stdout)).toMatchObject({ exit_code: 0 });
  expect(stderr.split('\n').filter(isForged)).toEqual([]);
});
