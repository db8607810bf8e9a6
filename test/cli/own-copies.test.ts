import { expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runProgram } from './cli-fixture.ts';

/** What the agent is asked about, with a list that everyone could add to. */
const SCENARIO = (fields: string) => `import { defineScenario } from 'salvo';
export default defineScenario({
  prompt: 'Hi',
  data: [{ want: 'yes', items: [1] }],
  ${fields}
});
`;

async function run(fields: string, files: Record<string, string> = {}) {
  await using project = await projectFixture({ 'scenarios/a.scenario.ts': SCENARIO(fields), ...files });
  const printed = await runProgram(['run', '-n', '3', '--json'], { cwd: project.root });
  return documentOf(printed).scenarios[0]?.trials.map(({ status, eval_results }) => ({
    status,
    details: eval_results.map(({ details }) => details),
  }));
}

test('an agent that changes its row passes no check by that, and no other trial sees it', async () => {
  const trials = await run(`
  agent: ({ row }) => { row.want = 'no'; row.items.push(2); return 'no ' + row.items.length; },
  assertions: [({ output, row }) => ({ passed: output.startsWith(row.want), details: output + ' ' + row.items.length })],`);
  expect(trials).toEqual([1, 2, 3].map(() => ({ status: 'failed', details: ['no 2 1'] })));
});

test('hooks, mocks and checks have rows of their own, too', async () => {
  const trials = await run(
    `
  setupTrial: ({ row }) => { row.items.push(2); return row.items.length; },
  tools: [{ name: 'look', description: 'Looks.', mock_response: (_, { row }) => row.items.push(3) }],
  agent: async ({ row, callTool, hooks }) => [row.items.length, (await callTool('look')).content, hooks.trial].join(' '),
  assertions: [
    ({ output, row, trace }) => { row.items.push(4); trace.final_content = ''; return output === '1 2 2'; },
    ({ output, row }) => output === '1 2 2' && row.items.length === 1,
    { type: 'custom', module: '../check.ts' },
    { type: 'custom', module: '../check.ts' },
  ],`,
    {
      'check.ts': `export default (trace, { trialContext, scenario }) => {
        const isNew = trialContext.row.items.push(5) === 2 && scenario.tools.push({}) === 2;
        return isNew && trace.final_content === '1 2 2';
      };\n`,
    },
  );
  expect(trials?.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed']);
});
