import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { runCli, storedBytes } from '../cli/cli-fixture.ts';
import { projectFixture } from '../project-fixture.ts';
import { startHttpShop } from './http-shop.ts';

const SHOP = resolve(import.meta.dirname, 'shop-server.mjs');

/** None of the names says that the value is a secret. */
const VARIABLES = {
  SHOP_REGION: 'northern-light-4411',
  SHOP_COLOUR: 'velvet-morning-7720',
  RATES_LEVEL: 'quiet-river-9033',
  CHECK_STYLE: 'amber-field-5518',
};
const SECRETS = Object.values(VARIABLES);

const RATES = `
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
console.log('level ' + process.env.RATES_LEVEL);
writeFileSync('level.txt', 'the level is ' + process.env.RATES_LEVEL + '\\n');
if (process.argv[2] === 'ends') process.exit(1);
createServer((_, response) => response.end()).listen(process.env.PORT);
`;

const scenario = (url: string, fault = '') => `
prompt: Look.
workspace: ./repo
services: [{ name: rates, command: [node, rates.mjs, "${fault}"], run_in: workspace, env: [RATES_LEVEL] }]
tools:
  - { mcp: { command: [node, ${JSON.stringify(SHOP)}], env: [SHOP_REGION] }, only: [inside], cassette: true }
  - { mcp: { url: "${url}", headers: { Authorization: "\${SHOP_COLOUR}" } }, only: [who], cassette: true }
script:
  - tool_calls: [{ name: inside, arguments: {} }, { name: who, arguments: {} }]
  - content: Done.
assertions:
  - { type: command_succeeds, command: [node, -e, "console.log(process.env.CHECK_STYLE); process.exit(1)"], env: [CHECK_STYLE] }
  - { path: "tool_calls[1].result", contains: nothing }
`;

async function fixtureOf(text: string) {
  const files = { 'salvo.yaml': 'default_adapter: scripted\n', 's.yaml': text, 'repo/rates.mjs': RATES };
  const project = await projectFixture(files);
  const { root } = project;
  return {
    at: (file: string) => join(root, file),
    salvo: (...args: string[]) => runCli(args, { cwd: root, env: { ...VARIABLES, CI: '' } }),
    stored: () => storedBytes(project),
  };
}

test('variables that are passed on by name are stored and shown nowhere, whatever their names are', async () => {
  await using shop = await startHttpShop();
  const { at, salvo, stored } = await fixtureOf(scenario(shop.url));
  const run = await salvo('run', 's.yaml', '-n', '1', '--json');
  expect(run.code).toBe(1);
  // They were there.
  expect(shop.authorizations).toContain(VARIABLES.SHOP_COLOUR);
  const shown = [run, await salvo('replay', 's', '1'), await salvo('report', '--json'), await salvo('report')];
  const texts = shown.map(({ stdout, stderr }) => stdout + stderr).join('\n');
  expect(texts).toContain('[REDACTED:secret]');
  const cassette = await readFile(at('s.cassette.yaml'), 'utf8');
  expect(cassette).toContain('You are [REDACTED:secret].');
  const all = `${texts}\n${cassette}\n${await stored()}`;
  expect(SECRETS.filter((secret) => all.includes(secret))).toEqual([]);
});

test('nor in the error of a service that does not start, or of a resumed run', async () => {
  await using shop = await startHttpShop();
  const { at, salvo, stored } = await fixtureOf(scenario(shop.url, 'ends'));
  const run = await salvo('run', 's.yaml', '-n', '1', '--json');
  expect(run).toMatchObject({ code: 3, stdout: expect.stringContaining('level [REDACTED:secret]') });
  await writeFile(at('repo/wait.txt'), '');
  const resumed = await salvo('run', '--resume', 'latest', '--json');
  const all = [run, resumed].map(({ stdout, stderr }) => stdout + stderr).join('') + (await stored());
  expect(SECRETS.filter((secret) => all.includes(secret))).toEqual([]);
});
