import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProject } from '../../packages/salvo/src/app/project/open-project.ts';
import { BUNDLED_APPS } from '../api/bundled-apps.ts';
import { allExamples, docsBlocks } from '../api/docs-examples.ts';
import { installPackages } from '../api/installed-packages.ts';
import { TEST_PROJECT } from '../api/test-files.ts';
import { builtSources } from '../built-package.ts';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');

/** A folder in which all packages are installed as npm would do it. */
let consumer: string;
let dist: string;

beforeAll(async () => {
  consumer = await mkdtemp(join(tmpdir(), 'salvo-package-'));
  dist = join(consumer, 'node_modules/salvo/dist');
  await installPackages(consumer, ['salvo', 'salvo-arena', 'salvo-postgres']);
  await mkdir(join(consumer, 'node_modules/@anthropic-ai'));
  for (const name of ['ai', 'vitest', 'openai', '@anthropic-ai/sdk']) {
    await symlink(join(ROOT, 'node_modules', name), join(consumer, 'node_modules', name));
  }
}, 240_000);

afterAll(() => rm(consumer, { recursive: true, force: true }));

describe('an app that bundles everything and runs where no package is installed', () => {
  let elsewhere: string;
  const fileOf = (entry: string) => `${entry.replace('/', '-')}.js`;

  beforeAll(async () => {
    const apps = join(consumer, 'apps');
    await mkdir(apps);
    for (const { entry, source } of BUNDLED_APPS) await writeFile(join(apps, fileOf(entry)), source);
    elsewhere = await mkdtemp(join(tmpdir(), 'salvo-elsewhere-'));
    await writeFile(join(elsewhere, 'package.json'), '{ "type": "module" }');
    const input = BUNDLED_APPS.map(({ entry }) => join(apps, fileOf(entry)));
    const build = await rolldown({ input, platform: 'node', logLevel: 'silent' });
    await build.write({ dir: elsewhere, format: 'esm' });
    await build.close();
  }, 120_000);

  afterAll(() => rm(elsewhere, { recursive: true }));

  it.each(BUNDLED_APPS)('can use $entry', async ({ entry, prints }) => {
    const { stdout } = await run(process.execPath, [join(elsewhere, fileOf(entry))], { cwd: elsewhere, env: {} });
    expect(stdout.trim().split('\n')).toEqual(prints);
  });
});

describe('the examples of docs/api.md', () => {
  const blocks = docsBlocks('docs/api.md');
  const examples = blocks.filter((block) => block.kind === 'example');

  it('use every entry, and say what they print', () => {
    for (const entry of ['salvo', 'salvo/judge', 'salvo-arena/match', 'salvo-arena']) {
      expect(examples.filter(({ code }) => code.includes(`from '${entry}';`)).length).toBeGreaterThan(1);
    }
    expect(examples.filter(({ prints }) => prints === '')).toEqual([]);
  });

  it('run one after the other in one folder, and print what the page says', { timeout: 240_000 }, async () => {
    const folder = join(consumer, 'run');
    // One process for all of them: loading the package takes longer than most examples.
    const lines = [`import { mkdirSync, writeFileSync } from 'node:fs';`];
    for (const [index, block] of blocks.entries()) {
      const path = block.kind === 'file' ? block.path : `example-${index}.mts`;
      const text = block.kind === 'file' ? block.text : block.code;
      lines.push(
        `mkdirSync(${JSON.stringify(dirname(join(folder, path)))}, { recursive: true });`,
        `writeFileSync(${JSON.stringify(path)}, ${JSON.stringify(text)});`,
      );
      if (block.kind === 'example') {
        lines.push(`console.log(${JSON.stringify(`# ${block.title}`)});`, `await import('./${path}');`);
      }
    }
    await mkdir(folder);
    await writeFile(join(folder, 'all.mjs'), lines.join('\n'));
    const { stdout } = await run(process.execPath, ['all.mjs'], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '' },
    });
    expect(stdout).toBe(examples.map(({ title, prints }) => `# ${title}\n${prints}`).join(''));
  });
});

describe('the examples of all pages', () => {
  it.each([
    // With the declarations themselves.
    ['nodenext', 'nodenext', 'false'],
    // Only which declarations are found differs, not what is in them.
    ['esnext', 'bundler', 'true'],
  ] as const)('compile as %s modules with %s resolution', async (module, resolution, skipLibCheck) => {
    const folder = join(consumer, `compiled-${resolution}`);
    // It shows that types are checked at all.
    const wrong = { file: 'wrong.mts', code: `import { runFiles } from 'salvo';\nawait runFiles({ trails: 3 });\n` };
    const examples = [wrong, ...allExamples()];
    await mkdir(folder);
    for (const { file, code } of examples) await writeFile(join(folder, file), code);
    await cp(join(ROOT, 'examples/vitest'), join(folder, 'vitest'), { recursive: true });
    const { stdout } = await run(
      process.execPath,
      [
        join(ROOT, 'node_modules/typescript/bin/tsc'),
        ...['--strict', '--noEmit', '--skipLibCheck', skipLibCheck, '--target', 'es2024'],
        ...['--lib', 'es2024,esnext.disposable', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')],
        ...['--module', module, '--moduleResolution', resolution, '--allowImportingTsExtensions'],
        ...examples.map(({ file }) => file),
        'vitest/support.test.ts',
      ],
      { cwd: folder },
    ).catch((error: { stdout: string }) => error);

    // The declarations of the AI SDK need the types of a browser.
    const ours = stdout
      .trim()
      .split('\n')
      .filter((line) => !/node_modules\/(?:ai|@ai-sdk)\//.test(line));
    expect(ours).toEqual([expect.stringMatching(/^wrong\.mts\(2,18\): error TS2561/)]);
  });
});

describe('the command', () => {
  it('checks the version of Node before it loads anything', async () => {
    const text = await readFile(join(dist, 'cli/main.js'), 'utf8');
    expect(text).not.toMatch(/^import\b(?!\()/m);
    expect(text.indexOf('process.versions.node')).toBeLessThan(text.indexOf('import('));
  });

  it('has the pages of the viewer, and needs no package for them', async () => {
    expect(await readdir(join(dist, 'web'))).toEqual(['assets', 'index.html']);
    const { dependencies } = JSON.parse(await readFile(join(ROOT, 'packages/salvo/package.json'), 'utf8'));
    expect(Object.keys(dependencies).filter((name) => /react|vite|tanstack|wouter|font/.test(name))).toEqual([]);
  });

  it('runs nothing when it is installed: npm warns about a tarball with such scripts', async () => {
    for (const name of ['salvo', 'salvo-arena', 'salvo-postgres']) {
      const { scripts } = JSON.parse(await readFile(join(ROOT, `packages/${name}/package.json`), 'utf8'));
      const run = Object.keys(scripts).filter((script) => /^(?:preinstall|install|postinstall|prepare)$/.test(script));
      expect([name, run]).toEqual([name, []]);
    }
  });
});

describe('a project whose tests use the package', () => {
  let project: string;

  beforeAll(async () => {
    project = join(consumer, 'tested');
    for (const [name, text] of Object.entries(TEST_PROJECT)) {
      await mkdir(dirname(join(project, name)), { recursive: true });
      await writeFile(join(project, name), text);
    }
  });

  it('has the outcome of each test in Vitest, and every run in the store', async () => {
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const report = join(project, 'report.json');
    await run(
      process.execPath,
      [vitest, 'run', '--root', project, '--reporter=json', '--outputFile', report, '--maxWorkers=2', '--dir', 'unit'],
      { cwd: project, env: { PATH: process.env.PATH ?? '' } },
    ).catch(() => {});
    const { testResults }: { testResults: { assertionResults: VitestResult[] }[] } = JSON.parse(
      await readFile(report, 'utf8'),
    );
    const results = testResults.flatMap(({ assertionResults }) => assertionResults);
    const named = (title: string) => results.find((result) => result.title === title);
    const unexpected = results.filter(
      ({ title, status }) => !status.startsWith(title.split(' ')[0]?.slice(0, 4) ?? ''),
    );
    expect(unexpected).toEqual([]);
    expect(results).toHaveLength(16);
    const [failure = ''] = named('fails in its words')?.failureMessages ?? [];
    expect(failure).toContain('Expected every trial to call "look_up", but none of 2 did.');
    expect(failure).toContain('agent: Hello! My key is [REDACTED:api_key].');
    expect(failure).toMatch(/\$ salvo replay '\w{10}\/greeting > fails in its words' 1/);
    expect(named('fails unscored')?.failureMessages[0]).toMatch(/^UnscoredError: Could not be scored: trial 1: /);
    expect(await readdir(project)).toContain('aborted');

    const stored = await storedRuns();
    expect(stored.filter(({ file }) => file === 'unit/many.test.ts')).toEqual(
      [1, 2, 3, 4, 5].map((number) => ({
        ...{ name: `passes in another process ${number}`, file: 'unit/many.test.ts', verdict: 'PASS' },
        assertions: 20,
      })),
    );
    const inSuite = (name: string, verdict: string, assertions: number) => ({
      ...{ name: `greeting > ${name}`, file: 'unit/greeting.test.ts', verdict, assertions },
    });
    expect(stored.filter(({ file }) => file !== 'unit/many.test.ts')).toEqual(
      [
        { name: 'greeting', file: 'scenarios/greeting.yaml', verdict: 'PASS', assertions: 2 },
        inSuite('fails by its timeout', 'UNSCORED', 0),
        inSuite('fails in its words', 'FAIL', 2),
        inSuite('fails unscored', 'UNSCORED', 0),
        inSuite('passes beside others 1', 'PASS', 1),
        inSuite('passes beside others 2', 'PASS', 2),
        inSuite('passes beside others 3', 'PASS', 3),
        inSuite('skips unscored', 'UNSCORED', 0),
        inSuite('skips with its scenario', 'UNSCORED', 0),
      ].sort((a, b) => a.name.localeCompare(b.name)),
    );
  });

  it('has the same outcomes under node:test', async () => {
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', 'node/greeting.test.mjs'], {
      cwd: project,
      env: { PATH: process.env.PATH ?? '', SALVO_STORE: 'off' },
    }).catch((error: { stdout: string }) => error);
    const outcomes = stdout
      .match(/^ *(?:not )?ok \d+ - (?:passes|fails|unscored|skipped).*$/gm)
      ?.map((line) => line.trim());
    expect(outcomes).toEqual([
      'ok 1 - passes',
      'not ok 2 - fails',
      'not ok 3 - unscored',
      expect.stringMatching(/^(?:not )?ok 4 - skipped # SKIP Could not be scored: trial 1: /),
    ]);
    expect(stdout).toContain('Expected the agent to call look_up, but it did not.');
    expect(stdout).toContain("operator: 'toCallToolsInOrder'");
    expect(stdout).toContain('Could not be scored: trial 1: the scenario has no assertions, so nothing was checked');
  });

  interface VitestResult {
    title: string;
    status: string;
    failureMessages: string[];
  }

  async function storedRuns() {
    await using opened = await openProject({ cwd: project, env: {} });
    const runs = await Promise.all(
      (await opened.store.listRuns()).map(async ({ run_id, verdict, scenarios: [scenario] }) => {
        const trials = await Array.fromAsync(opened.store.trials(run_id));
        const assertions = trials.reduce((sum, { result }) => sum + (result?.eval_results.length ?? 0), 0);
        return { name: scenario?.name ?? '', file: scenario?.file ?? '', verdict, assertions };
      }),
    );
    return runs.sort((a, b) => a.name.localeCompare(b.name));
  }
});

describe('importing', () => {
  it('salvo-arena/match loads no adapter, no model and no judge', async () => {
    const modules = await loadedModules('salvo-arena', 'match.js');
    expect(modules).toContain('salvo-arena/match/judge-agent');
    const light = /^salvo-arena\/(?:match|iac)(?:\/|$)|^salvo\/(?:text|stats|secrets|kit)\//;
    expect(modules.filter((name) => !light.test(name))).toEqual([]);
  });

  it.each([
    ['salvo', 'index.js'],
    ['salvo-arena', 'index.js'],
  ])('%s loads no server, no page of the viewer and no report', async (name, entry) => {
    const modules = await loadedModules(name, entry);
    expect(modules).toContain('salvo/app/project/open-project');
    const heavy =
      /^[\w-]+\/(?:server|app\/view\/(?!address-parts|page-hrefs)|report\/(?:compare|experiment|run\/(?:formats|terminal))\/)/;
    expect(modules.filter((each) => heavy.test(each))).toEqual([]);
  });

  it('any entry but salvo/vitest works without Vitest', async () => {
    const needsVitest = async (entry: string) =>
      (await loadedFiles('salvo', entry)).some(({ text }) => /^import\b[^;]*"vitest";$/m.test(text));
    const entries = (await readdir(dist)).filter((file) => file.endsWith('.js'));
    const needing = await Promise.all(entries.map(async (entry) => ((await needsVitest(entry)) ? [entry] : [])));
    expect(needing.flat()).toEqual(['vitest.js']);
  });

  /** The sources of all files that are loaded at once: `salvo/text/words/names`. */
  async function loadedModules(name: string, entry: string): Promise<string[]> {
    const sources = await builtSources();
    const files = await loadedFiles(name, entry);
    return files
      .flatMap(({ path }) => sources[path] ?? [])
      .filter((source) => !source.startsWith('..') && source.endsWith('.js'))
      .map((source) => source.replace('/src/', '/').replace(/\.js$/, ''));
  }

  /** An entry with all files of the packages that are loaded at once, by their paths from the folder of the packages. */
  async function loadedFiles(name: string, entry: string): Promise<{ path: string; text: string }[]> {
    const paths = new Set([`${name}/dist/${entry}`]);
    const found: { path: string; text: string }[] = [];
    for (const path of paths) {
      const text = await readFile(join(consumer, 'node_modules', path), 'utf8');
      for (const [, to = ''] of text.matchAll(/^(?:import|export)\b[^;]*?"((?:\.|salvo\/kit\/)[^"]+)";$/gm)) {
        paths.add(to.startsWith('.') ? join(dirname(path), to) : `${to.replace('salvo/', 'salvo/dist/')}.js`);
      }
      found.push({ path, text });
    }
    return found;
  }
});
