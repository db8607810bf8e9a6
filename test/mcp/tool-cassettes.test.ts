import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documentOf, runCli, startCli } from '../cli/cli-fixture.ts';
import { isAlive } from '../is-alive.ts';
import { projectFixture } from '../project-fixture.ts';

const SHOP = resolve(import.meta.dirname, 'shop-server.mjs');
const SALVO_YAML = 'default_adapter: scripted\n';

const SCRIPT = `
script:
  - tool_calls: [{ name: lookup_order, arguments: { id: A-2 } }]
  - tool_calls: [{ name: cancel_order, arguments: { id: A-2 } }]
  - tool_calls: [{ name: lookup_order, arguments: { id: A-2 } }]
  - content: It is cancelled.
`;
const scenario = (entry: string) => `
prompt: Cancel A-2.
trials: 2
tools:
  - ${entry}
${SCRIPT}
assertions:
  - { type: tool_called, tool: cancel_order }
  - { path: "tool_calls[2].result", contains: cancelled }
`;
const ENTRY = `{ mcp: { command: [node, ${JSON.stringify(SHOP)}] }, only: [lookup_order, cancel_order], cassette: true }`;
const CASSETTE = 'scenarios/shop.cassette.yaml';

async function shopFixture(entry = ENTRY) {
  const project = await projectFixture({ 'salvo.yaml': SALVO_YAML, 'scenarios/shop.yaml': scenario(entry) });
  const run = (...args: string[]) => runCli(['run', ...args], { cwd: project.root });
  return { root: project.root, run, at: (file: string) => join(project.root, file) };
}

describe('tools of an MCP server on a cassette', () => {
  test('are called once, and then neither called nor needed; both runs and reeval have the same results', async () => {
    const { run, at, root } = await shopFixture();
    const recorded = await run('--json');
    expect(recorded).toMatchObject({ code: 0, stderr: expect.stringContaining(`recorded on ${CASSETTE}`) });
    const text = await readFile(at(CASSETTE), 'utf8');
    expect(text).toContain('status: cancelled');
    // Nothing of the server is there any more.
    const moved = scenario(ENTRY.replace(SHOP, '/nowhere/shop.mjs'));
    await writeFile(at('scenarios/shop.yaml'), moved);
    await writeFile(at(CASSETTE), text.replaceAll(SHOP, '/nowhere/shop.mjs'));
    const replayed = await run('--json');
    expect(replayed.code).toBe(0);
    const figures = (document: ReturnType<typeof documentOf>) =>
      document.scenarios.map(({ pass_rate, score_avg, trials_total }) => [pass_rate, score_avg, trials_total]);
    expect(figures(documentOf(replayed))).toEqual(figures(documentOf(recorded)));
    const again = await runCli(['reeval'], { cwd: root });
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('No trial was judged differently.') });
  });

  test('that the cassette lacks are not scored, and the message says what to do', async () => {
    const { run, at } = await shopFixture();
    await run();
    const text = await readFile(at('scenarios/shop.yaml'), 'utf8');
    await writeFile(at('scenarios/shop.yaml'), text.replaceAll('{ id: A-2 }', '{ id: A-1 }'));
    const { code, stdout } = await run('--json');
    expect(code).toBe(3);
    expect(stdout).toContain('TOOL_NOT_RECORDED');
    expect(stdout).toContain('differs in id: recorded \\"A-2\\", now \\"A-1\\"');
    expect(stdout).toContain('run scenarios/shop.yaml --cassettes record');
    expect((await run('--cassettes', 'record')).code).toBe(0);
    expect((await run()).code).toBe(0);
  });

  test('are named if no trial used them', async () => {
    const { run, at } = await shopFixture();
    await run();
    const shorter = (await readFile(at('scenarios/shop.yaml'), 'utf8')).replace(
      / {2}- tool_calls: .*cancel_order.*\n/,
      '',
    );
    await writeFile(at('scenarios/shop.yaml'), shorter.replace(/ {2}- \{ type: tool_called.*\n/, ''));
    const { stdout, stderr } = await run();
    expect(stdout + stderr).toContain('has 2 calls that no trial made: cancel_order {"id":"A-2"}; lookup_order');
  });

  test('are never recorded in CI, and never called with --cassettes replay', async () => {
    const { run, at, root } = await shopFixture();
    for (const args of [[], ['--cassettes', 'record']]) {
      const { code, stderr } = await runCli(['run', ...args], { cwd: root, env: { CI: 'true' } });
      expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining('Nothing is recorded in CI') });
    }
    expect(await run('--cassettes', 'replay')).toMatchObject({ code: 4 });
    expect(existsSync(at(CASSETTE))).toBe(false);
    expect((await run('--cassettes', 'live')).code).toBe(0);
    expect(existsSync(at(CASSETTE))).toBe(false);
    await run();
    expect((await runCli(['run'], { cwd: root, env: { CI: 'true' } })).code).toBe(0);
  });

  test('that cannot be read end the run before anything is called, and stay as they are', async () => {
    const { run, at } = await shopFixture();
    await writeFile(at(CASSETTE), 'version: 1\ntols: {}\n');
    for (const args of [[], ['--cassettes', 'record']]) {
      const { code, stderr } = await run(...args);
      expect(code).toBe(4);
      expect(stderr).toContain('shop.cassette.yaml:2:1 error [unknown-key]');
    }
    expect(await readFile(at(CASSETTE), 'utf8')).toBe('version: 1\ntols: {}\n');
  });

  test('of another choice of tools are not those that were recorded', async () => {
    const { run, at } = await shopFixture();
    await run();
    await writeFile(at('scenarios/shop.yaml'), scenario(ENTRY.replace('only: [lookup_order, cancel_order], ', '')));
    expect(await run()).toMatchObject({ code: 4, stderr: expect.stringContaining('are not on the cassette') });
  });
});

describe('an MCP server', () => {
  test('that fails makes its trials unscored, and others are scored', async () => {
    const { run, at } = await shopFixture(ENTRY.replace(', cassette: true', ''));
    const broken = ENTRY.replace(']', ', never]').replace(', cassette: true', '');
    await writeFile(at('scenarios/broken.yaml'), scenario(broken));
    const { code, stdout } = await run('--json');
    expect(code).toBe(3);
    expect(documentOf({ stdout }).scenarios.map(({ verdict }) => verdict)).toEqual(['UNSCORED', 'PASS']);
    expect(stdout).toContain('MCP_SERVER_FAILED');
    expect(stdout).toContain('cannot open the database');
  });

  test('is not started with --no-code', async () => {
    const { run } = await shopFixture();
    const { code, stderr } = await run('--no-code');
    expect(code).toBe(4);
    expect(stderr).toMatch(/shop\.yaml:5:\d+ error \[code-refused\] the command of an MCP server is code/);
  });

  test('is ended by Ctrl-C, with no process left behind', async () => {
    const { at, root } = await shopFixture(ENTRY.replace(']', ', hangs]').replace(', cassette: true', ''));
    const pids = at('pids');
    const server = `import { appendFileSync } from 'node:fs';\nappendFileSync(${JSON.stringify(pids)}, process.pid + '\\n');\nprocess.argv[2] = 'hangs';\nawait import(${JSON.stringify(SHOP)});\n`;
    await writeFile(at('scenarios/watched.mjs'), server);
    await writeFile(at('scenarios/shop.yaml'), scenario('{ mcp: { command: [node, watched.mjs] } }'));
    const started = startCli(['run', '-n', '1'], { cwd: root });
    const all = async () => (await readFile(pids, 'utf8').catch(() => '')).split('\n').filter(Boolean).map(Number);
    // One lists the tools, the other answers the trial.
    await expect.poll(async () => (await all()).length, { timeout: 60_000 }).toBe(2);
    started.child.kill('SIGINT');
    await started.untilStderrHas('again');
    started.child.kill('SIGINT');
    await started.result;
    await expect.poll(async () => (await all()).some(isAlive), { timeout: 20_000 }).toBe(false);
  });
});

describe('a module tool on a cassette', () => {
  const ofModule = (fields: string) => `
prompt: Find it.
tools:
  - { name: search, module: ./tools.mjs, cassette: ${fields} }
script:
  - tool_calls: [{ name: search, arguments: { q: kettle, at: 1 } }]
  - content: Found.
assertions:
  - { path: "tool_calls[0].result", contains: kettle }
`;
  const TOOLS = `export const search = ({ q }, { state }) => { if (state?.count !== undefined) state.count += 1; return { found: q }; };
search.description = 'Searches.';
`;
  const moduleFixture = async (text: string) => {
    const files = { 'salvo.yaml': SALVO_YAML, 'scenarios/a.yaml': text, 'scenarios/tools.mjs': TOOLS };
    const { root } = await projectFixture(files);
    return { root, run: (...args: string[]) => runCli(['run', ...args], { cwd: root }) };
  };

  test('needs its module only for the recording; a key of its own finds a call by some arguments', async () => {
    const { root, run } = await moduleFixture(ofModule('{ key: [q], file: ../recorded.yaml }'));
    expect((await run()).code).toBe(0);
    expect(await readFile(join(root, 'recorded.yaml'), 'utf8')).toContain('description: Searches.');
    await writeFile(join(root, 'scenarios/tools.mjs'), 'throw new Error("not loaded")');
    const text = await readFile(join(root, 'scenarios/a.yaml'), 'utf8');
    await writeFile(join(root, 'scenarios/a.yaml'), text.replace('at: 1', 'at: 2'));
    expect((await run()).code).toBe(0);
  });

  test('must not change the state, because a recorded answer would not', async () => {
    const { run } = await moduleFixture(`state: { count: 0 }\n${ofModule('true')}`);
    const { code, stdout } = await run('--json');
    expect(code).toBe(3);
    expect(stdout).toContain('changed the state of the trial');
    const declared = `state: { count: 0 }\n${ofModule('true, effect: write')}`;
    const fixture = await moduleFixture(declared);
    expect(await fixture.run()).toMatchObject({ code: 4, stderr: expect.stringContaining('changes no state') });
  });

  test('is loaded anew if its cassette is removed', async () => {
    const { root, run } = await moduleFixture(ofModule('true'));
    await run();
    await rename(join(root, 'scenarios/a.cassette.yaml'), join(root, 'scenarios/b.cassette.yaml'));
    // A cassette is no scenario.
    expect((await run()).code).toBe(0);
    expect(existsSync(join(root, 'scenarios/a.cassette.yaml'))).toBe(true);
    await rm(join(root, 'scenarios/b.cassette.yaml'));
  });
});
