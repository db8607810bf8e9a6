import { writeFileSync } from 'node:fs';
import { chmod, symlink, truncate } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { packAll } from '../../../../test/carried-project.ts';
import { projectFixture } from '../../../../test/project-fixture.ts';
import { isThorough } from '../../../../test/thorough.ts';
import { loadProject } from '../../../salvo/src/scenario/load-project.ts';
import { packProject } from './pack-project.ts';

const PROMPT = 'prompt: hi\nscript: [{ content: ok }]\nadapter: scripted\n';

async function packedPaths(files: Record<string, string>, options: Parameters<typeof packAll>[1] = {}) {
  await using project = await projectFixture(files);
  const { bundle } = await packAll(project.root, options);
  return bundle.files.map(({ path }) => path);
}

async function refusal(files: Record<string, string>, options: Parameters<typeof packAll>[1] = {}): Promise<string> {
  await using project = await projectFixture(files);
  await project.write('salvo.yaml', (files['salvo.yaml'] ?? '').replace('ROOT', project.root));
  const error: unknown = await packAll(project.root, options).catch((thrown: unknown) => thrown);
  return error instanceof Error ? error.message.replaceAll(project.root, '') : 'packed';
}

const EVERYTHING = {
  'salvo.yaml': [
    'plugins: [./plugin.mjs]',
    'hooks: ./hooks.mjs',
    'env_file: .env',
    'storage_dir: results',
    'default_adapter: scripted',
    'adapters:',
    '  own: { type: module, path: agents/own.mjs }',
    '  program: { type: exec, command: [python3, agents/program.py] }',
    '  unused: { type: module, path: agents/unused.mjs }',
    'workers: { files: ["fixtures/*.txt"] }',
  ].join('\n'),
  '.env': 'SOME_VALUE=1',
  '.env.local': 'x',
  'results/old.json': '{}',
  'plugin.mjs': `import './lib/shared.mjs';`,
  'hooks.mjs': 'export const setup = () => {};',
  'lib/shared.mjs': `export * from "#words"; await import('./late.mjs'); new URL('./words with blanks.txt', import.meta.url);`,
  'lib/late.mjs': '',
  'lib/words with blanks.txt': 'a',
  'lib/words.mjs': 'export const word = 1;',
  'lib/old.cjs': `module.exports = require('./older');`,
  'lib/older.cjs': '',
  'package.json': '{"type":"module","imports":{"#words":"./lib/words.mjs"},"dependencies":{"a":"1"}}',
  'agents/own.mjs': `import '../lib/old.cjs';\nexport default () => 'ok';`,
  'agents/program.py': 'from tool.parts import x\nimport sys, helper as h\n',
  'agents/helper.py': '',
  'agents/tool/__init__.py': '',
  'agents/tool/parts.py': 'from . import wheel\nfrom helper import y\n',
  'agents/tool/wheel.py': 'import os.path',
  'agents/unused.mjs': 'export default () => "ok";',
  'fixtures/a.txt': 'a',
  'fixtures/b.md': 'b',
  'scenarios/_tools.yaml': '- { name: look, description: !include ../texts/look.md }\n',
  'texts/look.md': 'See agents/unused.mjs.',
  'rows.csv': 'name,truth\na,one\nb,two\n',
  'truth/one.json': '{"vulnerabilities": []}',
  'truth/two.json': '{"vulnerabilities": []}',
  'rubric.yaml': '- { name: a, description: b }',
  'checks/check.mjs': `import './part.mjs';\nexport default () => true;`,
  'checks/part.mjs': '',
  'scenarios/table.yaml': [
    'prompt: "{{name}}"',
    'data: ../rows.csv',
    'adapter: own',
    'tools: !include _tools.yaml',
    'assertions:',
    '  - { type: findings, manifest: "../truth/{{truth}}.json" }',
    '  - { type: custom, module: ../checks/check.mjs }',
    '  - { type: judge, rubric: ../rubric.yaml, judge_adapter: ../agents/judge.mjs }',
  ].join('\n'),
  'agents/judge.mjs': 'export default () => "{}";',
  'scenarios/program.yaml': 'prompt: See README.md and rows.csv.\nadapter: program\n',
  'scenarios/code.scenario.mjs': `import '../lib/late.mjs';\nexport default { prompt: 'hi', agent: () => 'ok' };`,
  'README.md': 'x',
  'node_modules/some/index.js': '',
};

describe('what travels', () => {
  it('is the project, except what is installed, stored, or for credentials', async () => {
    const paths = await packedPaths(EVERYTHING);
    const kept = ['.env', '.env.local', 'results/old.json', 'node_modules/some/index.js'];
    expect(paths).toEqual(
      Object.keys(EVERYTHING)
        .filter((path) => !kept.includes(path))
        .sort(),
    );
  });

  it('is no code if the chosen scenarios execute none, so that nobody has to allow any', async () => {
    const { 'salvo.yaml': _, ...others } = EVERYTHING;
    const files = { ...others, 'scenarios/plain.yaml': PROMPT, 'bin/tool.sh': '#!/bin/sh\n' };
    await using project = await projectFixture(files);
    const { bundle, code } = await packAll(project.root, { files: ['scenarios/plain.yaml'] });
    expect(code).toBeNull();
    const isCode = /\.(?:mjs|cjs|py|sh)$|package\.json$/;
    expect(bundle.files.map(({ path }) => path).filter((path) => isCode.test(path))).toEqual([]);
    expect(bundle.files.map(({ path }) => path)).toContain('rows.csv');
  });

  it('lists what Salvo executes', async () => {
    await using project = await projectFixture(EVERYTHING);
    const { bundle } = await packAll(project.root);
    expect(bundle.code.map(({ what, name }) => `${what} ${name}`).sort()).toEqual([
      'assertion checks/check.mjs',
      'command python3 agents/program.py',
      'hooks hooks.mjs',
      'module agents/judge.mjs',
      'module agents/own.mjs',
      'plugin plugin.mjs',
      'scenario scenarios/code.scenario.mjs',
    ]);
  });

  it('changes the hash of its code with every file but data and Markdown', async () => {
    await using project = await projectFixture(EVERYTHING);
    const hash = async () => (await packAll(project.root)).code?.hash;
    const before = await hash();
    await project.write('rows.csv', 'name,truth\nb,two\na,one\n');
    await project.write('texts/look.md', 'Look.');
    expect(await hash()).toBe(before);
    await project.write('fixtures/a.txt', 'changed');
    const after = await hash();
    expect(after).not.toBe(before);
    await project.write('checks/part.mjs', '// changed');
    expect(await hash()).not.toBe(after);
  });

  it.each([
    ['data', 'rows.json', '[{"name":"a"}]', `import rows from './rows.json' with { type: 'json' };`],
    ['Markdown', 'rows.md', 'a', `import rows from './rows.md';`],
  ])('changes the hash of its code with %s that code imports', async (_, path, content, code) => {
    await using project = await projectFixture({
      [path]: content,
      'agent.mjs': `${code}\nexport default () => 'ok';`,
      'scenarios/a.yaml': `prompt: "{{name}}"\nadapter: ../agent.mjs\ndata: ${path === 'rows.json' ? '../rows.json' : '[{ name: a }]'}\n`,
    });
    const before = (await packAll(project.root)).code?.hash;
    await project.write(path, content.replace(/\ba\b/, 'b'));
    expect((await packAll(project.root)).code?.hash).not.toBe(before);
  });

  it('is equal, file by file, if nothing changed: each content is stored once', async () => {
    await using project = await projectFixture({ ...EVERYTHING, 'fixtures/copy.txt': 'a' });
    const [first, second] = [await packAll(project.root), await packAll(project.root)];
    expect(second.hash).toBe(first.hash);
    const hashes = first.bundle.files.map(({ hash }) => hash);
    expect(hashes.length).toBeGreaterThan(new Set(hashes).size);
    expect(first.contents.size).toBe(new Set(hashes).size + 1);
  });

  it('keeps the variables of salvo.yaml as they are written, and leaves out what is of this machine', async () => {
    await using project = await projectFixture({
      'salvo.yaml': [
        'storage_dir: elsewhere',
        'matrix: [scripted=a]',
        'adapters:',
        `  used: { type: http, url: "https://a.example", headers: { X: "\${TEAM}" } }`,
        '  unused: { type: http, url: "https://b.example" }',
      ].join('\n'),
      'scenarios/a.yaml': 'prompt: hi\nadapter: used\n',
    });
    const { bundle, contents } = await packAll(project.root, { adapter: 'used', env: { TEAM: 'red' } });
    const settings = contents.get(bundle.files.find(({ path }) => path === 'salvo.yaml')?.hash ?? '');
    expect(JSON.parse(Buffer.from(settings ?? []).toString())).toEqual({
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what salvo.yaml has
      adapters: { used: { type: 'http', url: 'https://a.example', headers: { X: '${TEAM}' } } },
    });
  });

  it('may be outside the folder of salvo.yaml if that is allowed, and what code imports', async () => {
    await using folder = await projectFixture({
      'shared/prompt.md': 'hi',
      'shared/word.mjs': 'export const word = 1;',
      'shared/secret.txt': 'x',
      'package.json': '{ "type": "module" }',
      'project/salvo.yaml': 'allow_outside: true\n',
      'project/agent.mjs': `import '../shared/word.mjs';\nexport default () => 'ok';`,
      'project/scenarios/a.yaml':
        'prompt: !include ../../shared/prompt.md\nadapter: ../agent.mjs\ndescription: ../../shared/secret.txt\n',
    });
    const { bundle } = await packAll(folder.path('project'));
    expect(bundle.project).toBe('project');
    expect(bundle.files.map(({ path }) => path)).toEqual([
      'package.json',
      'project/agent.mjs',
      'project/salvo.yaml',
      'project/scenarios/a.yaml',
      'shared/prompt.md',
      'shared/word.mjs',
    ]);
  });

  it('does not include what a link outside leads to', async () => {
    await using outside = await projectFixture({ 'hosts.txt': 'x' });
    await using project = await projectFixture({ 'scenarios/a.yaml': `${PROMPT}description: ../link.txt\n` });
    await symlink(outside.path('hosts.txt'), project.path('link.txt'));
    const { bundle } = await packAll(project.root);
    expect(bundle.files.map(({ path }) => path)).toEqual(['salvo.yaml', 'scenarios/a.yaml']);
  });

  it('has a command that is needed, with its program', async () => {
    await using project = await projectFixture({ 'salvo.yaml': '', 'bin/scan': '#!/bin/sh\n', 'a.txt': '' });
    await chmod(project.path('bin/scan'), 0o755);
    const packed = await packProject({
      project: await loadProject(project.root),
      env: {},
      cwd: project.root,
      needs: { commands: ['bin/scan --json {dir}'] },
    });
    expect(packed.bundle.files.map(({ path, executable }) => [path, executable])).toEqual([
      ['a.txt', false],
      ['bin/scan', true],
      ['salvo.yaml', false],
    ]);
    expect(packed.code?.pieces.map(({ what, name }) => `${what} ${name}`)).toEqual(["command bin/scan --json '{dir}'"]);
  });
});

describe('what is refused', () => {
  const key = `sk-${'proj-1234567890abcdef'}`;

  it('a value of the environment that is a secret, also in an invented fixture', async () => {
    const message = await refusal(
      {
        'salvo.yaml': 'workers: { invented_secrets: ["scenarios/*"] }',
        'scenarios/a.yaml': `${PROMPT}description: our hunter2hunter2 key\n`,
      },
      { env: { SHOP_API_KEY: 'hunter2hunter2' } },
    );
    expect(message).toContain('/scenarios/a.yaml:4:18');
    expect(message).toContain('the value of SHOP_API_KEY');
    expect(message).not.toContain('hunter2hunter2');
  });

  it('a value of env_file, whatever its name is', async () => {
    const message = await refusal({
      'salvo.yaml': 'env_file: my.env',
      'my.env': 'COLOUR=verylongvalue1',
      'scenarios/a.yaml': `${PROMPT}description: verylongvalue1\n`,
    });
    expect(message).toContain('the value of COLOUR');
  });

  it('what looks like a key, unless salvo.yaml says that it is invented', async () => {
    const files = {
      'rows.csv': `name\n${key}\n`,
      'scenarios/a.yaml': `${PROMPT}data: ../rows.csv\ndescription: "{{name}}"\n`,
    };
    const message = await refusal(files);
    expect(message).toContain('/rows.csv:2:1');
    expect(message).toContain('invented_secrets');
    expect(message).not.toContain(key);
    expect(await refusal({ ...files, 'salvo.yaml': 'workers: { invented_secrets: [./rows.csv] }' })).toBe('packed');
  });

  it('a key in salvo.yaml, at its place', async () => {
    const message = await refusal({
      'salvo.yaml': `# ours\nbudget_usd: 1\nprices: { "${key}": { input_per_million: 1, output_per_million: 1 } }\n`,
      'scenarios/a.yaml': PROMPT,
    });
    expect(message).toContain('/salvo.yaml:3:');
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'an absolute path',
      { 'scenarios/a.yaml': 'prompt: !include /etc/passwd\n', 'salvo.yaml': 'allow_outside: true' },
      'absolute',
    ],
    [
      'a file for credentials',
      { 'scenarios/a.yaml': 'prompt: !include ../.env.txt\n', '.env.txt': 'x' },
      'does not travel',
    ],
    [
      'a file that workers.exclude leaves out',
      {
        'scenarios/a.yaml': 'prompt: hi\nadapter: ../agents/own.mjs\n',
        'agents/own.mjs': '',
        'salvo.yaml': 'workers: { exclude: [agents/] }',
      },
      'agents/own.mjs does not travel to workers: workers.exclude',
    ],
    [
      'a program with an absolute path in the project',
      {
        'scenarios/a.yaml': 'prompt: hi\nadapter: own\n',
        'salvo.yaml': 'adapters: { own: { type: exec, command: [node, ROOT/a.mjs] } }',
        'a.mjs': '',
      },
      'absolute path',
    ],
    [
      'a pattern that matches nothing',
      { 'scenarios/a.yaml': PROMPT, 'salvo.yaml': 'workers: { files: ["no/*"] }' },
      'matches no file',
    ],
    ['a name that Windows does not allow', { 'scenarios/a:b.yaml': PROMPT }, 'Rename it'],
    ['names that differ in case', { 'scenarios/a.yaml': PROMPT, 'scenarios/A.yaml': PROMPT }, 'other letters'],
    [
      'a model file',
      {
        'salvo.yaml': 'adapters: { local: { type: llama, model_path: m.gguf } }',
        'scenarios/a.yaml': 'prompt: hi\nadapter: local\n',
      },
      'absolute model_path',
    ],
  ])('%s', async (_, files, expected) => {
    expect(await refusal({ 'salvo.yaml': '', ...files })).toContain(expected);
  });

  it.each<[string, Record<string, number>, string]>([
    ['a file that is too large', { 'big.bin': 65 }, 'big.bin has 65 MB'],
    ['too much', { a: 60, b: 60, c: 60, d: 60, 'e/f': 61 }, 'The largest: e/f (61 MB), a (60 MB), b (60 MB)'],
  ])('%s, with sizes and what to do', async (_, sizes, expected) => {
    await using project = await projectFixture({ 'scenarios/a.yaml': PROMPT });
    for (const [name, megabytes] of Object.entries(sizes)) {
      await project.write(name, '');
      await truncate(project.path(name), megabytes * 1024 * 1024);
    }
    const refused = packAll(project.root);
    await expect(refused).rejects.toThrow(expected);
    await expect(refused).rejects.toThrow('workers: { exclude: [...] }');
    await project.write('salvo.yaml', 'workers: { exclude: ["*.bin", /e, /a] }\n');
    if (sizes.a === undefined) expect((await packAll(project.root)).bundle.files).toHaveLength(2);
  });

  it.runIf(isThorough())('too many files, with the folders that have the most', async () => {
    await using project = await projectFixture({ 'scenarios/a.yaml': PROMPT, 'many/first': '' });
    for (let number = 0; number < 10_000; number += 1) writeFileSync(project.path(`many/${number}`), '');
    await expect(packAll(project.root)).rejects.toThrow(
      'has 10002 files, and at most 10000 travel to workers. The largest: many (10001), scenarios (1).',
    );
    await project.write('salvo.yaml', 'workers: { exclude: [many] }\n');
    expect((await packAll(project.root)).bundle.files).toHaveLength(2);
  });

  it('not arguments of a mocked tool that are paths of other files', async () => {
    const files = {
      'scenarios/a.yaml': `${PROMPT}tools:\n  - { name: read, mock_response: { data: /etc/hostname, module: ../../x } }\n`,
    };
    expect(await packedPaths(files)).toEqual(['salvo.yaml', 'scenarios/a.yaml']);
  });
});
