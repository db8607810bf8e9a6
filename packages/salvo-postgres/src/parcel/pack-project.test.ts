import { chmod, symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { packAll } from '../../../../test/carried-project.ts';
import { projectFixture } from '../../../../test/project-fixture.ts';
import { loadProject } from '../../../salvo/src/scenario/load-project.ts';
import { packProject } from './pack-project.ts';

const PROMPT = 'prompt: hi\nscript: [{ content: ok }]\nadapter: scripted\n';

async function packedPaths(files: Record<string, string>, options: Parameters<typeof packAll>[1] = {}) {
  await using project = await projectFixture(files);
  const { parcel } = await packAll(project.root, options);
  return parcel.files.map(({ path }) => path);
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
  it('is what the chosen scenarios need, and nothing else', async () => {
    const paths = await packedPaths(EVERYTHING);
    const kept = ['.env', '.env.local', 'results/old.json', 'agents/unused.mjs', 'fixtures/b.md', 'README.md'];
    const expected = Object.keys(EVERYTHING).filter((path) => !kept.includes(path) && !path.startsWith('node_modules'));
    expect(paths).toEqual(expected.sort());
  });

  it('is only data and code of the scenarios that were chosen', async () => {
    const paths = await packedPaths(EVERYTHING, { files: ['scenarios/program.yaml'] });
    expect(paths).toContain('agents/program.py');
    for (const path of ['rows.csv', 'agents/own.mjs', 'truth/one.json', 'scenarios/table.yaml']) {
      expect(paths).not.toContain(path);
    }
  });

  it('lists every piece of code with the files that it imports', async () => {
    await using project = await projectFixture(EVERYTHING);
    const { parcel } = await packAll(project.root);
    const code = Object.fromEntries(parcel.code.map(({ what, name, files }) => [`${what} ${name}`, files]));
    expect(code).toEqual({
      'plugin plugin.mjs': ['lib/late.mjs', 'lib/shared.mjs', 'lib/words.mjs', 'package.json', 'plugin.mjs'],
      'hooks hooks.mjs': ['hooks.mjs', 'package.json'],
      'scenario scenarios/code.scenario.mjs': ['lib/late.mjs', 'package.json', 'scenarios/code.scenario.mjs'],
      'module agents/own.mjs': ['agents/own.mjs', 'lib/old.cjs', 'lib/older.cjs', 'package.json'],
      'module agents/judge.mjs': ['agents/judge.mjs', 'package.json'],
      'assertion checks/check.mjs': ['checks/check.mjs', 'checks/part.mjs', 'package.json'],
      'command python3 agents/program.py': [
        'agents/helper.py',
        'agents/program.py',
        'agents/tool/__init__.py',
        'agents/tool/parts.py',
        'agents/tool/wheel.py',
      ],
    });
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

  it('has the whole package.json only if code imports it', async () => {
    await using project = await projectFixture({
      'package.json': '{"name":"shop","type":"module","main":"main.js"}',
      'main.js': '',
      'agent.js': `import manifest from './package.json' with { type: 'json' };\nexport default () => manifest.name;`,
      'other.js': `export default () => 'ok';`,
      'scenarios/a.yaml': 'prompt: hi\nadapter: ../agent.js\n',
      'scenarios/b.yaml': 'prompt: hi\nadapter: ../other.js\n',
    });
    const manifestFor = async (scenario: string) => {
      const { parcel, contents } = await packAll(project.root, { files: [scenario] });
      expect(parcel.files.map(({ path }) => path)).not.toContain('main.js');
      const { hash } = parcel.files.find(({ path }) => path === 'package.json') ?? { hash: '' };
      return JSON.parse(Buffer.from(contents.get(hash) ?? []).toString());
    };
    expect(await manifestFor('scenarios/a.yaml')).toEqual({ name: 'shop', type: 'module', main: 'main.js' });
    expect(await manifestFor('scenarios/b.yaml')).toEqual({ type: 'module' });
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
    const { parcel, contents } = await packAll(project.root, { adapter: 'used', env: { TEAM: 'red' } });
    const settings = contents.get(parcel.files.find(({ path }) => path === 'salvo.yaml')?.hash ?? '');
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
      'project/salvo.yaml': 'allow_outside: true\n',
      'project/agent.mjs': `import '../shared/word.mjs';\nexport default () => 'ok';`,
      'project/scenarios/a.yaml':
        'prompt: !include ../../shared/prompt.md\nadapter: ../agent.mjs\ndescription: ../../shared/secret.txt\n',
    });
    const { parcel } = await packAll(folder.path('project'));
    expect(parcel.project).toBe('project');
    expect(parcel.files.map(({ path }) => path)).toEqual([
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
    const { parcel } = await packAll(project.root);
    expect(parcel.files.map(({ path }) => path)).toEqual(['salvo.yaml', 'scenarios/a.yaml']);
  });

  it('has a command that is needed, with its program', async () => {
    await using project = await projectFixture({ 'salvo.yaml': '', 'bin/scan': '#!/bin/sh\n', 'other.txt': '' });
    await chmod(project.path('bin/scan'), 0o755);
    const packed = await packProject({
      project: await loadProject(project.root),
      env: {},
      cwd: project.root,
      needs: { commands: ['bin/scan --json {dir}'] },
    });
    expect(packed.parcel.files.map(({ path, executable }) => [path, executable])).toEqual([
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

  it('a file that is too large, with its size', async () => {
    await using project = await projectFixture({
      'salvo.yaml': 'workers: { files: [big.bin] }',
      'scenarios/a.yaml': PROMPT,
    });
    await project.write('big.bin', new Uint8Array(65 * 1024 * 1024));
    await expect(packAll(project.root)).rejects.toThrow(/big\.bin has 65 MB/);
  });

  it('not arguments of a mocked tool that are paths of other files', async () => {
    const files = {
      'scenarios/a.yaml': `${PROMPT}tools:\n  - { name: read, mock_response: { data: /etc/hostname, module: ../../x } }\n`,
    };
    expect(await packedPaths(files)).toEqual(['salvo.yaml', 'scenarios/a.yaml']);
  });
});
