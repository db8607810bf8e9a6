import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../cli/cli-fixture.ts';
import { projectFixture } from '../project-fixture.ts';

const SHOP = JSON.stringify(resolve(import.meta.dirname, 'shop-server.mjs'));

async function fixtureOf(scenario: string, files: Record<string, string> = {}) {
  const { root } = await projectFixture({ 'salvo.yaml': 'default_adapter: scripted\n', 's.yaml': scenario, ...files });
  return {
    at: (file: string) => join(root, file),
    run: (args: string[] = [], env: Record<string, string> = {}) =>
      runCli(['run', 's.yaml', ...args], { cwd: root, env }),
    salvo: (...args: string[]) => runCli(args, { cwd: root }),
    replay: () => runCli(['replay', 's', '1'], { cwd: root }),
  };
}

describe('a prompt of an MCP server', () => {
  const scenario = (prompt: string, more = '') => `
trials: 2
tools:
  - { mcp: { command: [node, ${SHOP}] }, only: [stock], prompt: ${prompt}${more} }
adapter: mine
assertions:
  - { path: response.content, eq: Refund A-2. }
`;
  // Repeats what it was asked last.
  const AGENT = {
    'agent.mjs': 'export default ({ messages }) => messages.at(-1).content;\n',
    'salvo.yaml': 'adapters: { mine: { type: module, path: agent.mjs, isolate: false } }\n',
  };

  test('begins the conversation, with all that was said before, and is recorded without a server', async () => {
    const { run, at, replay } = await fixtureOf(
      scenario('{ name: refund, arguments: { id: A-2 } }', ', cassette: true'),
      AGENT,
    );
    expect((await run()).code).toBe(0);
    const shown = (await replay()).stdout;
    expect(shown).toContain('My order is A-2.');
    expect(shown).toContain('What shall I do?');
    const recorded = await readFile(at('s.cassette.yaml'), 'utf8');
    expect(recorded).toContain('content: Refund A-2.');
    expect(recorded).toContain('media_type: image/png');
    await writeFile(at('s.yaml'), (await readFile(at('s.yaml'), 'utf8')).replace(SHOP, '"gone.mjs"'));
    await writeFile(at('s.cassette.yaml'), recorded.replaceAll(JSON.parse(SHOP), 'gone.mjs'));
    expect((await run()).code).toBe(0);
    expect((await replay()).stdout).toEqual(expect.stringContaining('What shall I do?'));
    // Other arguments were not recorded.
    await writeFile(at('s.yaml'), (await readFile(at('s.yaml'), 'utf8')).replace('id: A-2', 'id: A-3'));
    const other = await run(['--json']);
    expect(other).toMatchObject({ code: 3, stdout: expect.stringContaining('TOOL_NOT_RECORDED') });
  });

  test('has arguments of the row', async () => {
    const rows = 'data: [{ id: A-2, last: Refund A-2. }, { id: B-7, last: Refund B-7. }]\n';
    const text = scenario('{ name: refund, arguments: { id: "{{id}}" } }').replace('eq: Refund A-2.', 'eq: "{{last}}"');
    const { run } = await fixtureOf(`${rows}${text}`, AGENT);
    expect(await run()).toMatchObject({ code: 0, stderr: expect.not.stringContaining('warning') });
  });

  test.each([
    ['{ name: nothing }', 'did not give its prompt \\"nothing\\"'],
    ['{ name: unasked }', 'with a message of the agent, so that nothing is asked'],
  ])('that is none (%s) makes the trial unscored', async (prompt, words) => {
    const { run } = await fixtureOf(scenario(prompt), AGENT);
    expect(await run(['--json'])).toMatchObject({ code: 3, stdout: expect.stringContaining(words) });
  });

  test('is the only prompt of a scenario', async () => {
    const { run } = await fixtureOf(`prompt: Hello.\n${scenario('{ name: greet }')}`, AGENT);
    const { code, stderr } = await run();
    expect({ code, stderr }).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('the scenario has no "prompt"'),
    });
  });
});

test('an error of a tool is told from a mocked one', async () => {
  const { run, replay } = await fixtureOf(`
prompt: Look.
tools: [{ mcp: { command: [node, ${SHOP}] }, only: [lookup_order] }]
script: [{ tool_calls: [{ name: lookup_order, arguments: { id: Z } }] }, { content: Done. }]
assertions: [{ type: output_contains, value: Done }]
`);
  expect((await run(['-n', '1'])).code).toBe(0);
  expect((await replay()).stdout).toContain('✖ lookup_order tool failed');
});

test('a recording that is resumed keeps the answers that its first part got', async () => {
  const server = (await readFile(resolve(import.meta.dirname, 'hostile-server.mjs'), 'utf8')).replace(
    'function call(id) {',
    "function call(id) {\n  if (existsSync('broken')) process.exit(1);",
  );
  const { run, at, salvo } = await fixtureOf(
    `
prompt: Look.
tools:
  - { name: count, module: ./count.mjs, cassette: true, effect: read }
  - { mcp: { command: [node, server.mjs] }, only: [stock] }
script:
  - tool_calls: [{ name: count, arguments: {} }]
  - tool_calls: [{ name: stock, arguments: {} }]
  - content: Done.
assertions: [{ path: "tool_calls[0].result", eq: "1" }]
`,
    {
      broken: '',
      'server.mjs': `import { existsSync } from 'node:fs';\n${server}`,
      'count.mjs': `import { appendFileSync, readFileSync } from 'node:fs';
const file = import.meta.dirname + '/calls';
export const count = () => {
  appendFileSync(file, 'x');
  return String(readFileSync(file, 'utf8').length);
};
`,
    },
  );
  expect((await run(['-n', '2'])).code).toBe(3);
  await rm(at('broken'));
  expect(await salvo('run', '--resume', 'latest', '--cassettes', 'live')).toMatchObject({ code: 4 });
  expect(await salvo('run', '--resume', 'latest')).toMatchObject({ code: 0 });
  expect(await readFile(at('calls'), 'utf8')).toBe('x');
  expect((await run(['-n', '2'])).code).toBe(0);
});

describe('an MCP server of a trial', () => {
  test('gets the workspace and the services of the trial, and values of the row', async () => {
    const { run } = await fixtureOf(
      `
prompt: Look.
workspace: ./repo
services: [{ name: api, command: [node, api.mjs] }]
data: [{ tenant: north }, { tenant: south }]
tools:
  - { mcp: { command: [node, ${SHOP}, "", "\${SALVO_WORKSPACE}", "\${API_URL}/x", "{{tenant}}"] }, only: [inside] }
script: [{ tool_calls: [{ name: inside, arguments: {} }] }, { content: Done. }]
assertions:
  - { path: "tool_calls[0].result", regex: '"","/[^"]*/repo","http://127.0.0.1:[0-9]+/x","{{tenant}}"' }
  - { path: "tool_calls[0].result", regex: '"SALVO_WORKSPACE":"/[^"]*/repo"' }
  - { path: "tool_calls[0].result", regex: '"API_URL":"http://127.0.0.1:[0-9]+"' }
`,
      {
        'repo/a.txt': 'a',
        'api.mjs':
          "import { createServer } from 'node:http';\ncreateServer((_, r) => r.end()).listen(process.env.PORT);\n",
      },
    );
    expect(await run(['-n', '1'])).toMatchObject({ code: 0 });
  });

  test('can be a service of the scenario, also on a cassette', async () => {
    const { run, at } = await fixtureOf(
      `
prompt: Look.
services: [{ name: shop, command: [node, --no-warnings, ${JSON.stringify(resolve(import.meta.dirname, 'http-shop-service.ts'))}] }]
tools: [{ mcp: { url: "\${SHOP_URL}/mcp" }, cassette: true }]
script: [{ tool_calls: [{ name: stock, arguments: {} }] }, { content: Done. }]
assertions: [{ path: "tool_calls[0].result", contains: kettles }]
`,
    );
    expect(await run(['-n', '2'])).toMatchObject({ code: 0 });
    const recorded = await readFile(at('s.cassette.yaml'), 'utf8');
    expect(recorded).toContain(`\${SHOP_URL}/mcp`);
    expect(recorded).not.toContain('127.0.0.1');
    expect((await run(['-n', '2'])).code).toBe(0);
  });

  test('that no service has the address of is refused', async () => {
    const { run } = await fixtureOf(
      `prompt: Look.\ntools: [{ mcp: { url: "\${SHOP_URL}/mcp" } }]\nscript: [{ content: Done. }]\n`,
    );
    const { code, stderr } = await run();
    expect(code).toBe(4);
    expect(stderr).toContain(`\${SHOP_URL} is no address of this scenario`);
  });

  test('whose service never comes up makes the trials unscored', async () => {
    const { run } = await fixtureOf(`
prompt: Look.
services: [{ name: shop, command: [node, -e, "console.error('no disk'); process.exit(1)"] }]
tools: [{ mcp: { url: "\${SHOP_URL}/mcp" } }]
script: [{ content: Done. }]
assertions: [{ type: output_contains, value: Done }]
`);
    const { code, stdout } = await run(['--json']);
    expect({ code, stdout }).toMatchObject({ code: 3, stdout: expect.stringContaining('SERVICE_NOT_READY') });
    expect(stdout).toContain('no disk');
  });

  test('on a cassette is the same in all cases', async () => {
    const { run } = await fixtureOf(`
prompt: Look.
data: [{ tenant: north }]
tools: [{ mcp: { command: [node, shop.mjs, "{{tenant}}"] }, cassette: true }]
script: [{ content: Done. }]
`);
    expect(await run()).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('"mcp" of an entry with a cassette is the same in all cases'),
    });
  });
});
