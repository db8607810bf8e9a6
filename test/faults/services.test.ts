import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test, vi } from 'vitest';
import { documentOf, runCli, startCli } from '../cli/cli-fixture.ts';
import { isAlive } from '../is-alive.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';

const SERVER = `
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
createServer((request, response) => {
  if (request.url === '/die') { console.error('the database is gone'); process.exit(7); }
  response.end('hello from ' + request.url);
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening'));
writeFileSync(new URL('./pid', import.meta.url), String(process.pid));
`;
const AGENT = `
export default async ({ services }) => (await fetch(services.shop.url + '/orders')).text();
`;

/** A project with a service of this code, and the lines of the service and of the scenario. */
function files(
  server = SERVER,
  { service = '', scenario = '' }: { service?: string; scenario?: string } = {},
): Record<string, string> {
  return {
    'server.mjs': server,
    'agent.mjs': AGENT,
    's.yaml': `prompt: Call it.\nadapter: ./agent.mjs\ntrials: 1
services: [{ name: shop, command: [node, server.mjs]${service} }]
assertions: [{ type: output_contains, value: hello from /orders }]\n${scenario}`,
  };
}

async function run(project: ProjectFixture, ...args: string[]) {
  const result = await runCli(['run', 's.yaml', '--json', ...args], { cwd: project.root });
  const [trial] = documentOf(result).scenarios[0]?.trials ?? [];
  return { ...result, trial };
}

function pidIn(project: ProjectFixture, name = 'pid'): number {
  return Number(readFileSync(project.path(name), 'utf8'));
}

async function untilGone(...pids: number[]): Promise<void> {
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), 30_000);
}

test.each([
  ['it accepts connections', ''],
  ['a path answers', ', ready: { http: /health }'],
  ['it prints a line', ', ready: { line: listening }'],
])('an agent calls a service, which is up when %s, and gone after the trial', async (_, service) => {
  await using project = await projectFixture(files(SERVER, { service }));
  const { code, stdout } = await run(project);
  expect(code, stdout).toBe(0);
  await untilGone(pidIn(project));
});

test('programs find a service by its variable, and so do the services after it', async () => {
  await using project = await projectFixture({
    ...files(),
    's.yaml': `prompt: Call it.\nadapter: mine\ntrials: 1\nworkspace: {}
services:
  - { name: shop, command: [node, server.mjs] }
  - { name: front-desk, command: [node, second.mjs], port_env: MY_PORT, url_env: DESK }
assertions: [{ type: output_contains, value: hello from /x }, { type: command_succeeds, command: [sh, -c, "test -n $DESK -a -n $SHOP_URL"] }]\n`,
    'second.mjs': `import { createServer } from 'node:http';
createServer(async (_, response) => response.end(await (await fetch(process.env.SHOP_URL + '/x')).text())).listen(process.env.MY_PORT, '127.0.0.1');`,
    'salvo.yaml': 'adapters: { mine: { type: exec, command: [node, ./program.mjs], run_in: workspace } }',
    'program.mjs': `const answer = await (await fetch(process.env.DESK)).text();
console.log(JSON.stringify({ content: answer + ' ' + (process.cwd() === process.env.SALVO_WORKSPACE) }));`,
  });
  const { code, stdout, stderr } = await run(project);
  expect(code, stdout + stderr).toBe(0);
});

test('tools of a module and hooks find the workspace and the services, too', async () => {
  await using project = await projectFixture({
    ...files(),
    'salvo.yaml': 'hooks: ./hooks.mjs',
    'hooks.mjs': `import { writeFileSync } from 'node:fs';
export async function setupTrial({ workspace, services }) {
  writeFileSync(workspace + '/set-up', await (await fetch(services.shop.url + '/a')).text());
}`,
    'tools.mjs': `import { readFileSync } from 'node:fs';
export async function look(_, { workspace, services }) {
  return readFileSync(workspace + '/set-up', 'utf8') + ', ' + (await (await fetch(services.shop.url + '/b')).text());
}`,
    'agent.mjs': `export default async ({ callTool }) => (await callTool('look')).content;`,
    's.yaml': `prompt: Call it.\nadapter: ./agent.mjs\ntrials: 1\nworkspace: {}
services: [{ name: shop, command: [node, server.mjs] }]
tools: [{ name: look, module: ./tools.mjs }]
assertions: [{ type: output_contains, value: "hello from /a, hello from /b" }]\n`,
  });
  const { code, stdout } = await run(project);
  expect(code, stdout).toBe(0);
});

test.each([
  [
    'ends at once',
    `console.error('no config');\nprocess.exit(2);`,
    '',
    /ended with exit code 2 before it was up\. Its last lines:\nno config/,
  ],
  ['prints nothing', 'process.exit(2);', '', /exit code 2 before it was up\. It printed nothing\./],
  [
    'never listens',
    'console.log("thinking"); setInterval(() => {}, 1000);',
    ', timeout_seconds: 1',
    /was not up after 1 s: nothing accepts connections at 127.0.0.1:\d+, the port in \$PORT\. Its last lines:\nthinking/,
  ],
  [
    'never is healthy',
    SERVER.replace('response.end(', 'response.writeHead(503).end('),
    ', timeout_seconds: 2, ready: { http: /health }',
    /\/health does not answer with 2xx or 3xx/,
  ],
  [
    'never prints its line',
    SERVER.replace('listening', 'hi'),
    ', timeout_seconds: 2, ready: { line: listening }',
    /it has not printed "listening"/,
  ],
])(
  'a service that %s: the trial is not scored, and the message has its last lines',
  async (_, server, service, message) => {
    await using project = await projectFixture(files(server, { service }));
    const { code, trial } = await run(project);
    expect(code).toBe(3);
    expect(trial).toMatchObject({ status: 'unscored', error_code: 'SERVICE_NOT_READY', trace_id: null });
    expect(trial?.error_message).toMatch(message);
  },
);

test('a service that was never up is not started for all trials', async () => {
  const counting = `import { appendFileSync } from 'node:fs';
appendFileSync(new URL('./starts', import.meta.url), 'x');\nprocess.exit(1);`;
  await using project = await projectFixture(files(counting));
  const { code, stdout } = await run(project, '-n', '6', '--concurrency', '1');
  expect(code).toBe(3);
  expect(readFileSync(project.path('starts'), 'utf8')).toBe('xxx');
  expect(stdout).toContain('was not up in the first 3 trials, and was not started again.');
});

test('a program that does not exist is named', async () => {
  await using project = await projectFixture({
    ...files(),
    's.yaml': files()['s.yaml']?.replace('node,', 'no-such-program,') ?? '',
  });
  const { trial } = await run(project);
  expect(trial?.error_message).toMatch(/could not be started: there is no program no-such-program on this machine\.$/);
});

test('a service that dies during the trial: what the agent did is not scored, whatever it answered', async () => {
  await using project = await projectFixture({
    ...files(),
    'agent.mjs': `export default async ({ services }) => {
  await fetch(services.shop.url + '/die').catch(() => {});
  while (await fetch(services.shop.url).then(() => true, () => false));
  return 'hello from /orders';
};`,
  });
  const { code, trial } = await run(project);
  expect(code).toBe(3);
  expect(trial).toMatchObject({ status: 'unscored', error_code: 'SERVICE_ENDED' });
  expect(trial?.error_message).toMatch(/"shop" ended with exit code 7 during the trial[\s\S]*the database is gone/);
});

test('a service that listens no more, and does not end, is as good as gone; one that never listens is not', async () => {
  const closing = SERVER.replace('createServer(', 'const server = createServer(').replace(
    /if \(request.url === '\/die'\).*\n/,
    'if (request.url === "/orders") server.close();\n',
  );
  await using project = await projectFixture(files(`${closing}\nsetInterval(() => {}, 1000);`));
  const { trial } = await run(project);
  expect(trial).toMatchObject({ error_code: 'SERVICE_ENDED' });
  expect(trial?.error_message).toMatch(/stopped accepting connections at 127.0.0.1:\d+ during the trial/);
  const quiet = `console.log('working'); setInterval(() => {}, 1000);`;
  await using other = await projectFixture({
    ...files(quiet, { service: ', ready: { line: working }' }),
    'agent.mjs': `export default () => 'hello from /orders';`,
  });
  expect((await run(other)).code).toBe(0);
});

test('a port that another program has taken meanwhile is replaced by another', async () => {
  const once = `import { existsSync, writeFileSync } from 'node:fs';
if (!existsSync('second')) { writeFileSync('second', ''); console.error('Error: listen EADDRINUSE'); process.exit(1); }\n`;
  await using project = await projectFixture(files(`${once}${SERVER.replace(/import \{ writeFileSync.*\n/, '')}`));
  expect((await run(project)).code).toBe(0);
});

test('a service that ignores SIGTERM, and the processes that it started, are killed', async () => {
  const stubborn = `${SERVER}
process.on('SIGTERM', () => {});
const { spawn } = await import('node:child_process');
const child = spawn('sh', ['-c', "trap '' TERM; sleep 600"], { stdio: 'ignore' });
writeFileSync(new URL('./child', import.meta.url), String(child.pid));\n`;
  await using project = await projectFixture(files(stubborn));
  expect((await run(project)).code).toBe(0);
  await untilGone(pidIn(project), pidIn(project, 'child'));
});

const WAITING = {
  ...files(SERVER, { scenario: 'workspace: {}\n' }),
  wait: '',
  'agent.mjs': `import { existsSync, writeFileSync } from 'node:fs';
export default async ({ workspace }) => {
  writeFileSync(new URL('./workspace', import.meta.url), workspace);
  while (existsSync(new URL('./wait', import.meta.url))) await new Promise((resolve) => setTimeout(resolve, 10));
  return 'hello from /orders';
};`,
};

async function untilWorking(project: ProjectFixture): Promise<string> {
  return await vi.waitFor(() => {
    const workspace = readFileSync(project.path('workspace'), 'utf8');
    expect(existsSync(workspace)).toBe(true);
    return workspace;
  }, 60_000);
}

test('after kill -9 of Salvo, neither its services nor its workspaces are left', async () => {
  await using project = await projectFixture(WAITING);
  const { child, result } = startCli(['run', 's.yaml'], { cwd: project.root });
  const workspace = await untilWorking(project);
  expect(isAlive(pidIn(project))).toBe(true);
  child.kill('SIGKILL');
  await result;
  await untilGone(pidIn(project));
  await vi.waitFor(() => expect(existsSync(dirname(workspace))).toBe(false), 30_000);
});

test('after Ctrl-C twice, neither its services nor its workspaces are left', async () => {
  await using project = await projectFixture(WAITING);
  const { child, result, untilStderrHas } = startCli(['run', 's.yaml'], { cwd: project.root });
  const workspace = await untilWorking(project);
  child.kill('SIGINT');
  await untilStderrHas('Finishing');
  child.kill('SIGINT');
  expect((await result).code).toBe(3);
  await untilGone(pidIn(project));
  await vi.waitFor(() => expect(existsSync(dirname(workspace))).toBe(false), 30_000);
});

test('Ctrl-C gives up a service that is not up yet', async () => {
  const never = `import { writeFileSync } from 'node:fs';
writeFileSync(new URL('./pid', import.meta.url), String(process.pid));\nsetInterval(() => {}, 1000);`;
  await using project = await projectFixture(files(never, { service: ', timeout_seconds: 600' }));
  rmSync(project.path('pid'), { force: true });
  const { child, result } = startCli(['run', 's.yaml'], { cwd: project.root });
  await vi.waitFor(() => expect(pidIn(project)).toBeGreaterThan(0), 60_000);
  child.kill('SIGINT');
  expect((await result).code).toBe(3);
  await untilGone(pidIn(project));
});
