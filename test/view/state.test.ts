import { expect, it } from 'vitest';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { viewerFixture } from './viewer-fixture.ts';

const TOOLS = `
export function cancel({ id }, { state }) {
  state.orders[id].status = 'cancelled';
  delete state.open;
  state.log.push({ cancelled: id });
  return 'ok';
}
`;
const scenario = (agent: string) => `
prompt: Cancel it.
${agent}
state: { orders: { "<b>": { status: open } }, open: null, log: [] }
tools: [{ name: cancel, module: ./tools.mjs }]
assertions: [{ type: final_state, after: [{ cancel: { id: "<b>" } }] }]
`;
const returned = (answer: string) => `export default () => ({ messages: [
  { role: 'assistant', content: null, tool_calls: [{ id: '1', name: 'cancel', arguments: { id: '<b>' } }] },
  { role: 'tool_result', tool_call_id: '1', name: 'cancel', content: ${JSON.stringify(answer)}, is_error: false },
  { role: 'assistant', content: 'Done.', tool_calls: [] },
] });`;

async function stateShown(files: Record<string, string>): Promise<string> {
  await using project = await projectFixture({ 'salvo.yaml': '', 'tools.mjs': TOOLS, ...files });
  await using finished = await runFiles({ cwd: project.root, env: {}, files: ['s.yaml'], trials: 1 });
  await using viewer = await viewerFixture(project.root);
  await using opened = await openPage(`${viewer.url}#/runs/${finished.run.run_id}/trials/0/0/1`);
  const region = opened.page.getByRole('region', { name: 'State' });
  await region.waitFor();
  return (await region.textContent()) ?? '';
}

it('shows what tools changed in the state', async () => {
  const script = `adapter: scripted
script: [{ tool_calls: [{ name: cancel, arguments: { id: "<b>" } }] }, { content: Done. }]`;
  const text = await stateShown({ 's.yaml': scenario(script) });
  expect(text).toContain('3 changed');
  expect(text).toContain('/orders/<b>/status\n-"open"\n+"cancelled"\n/open\n-null\n/log/0\n+{"cancelled":"<b>"}\n');
});

it('says how calls that the agent reports agree with the tools', async () => {
  const files = { 's.yaml': scenario('adapter: ./agent.mjs') };
  const same = await stateShown({ ...files, 'agent.mjs': returned('ok') });
  expect(same).toContain('They were played into a fresh state, with the same answers');
  const other = await stateShown({ ...files, 'agent.mjs': returned('locked') });
  expect(other).toContain('The state at the end is not known');
  expect(other).toContain('call 1 (cancel) was answered with "locked"');
});
