import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, cp, readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  installationSize,
  installPackages,
  installTarball,
  type PackageName,
  packFolder,
  tarballOf,
} from '../api/installed-packages.ts';
import { runProgram, startCli } from '../cli/cli-fixture.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const MEGABYTE = 1_000_000;
const FILES = { 'salvo.yaml': 'scenarios_dir: .\n', 's.yaml': sampleScenario() };

/** An empty project in which packages are installed from their tarballs. */
function installed(names: readonly PackageName[], files: Record<string, string> = FILES) {
  let project: ProjectFixture;
  beforeAll(async () => {
    project = await projectFixture(files);
    await installPackages(project.root, names);
  }, 240_000);
  afterAll(() => project[Symbol.asyncDispose]());
  const options = () => ({ cwd: project.root, main: project.path('node_modules/salvo/bin/salvo.js') });
  return {
    project: () => project,
    salvo: (...args: string[]) => runProgram(args, options()),
    start: (...args: string[]) => startCli(args, options()),
  };
}

describe('each package', () => {
  it.each<[PackageName, string[]]>([
    ['salvo', ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'bin', 'dist', 'docs', 'package.json']],
    ['salvo-arena', ['LICENSE', 'dist', 'package.json']],
    ['salvo-postgres', ['LICENSE', 'dist', 'package.json']],
  ])('%s has what users need, and nothing of this machine', { timeout: 240_000 }, async (name, files) => {
    await using project = await projectFixture();
    await installTarball(project.root, { name, tarball: await tarballOf(name) });
    const folder = project.path(`node_modules/${name}`);
    expect(await readdir(folder)).toEqual(expect.arrayContaining(files));
    const all = (await readdir(folder, { recursive: true })).map((file) => file.replaceAll('\\', '/'));
    expect(all.filter((file) => /(?:\.test\.|^src\/|^test\/|^docs\/decisions)/.test(file))).toEqual([]);
    for (const file of all.filter((each) => /\.(?:[cm]?js|ts|json|md|ya?ml)$/.test(each))) {
      expect([file, (await readFile(join(folder, file), 'utf8')).includes(ROOT)]).toEqual([file, false]);
    }
  });

  it.each<PackageName>(['salvo-arena', 'salvo-postgres'])('%s belongs to the same version of salvo', async (name) => {
    const [own, salvo] = await Promise.all(
      [name, 'salvo'].map(async (each) => JSON.parse(await readFile(`packages/${each}/package.json`, 'utf8'))),
    );
    expect([own.version, own.peerDependencies]).toEqual([salvo.version, { salvo: salvo.version }]);
  });
});

describe('salvo alone', () => {
  const { project, salvo, start } = installed(['salvo']);

  it('has none of the packages of the others', async () => {
    const names = await readdir(project().path('node_modules'));
    expect(names.filter((name) => /^(?:pg|web-tree-sitter|salvo-.*)$/.test(name))).toEqual([]);
    const { packages, bytes } = await installationSize(project().root);
    expect(packages).toBeLessThan(15);
    expect(bytes).toBeLessThan(26 * MEGABYTE);
  });

  it('runs scenarios and shows them', async () => {
    expect(await salvo('run', '-n', '2', '--seed', '1')).toMatchObject({ code: 0, stderr: '' });
    const viewer = start('view', '--no-open', '--port', '0');
    let printed = '';
    viewer.child.stdout?.on('data', (part) => {
      printed += part;
    });
    await Promise.race([once(viewer.child.stdout ?? process.stdin, 'data'), viewer.result]);
    expect([printed, viewer.stderr()]).toEqual([expect.stringMatching(/^http:/), expect.anything()]);
    const entry = await fetch(new URL(printed.trim()), { redirect: 'manual' });
    const cookie = entry.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const page = await fetch(new URL('/', printed.trim()), { headers: { cookie } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="page">')]);
    viewer.child.kill('SIGINT');
    await viewer.result;
  });

  it.each([
    [['game'], '`salvo game`', 'salvo-arena'],
    [['score', '--help'], '`salvo score`', 'salvo-arena'],
    [['worker'], '`salvo worker`', 'salvo-postgres'],
    [['run', '--local-workers', '2'], 'The option --local-workers', 'salvo-postgres'],
  ])('%j says how to install what it needs', async (args, what, name) => {
    const message = `${what} is part of the package ${name}, which is not installed. Run: npm install --save-dev ${name}\n`;
    expect(await salvo(...args)).toMatchObject({ code: 4, stdout: '', stderr: message });
  });

  it('says the same for an assertion', async () => {
    const findings = sampleScenario({ assertions: [{ type: 'findings', manifest: 'manifest.json' }] });
    await project().write('findings.yaml', findings);
    await project().write('manifest.json', '[]');
    const ofArena = await salvo('run', 'findings.yaml');
    expect([ofArena.code, ofArena.stderr]).toEqual([4, expect.stringContaining('npm install --save-dev salvo-arena')]);
  });

  it('says which client an MCP server needs, before anything is run', async () => {
    await project().write('mcp.yaml', sampleScenario({ tools: [{ mcp: { command: ['node', 'shop.mjs'] } }] }));
    const ofMcp = await salvo('run', 'mcp.yaml');
    await rm(project().path('mcp.yaml'));
    expect(ofMcp).toMatchObject({ code: 4, stdout: '' });
    expect(ofMcp.stderr).toContain('npm install --save-dev @modelcontextprotocol/client');
    expect(ofMcp.stderr).not.toMatch(/^ +at /m);
  });

  it('says the same for a database', async () => {
    await project().write('salvo.yaml', 'scenarios_dir: .\ndatabase_url: postgres://salvo@127.0.0.1:1/salvo\n');
    const ofPostgres = await salvo('run', 's.yaml');
    await project().write('salvo.yaml', FILES['salvo.yaml']);
    expect([ofPostgres.code, ofPostgres.stderr]).toEqual([
      4,
      expect.stringContaining('npm install --save-dev salvo-postgres'),
    ]);
  });

  // A terminal of util-linux.
  it.runIf(process.platform === 'linux')('offers to install it on a terminal, and goes on', async () => {
    const own = await projectFixture();
    await using _ = own;
    await installPackages(own.root, ['salvo']);
    // In place of npm: there is no network.
    await own.write(
      'bin/npm',
      `#!/bin/sh
mkdir -p node_modules/salvo-arena && tar -xzf ${await tarballOf('salvo-arena')} -C node_modules/salvo-arena --strip-components=1
echo "$*" > installed
`,
    );
    await chmod(own.path('bin/npm'), 0o755);
    const command = `${process.execPath} node_modules/salvo/bin/salvo.js tasks --json`;
    const typed = (env: Record<string, string>) => {
      const shown = spawn('script', ['-qec', command, '/dev/null'], {
        cwd: own.root,
        env: { PATH: `${own.path('bin')}:/usr/bin:/bin`, HOME: own.root, TERM: 'xterm', ...env },
      });
      shown.stdin.write('y\n');
      return text(shown.stdout);
    };
    expect(await typed({ CI: 'true' })).not.toContain('(y/N)');
    expect(await typed({})).toMatch(/Install salvo-arena now\? \(y\/N\)[\s\S]*"tasks": \[/);
    expect(await readFile(own.path('installed'), 'utf8')).toMatch(/^install --save-dev salvo-arena@\d/);
  });

  it('lists only its own commands', async () => {
    const { stdout } = await salvo('--help');
    expect(stdout).toContain('\n  run ');
    expect(stdout).not.toMatch(/\n {2}(?:game|worker) /);
    expect((await salvo('run', '--help')).stdout).not.toContain('--local-workers');
  });
});

describe('salvo and salvo-arena', () => {
  const { project, salvo } = installed(['salvo', 'salvo-arena']);

  it('score findings and play a game', async () => {
    await cp(join(ROOT, 'examples/judge-agent'), project().root, { recursive: true });
    const { stdout } = await salvo('score', '--red', 'manifest.json', '--blue', 'checkov.json');
    expect(stdout).toContain('80%');
    expect(await salvo('game', '--seed', '7')).toMatchObject({ code: expect.toBeOneOf([0, 1]) });
    expect((await salvo('--help')).stdout).toMatch(/\n {2}game /);
  });

  it('match findings in a program that has no file and no adapter', async () => {
    await project().write(
      'match.mjs',
      `import { JudgeAgent } from 'salvo-arena/match';
      const vulnerabilities = [{ vuln_id: 'V1', type: 'public_bucket', resource: 'aws_s3_bucket.logs', description: 'Public.' }];
      const findings = [{ finding_id: 'F1', type: 'public_bucket', resource: 'aws_s3_bucket.logs', description: 'Public.' }];
      console.log(new JudgeAgent({ matcher: 'documented' }).score({ vulnerabilities }, findings).recall);`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, ['match.mjs'], { cwd: project().root, env: {} });
    expect(stdout).toBe('1\n');
  });

  it('still say how to install salvo-postgres', async () => {
    expect(await salvo('attach')).toMatchObject({ code: 4, stderr: expect.stringContaining('salvo-postgres') });
  });
});

describe('salvo and salvo-postgres', () => {
  const { salvo } = installed(['salvo', 'salvo-postgres']);

  it('have workers, and their options of other commands', async () => {
    expect(await salvo('worker', '--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('--allow-code') });
    expect((await salvo('run', '--help')).stdout).toContain('--local-workers');
    expect(await salvo('game')).toMatchObject({ code: 4, stderr: expect.stringContaining('salvo-arena') });
  });
});

describe('the example of an extension', () => {
  const { project, salvo } = installed(['salvo'], {
    'salvo.yaml': 'plugins: [salvo-hello]\ndefault_adapter: hello\nscenarios_dir: .\n',
    's.yaml': 'prompt: hi\nassertions:\n  - { type: greets, with: Hello }\n',
  });

  it('is not installed at first, and the settings say so', async () => {
    const { code, stdout } = await salvo('validate');
    expect([code, stdout]).toEqual([4, expect.stringContaining('salvo.yaml:1:11 error [missing-file]')]);
    expect(stdout).toContain('npm install --save-dev salvo-hello');
  });

  describe('when it is installed', () => {
    beforeAll(async () => {
      const tarball = await packFolder(join(ROOT, 'examples/extension'));
      await installTarball(project().root, { name: 'salvo-hello', tarball });
    });

    it('adds a command, also to the help', async () => {
      expect(await salvo('hello', 'Ada')).toMatchObject({ code: 0, stdout: 'Hello, Ada!\n', stderr: '' });
      expect((await salvo('--help')).stdout).toMatch(/salvo-hello:\n {2}hello \[name\] +greet somebody/);
      expect((await salvo('hello', '--help')).stdout).toContain('salvo hello Ada   greet somebody');
    });

    it('adds an adapter, an assertion type and an option of run', async () => {
      expect(await salvo('run', '-n', '1')).toMatchObject({ code: 0, stderr: '' });
      expect(await salvo('run', '-n', '1', '--greeting', 'Bye')).toMatchObject({ code: 1 });
      expect((await salvo('run', '--help')).stdout).toContain('--greeting <word>');
      const { code, stderr } = await salvo('run', '-n', '1', '--greetings', 'Bye');
      expect([code, stderr]).toEqual([4, expect.stringContaining('Did you mean --greeting?')]);
    });

    it('adds the schema of a document', async () => {
      const printed = await salvo('hello', '--json');
      const { code, stdout } = await salvo('schema', 'hello');
      expect([code, Object.keys(JSON.parse(stdout).properties)]).toEqual([0, Object.keys(JSON.parse(printed.stdout))]);
    });

    it('is not executed with --no-code', async () => {
      expect(await salvo('hello', '--no-code')).toMatchObject({ code: 4, stdout: '' });
      expect((await salvo('--help', '--no-code')).stdout).not.toContain('salvo-hello');
      expect((await salvo('run', '--no-code')).stderr).toContain('salvo.yaml:1:11');
    });
  });
});

it('every example of a package is in its tarball where its commands look for it', { timeout: 240_000 }, async () => {
  await using project = await projectFixture();
  await installPackages(project.root, ['salvo', 'salvo-arena']);
  for (const example of ['salvo/dist/examples/starter', 'salvo-arena/dist/examples/judge-agent']) {
    await expect(access(project.path(`node_modules/${example}`))).resolves.toBeUndefined();
  }
});
