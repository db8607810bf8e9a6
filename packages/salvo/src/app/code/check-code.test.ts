import { expect, test } from 'vitest';
import { type ProjectFixture, projectFixture } from '../../../../../test/project-fixture.ts';
import { loadProject } from '../../scenario/load-project.ts';
import { loadScenarios } from '../../scenario/load-scenario.ts';
import { assertionFiles } from './assertion-files.ts';
import { checkCode } from './check-code.ts';

const FILE = 's.scenario.ts';
const SCENARIO = `import { answer } from './agent.ts';
import { LEAST } from './limits.ts';
import { polite } from './polite.ts';
const FACTOR = 2;
const OTHER = 3;
function enough(text: string) {
  return text.length >= LEAST * FACTOR;
}
export default {
  name: 's',
  prompt: 'hi',
  agent: () => answer(OTHER),
  assertions: [{ id: 'long', check: ({ output }: { output: string }) => enough(Array.from(output).join('')) }, polite],
};
`;
const files = {
  [FILE]: SCENARIO,
  'agent.ts': `export const answer = (n: number) => 'a'.repeat(n);\n`,
  'limits.ts': `export { LEAST } from './deeper.ts';\n`,
  'deeper.ts': 'export const LEAST = 1;\n',
  'polite.ts': `const WORD = 'please';\nexport const polite = ({ output }: { output: string }) => output.includes(WORD);\n`,
};

async function load(fixture: ProjectFixture) {
  const project = await loadProject(fixture.root);
  const [loaded] = await loadScenarios({ file: fixture.path(FILE), project });
  if (!loaded) throw new Error('no scenario');
  return { loaded, project };
}

test('checks use constants and functions of their file, and what these and the checks import; the agent is no part', async () => {
  await using fixture = await projectFixture(files);
  const { loaded, project } = await load(fixture);
  const used = checkCode(loaded, project.root);
  expect(used.map(([path, text]) => path || text.split(/\s*[=(]/, 1)[0])).toEqual([
    'const FACTOR',
    'function enough',
    'deeper.ts',
    'limits.ts',
    'polite.ts',
  ]);
});

test('a run records a hash of it under the file and the name of the scenario, which the agent does not change', async () => {
  await using fixture = await projectFixture(files);
  const hash = async () => {
    const { loaded, project } = await load(fixture);
    return assertionFiles([loaded], project)[`${FILE}#s`];
  };
  const before = await hash();
  expect(before).toMatch(/^[0-9a-f]{12}$/);
  await fixture.write('agent.ts', `export const answer = (n: number) => 'b'.repeat(n);\n`);
  expect(await hash()).toBe(before);
  await fixture.write('deeper.ts', 'export const LEAST = 9;\n');
  expect(await hash()).not.toBe(before);
});

test('a scenario whose checks use nothing else has no hash', async () => {
  await using fixture = await projectFixture({
    [FILE]: `export default { name: 's', prompt: 'hi', agent: () => 'a', assertions: [() => true] };\n`,
  });
  const { loaded, project } = await load(fixture);
  expect(assertionFiles([loaded], project)).toEqual({});
});
