import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { runCli, storeOf } from './cli-fixture.ts';

/** Every file leaves a mark if it is executed. */
const mark = (name: string) => `import { writeFileSync } from 'node:fs';
writeFileSync(new URL('./executed-${name}', import.meta.url), '');
`;
const HARMLESS = `adapter: scripted
script: [{ content: hello }]
prompt: hi
assertions: [{ type: output_contains, value: hello }]
`;
const JUDGED = (judge: string) => `adapter: scripted
script: [{ content: hello }]
prompt: hi
assertions:
  - type: judge
    rubric: [{ name: polite, description: Is it polite? }]
    ${judge}
`;
const TOUCH = `"exec:sh -c 'cat; touch executed-command'"`;
const AGENT = `${mark('module')}export default () => 'hello';\n`;

/** What is refused, in which file, at which place, and the files of the project. */
const CASES: [what: string, place: string, files: Record<string, string>][] = [
  ['a program as agent', 's.yaml:2:10', { 's.yaml': `prompt: hi\nadapter: ${TOUCH}\n` }],
  ['a module as agent', 's.yaml:2:10', { 's.yaml': 'prompt: hi\nadapter: ./agent.ts\n', 'agent.ts': AGENT }],
  ['a program as judge', 's.yaml:7:20', { 's.yaml': JUDGED(`judge_adapter: ${TOUCH}`) }],
  ['a program among judges', 's.yaml:7:25', { 's.yaml': JUDGED(`judges: [{ adapter: ${TOUCH}, model: x }]`) }],
  [
    'a program that salvo.yaml names',
    's.yaml:2:10',
    { 's.yaml': 'prompt: hi\nadapter: own\n', 'salvo.yaml': `adapters: { own: { type: exec, command: "true" } }\n` },
  ],
  [
    'the default adapter, if a scenario uses it',
    'salvo.yaml:1:18',
    { 's.yaml': 'prompt: hi\n', 'salvo.yaml': 'default_adapter: ./agent.ts\n', 'agent.ts': AGENT },
  ],
  [
    'the judge of salvo.yaml',
    'salvo.yaml:1:19',
    { 's.yaml': HARMLESS, 'salvo.yaml': `judge: { adapter: ${TOUCH} }\n` },
  ],
  [
    'an entry of the matrix',
    'salvo.yaml:1:21',
    { 's.yaml': HARMLESS, 'salvo.yaml': `matrix: [{ adapter: ${TOUCH} }]\n` },
  ],
  [
    'a service',
    's.yaml:3:32',
    {
      's.yaml': `prompt: hi\nadapter: openai\nservices: [{ name: a, command: [touch, executed-service] }]\n`,
    },
  ],
  [
    'a command of an assertion',
    's.yaml:4:49',
    {
      's.yaml': `prompt: hi\nadapter: openai\nworkspace: {}\nassertions: [{ type: command_succeeds, command: [touch, executed] }]\n`,
    },
  ],
  [
    'a module of tools',
    's.yaml:3:28',
    {
      's.yaml': 'prompt: hi\nadapter: openai\ntools: [{ name: a, module: ./tools.ts }]\n',
      'tools.ts': `${mark('tools')}export const a = () => 'done';\n`,
    },
  ],
  [
    'a custom assertion',
    's.yaml:3:38',
    {
      's.yaml': 'prompt: hi\nadapter: openai\nassertions: [{ type: custom, module: ./check.ts }]\n',
      'check.ts': `${mark('check')}export default () => true;\n`,
    },
  ],
  [
    'a judge that a row names',
    's.yaml:',
    {
      's.yaml': `${JUDGED('judge_adapter: "{{who}}"')}data: [{ who: openai, x: 1 }, { who: ${TOUCH}, x: 2 }]\n`,
    },
  ],
  [
    'a custom assertion that a row names',
    's.yaml:',
    {
      's.yaml':
        'prompt: hi\nadapter: openai\ndata: [{ m: ./check.ts }]\nassertions: [{ type: custom, module: "{{m}}" }]\n',
      'check.ts': `${mark('check')}export default () => true;\n`,
    },
  ],
  [
    'a scenario in code',
    's.scenario.ts:1:1',
    {
      's.scenario.ts': `${mark('scenario')}export default { prompt: 'hi', agent: () => 'a', assertions: [() => true] };\n`,
    },
  ],
  [
    'a plugin',
    'salvo.yaml:1:11',
    { 's.yaml': HARMLESS, 'salvo.yaml': 'plugins: [./plugin.ts]\n', 'plugin.ts': mark('plugin') },
  ],
  [
    'a file of hooks',
    'salvo.yaml:1:8',
    {
      's.yaml': HARMLESS,
      'salvo.yaml': 'hooks: ./hooks.ts\n',
      'hooks.ts': `${mark('hooks')}export function setup() {}\n`,
    },
  ],
];

const executed = ({ root }: ProjectFixture) =>
  ['command', 'module', 'tools', 'check', 'scenario', 'plugin', 'hooks'].filter((name) =>
    existsSync(`${root}/executed-${name}`),
  );

describe('--no-code', () => {
  it.each(CASES)('refuses %s at %s, before anything is executed or stored', async (_, place, files) => {
    await using fixture = await projectFixture(files);
    const scenario = Object.keys(files).find((name) => /^s\./.test(name)) ?? '';
    for (const command of ['validate', 'run']) {
      const { code, stdout, stderr } = await runCli([command, scenario, '--no-code'], { cwd: fixture.root });
      expect(`${stdout}${stderr}`).toContain(place);
      expect(`${stdout}${stderr}`).toContain('--no-code');
      expect(code).toBe(4);
    }
    expect(executed(fixture)).toEqual([]);
    expect(existsSync(fixture.path('.salvo'))).toBe(false);
  });

  it('refuses a program of the command line', async () => {
    await using fixture = await projectFixture({ 's.yaml': HARMLESS });
    const args = ['run', 's.yaml', '--no-code', '--adapter', "exec:sh -c 'touch executed-command'"];
    const { code, stderr } = await runCli(args, { cwd: fixture.root });
    expect(stderr).toContain('--no-code');
    expect(code).toBe(4);
    expect(executed(fixture)).toEqual([]);
  });

  it('runs and judges what is no code, also beside a default adapter that no scenario uses', async () => {
    await using fixture = await projectFixture({
      's.yaml': HARMLESS,
      'salvo.yaml': 'default_adapter: ./agent.ts\n',
      'agent.ts': AGENT,
    });
    const { root: cwd } = fixture;
    expect(await runCli(['validate', 's.yaml', '--no-code'], { cwd })).toMatchObject({ code: 0 });
    expect(await runCli(['run', 's.yaml', '--no-code'], { cwd })).toMatchObject({ code: 0 });
    expect(await runCli(['reeval', '--no-code'], { cwd })).toMatchObject({ code: 0 });
    expect(executed(fixture)).toEqual([]);
  });

  it('refuses what an evaluation of stored traces would execute', async () => {
    await using fixture = await projectFixture({
      's.yaml': HARMLESS,
      'other.yaml': HARMLESS.replace('assertions: [', 'assertions: [{ type: custom, module: ./check.ts }, '),
      'check.ts': `${mark('check')}export default () => true;\n`,
    });
    const { root: cwd } = fixture;
    await runCli(['run', 's.yaml'], { cwd });
    const { code, stderr } = await runCli(['reeval', '--scenario', 'other.yaml', '--no-code'], { cwd });
    expect(stderr).toContain('other.yaml:4:');
    expect(code).toBe(4);
    expect(executed(fixture)).toEqual([]);
  });

  it('is kept by a run that is resumed, before plugins that were added since are executed', async () => {
    await using fixture = await projectFixture({ 's.yaml': HARMLESS });
    const { root: cwd } = fixture;
    await runCli(['run', 's.yaml', '--no-code'], { cwd });
    await using store = await storeOf(fixture);
    const [run] = await store.listRuns();
    expect(run?.options).toMatchObject({ no_code: true });
    await fixture.write('salvo.yaml', 'plugins: [./plugin.ts]\n');
    await fixture.write('plugin.ts', mark('plugin'));
    const { code, stderr } = await runCli(['run', '--resume', 'latest'], { cwd });
    expect(stderr).toContain('salvo.yaml:1:11');
    expect(code).toBe(4);
    expect(executed(fixture)).toEqual([]);
  });

  it('is not asked for by default: the same plugin is executed when an ordinary run is resumed', async () => {
    await using fixture = await projectFixture({ 's.yaml': HARMLESS });
    const { root: cwd } = fixture;
    await runCli(['run', 's.yaml'], { cwd });
    await fixture.write('salvo.yaml', 'plugins: [./plugin.ts]\n');
    await fixture.write('plugin.ts', mark('plugin'));
    expect(await runCli(['run', '--resume', 'latest'], { cwd })).toMatchObject({ code: 0 });
    expect(executed(fixture)).toEqual(['plugin']);
  });
});
