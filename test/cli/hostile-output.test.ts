import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

/** Clears the screen, sets the clipboard and the title, turns text around, rings, ends strings; in 7 and 8 bits. */
const HOSTILE =
  '\u001b[2J\u001b]52;c;cm0gLXJmIH4=\u0007\u001b]0;owned\u0007\u009b31m\u009d0;x\u009c\u202emurt\u2066\u200b\u0000\u0008\u007f\r\n]]><b>&';
/** Whatever acts on a terminal or turns a text around, but for line ends, tabs and our own colours. */
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const OUR_COLOURS = /\u001b\[[\d;]*m/g;

/** Every other trial fails with a hostile message; the rest call hostile tools, then say a megabyte. */
const adapter = `
const hostile = ${JSON.stringify(HOSTILE)};
const calls = [{ name: 'no-' + hostile, arguments: { [hostile]: hostile } }, { name: 'look', arguments: hostile }];
export default {
  providerName: () => hostile,
  async sendTurn(messages, tools, { conversation }) {
    if (conversation.trialNumber % 2 === 0) throw new Error(hostile);
    return messages.length === 1 ? { content: hostile, tool_calls: calls } : { content: hostile + 'x'.repeat(1_000_000) };
  },
};
`;
const files = {
  'adapter.mjs': adapter,
  's.yaml': sampleScenario({
    adapter: './adapter.mjs',
    script: undefined,
    tools: [{ name: 'look', description: 'Looks.', parameters: {}, mock_response: 'ok' }],
    assertions: [
      { type: 'output_contains', value: 'Done' },
      { type: 'tool_sequence', sequence: ['look'], mode: 'exact' },
      { path: 'tool_calls[0].name', eq: 'look' },
    ],
  }),
};

test('no text of a model controls the terminal or breaks a report', async () => {
  await using project = await projectFixture(files);
  const targets = ['--junit', 'junit.xml', '--markdown', 'run.md', '--csv', 'run.csv'];
  const commands = [
    ['run', 's.yaml', '-n', '2', ...targets],
    ['report'],
    ['report', '--json'],
    ['report', '--history'],
    ['replay'],
    ['replay', '--full'],
    ['replay', '--json'],
    ['reeval'],
    ['export'],
  ];
  const shown: [string, string][] = [];
  for (const command of commands) {
    const plain = await runCli(command, { cwd: project.root });
    shown.push([command.join(' '), plain.stdout + plain.stderr]);
  }
  for (const name of ['junit.xml', 'run.md']) shown.push([name, await readFile(project.path(name), 'utf8')]);
  shown.push(['run.csv', (await readFile(project.path('run.csv'), 'utf8')).replaceAll('\r\n', '\n')]);
  expect(shown[0]?.[1]).toContain('UNSCORED');
  for (const [where, text] of shown) {
    expect([where, HARMFUL.exec(text)?.[0]]).toEqual([where, undefined]);
  }
});

test('with colours on, the only escapes are ours', async () => {
  await using project = await projectFixture(files);
  const env = { FORCE_COLOR: '1' };
  for (const command of [['run', 's.yaml', '-n', '2'], ['replay']]) {
    const { stdout } = await runCli(command, { cwd: project.root, env });
    expect(stdout).toContain('\u001b[');
    expect(HARMFUL.exec(stdout.replaceAll(OUR_COLOURS, ''))?.[0]).toBeUndefined();
  }
});
