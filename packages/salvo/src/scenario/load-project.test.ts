import { expect, test } from 'vitest';
import { withoutPackages } from '../../../../test/installed-packages.ts';
import { projectFixture } from '../../../../test/project-fixture.ts';
import { DiagnosticsError } from './diagnostics/diagnostics-error.ts';
import { formatDiagnostics } from './diagnostics/format-diagnostics.ts';
import { checkProjectFile, loadProject } from './load-project.ts';

async function check(text: string) {
  await using fixture = await projectFixture({ 'salvo.yaml': text });
  return checkProjectFile({ file: fixture.path('salvo.yaml') });
}

const places = async (text: string) => (await check(text)).map(({ line, column, code }) => `${line}:${column} ${code}`);

test('salvo.yaml is found upwards, and its folder is the root', async () => {
  await using fixture = await projectFixture({ 'salvo.yaml': 'concurrency: 7\n', 'a/b/c.yaml': '' });
  const project = await loadProject(fixture.path('a/b'));
  expect(project).toMatchObject({ root: fixture.root, file: fixture.path('salvo.yaml'), config: { concurrency: 7 } });
});

test('salvo.yml is accepted as well', async () => {
  await using fixture = await projectFixture({ 'salvo.yml': 'concurrency: 7\n' });
  expect((await loadProject(fixture.root)).file).toBe(fixture.path('salvo.yml'));
});

test('without a salvo.yaml, or with an empty one, the defaults apply', async () => {
  await using fixture = await projectFixture();
  const project = await loadProject(fixture.root);
  expect(project).toMatchObject({
    root: fixture.root,
    config: { default_adapter: 'openai', scenarios_dir: 'scenarios' },
  });
  await fixture.write('salvo.yaml', '# nothing yet\n');
  expect((await loadProject(fixture.root)).config).toEqual(project.config);
});

test('a salvo.yaml with errors is refused with all of them', async () => {
  await using fixture = await projectFixture({
    'salvo.yaml': 'concurency: 1\nbudget_usd: -1\nrecording: {mode: ful}\n',
  });
  const error: unknown = await loadProject(fixture.root).catch((thrown) => thrown);
  expect(error instanceof DiagnosticsError && error.diagnostics.map(({ code }) => code)).toEqual([
    'unknown-key',
    'invalid-value',
    'invalid-value',
  ]);
});

test('an adapter that is named must exist', async () => {
  expect(await places('default_adapter: lcal\njudge: {adapter: opnai}\nadapters: {local: {type: openai}}\n')).toEqual([
    '1:18 unknown-adapter',
    '2:18 unknown-adapter',
  ]);
  expect(await places('default_adapter: ./nope.ts\nadapters: {m: {type: module, path: gone.ts}}')).toEqual([
    '1:18 missing-file',
    '2:36 missing-file',
  ]);
});

test.each([
  ['http, observe: model', 56, 'write observe: { model: { port: 8787 } }'],
  ['a2a, observe: otel', 55, 'write observe: { otel: { port: 4318 } }'],
  ['ag-ui, observe: { otel: { prt: 1 } }', 67, 'did you mean "port"?'],
])('an observed server needs a port: %s', async (options, column, hint) => {
  const found = await check(`adapters: { a: { url: "http://a", type: ${options} } }`);
  expect(found).toMatchObject([{ line: 1, column, hint: expect.stringContaining(hint) }]);
});

test('a server that is asked by GET needs a template for the query', async () => {
  const found = await check('adapters: { a: { url: "http://a", type: http, method: GET } }');
  expect(found).toMatchObject([{ message: expect.stringContaining('Write `request`') }]);
});

test('the matrix names adapters that exist, each pair once', async () => {
  const text =
    'matrix: [a, local=b, {model: b, adapter: local}, nope=c, {adapter: ./gone.ts}, {}]\nadapters: {local: {type: openai}}';
  expect(await places(text)).toEqual([
    '1:22 invalid-value',
    '1:50 unknown-adapter',
    '1:68 missing-file',
    '1:80 invalid-value',
  ]);
  expect(await places('matrix: []')).toEqual(['1:9 invalid-value']);
  expect(await places('matrix: [a, 7, [b]]')).toEqual(['1:13 wrong-type', '1:16 wrong-type']);
});

test('a pattern for redaction must compile', async () => {
  expect(await places('recording: {custom_redaction_patterns: [ok, "("]}')).toEqual(['1:45 invalid-pattern']);
});

// What salvo.yaml holds are no template strings.
const REFERENCE = '$'.concat('{KEY}');

test.each(['OPENAI_API_KEY', 'my_key', '_K1'])('api_key_env may be %s', async (name) => {
  expect(await places(`adapters: {a: {type: openai, api_key_env: ${name}}}`)).toEqual([]);
});

test.each([
  'sk-proj-abcdef0123456789',
  'ghp_abcdefghijklmnop0123',
  '0123456789abcdef0123456789abcdef',
  'has spaces in it',
  'a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4',
])('api_key_env: %s is refused, and not repeated', async (key) => {
  const diagnostics = await check(`adapters: {a: {type: openai, unknown: 1, api_key_env: ${key}}}`);
  expect(diagnostics.map(({ code }) => code)).toContain('credential');
  expect(formatDiagnostics(diagnostics, { format: 'text', color: false })).not.toContain(key);
  expect(formatDiagnostics(diagnostics, { format: 'json', color: false })).not.toContain(key);
  expect(formatDiagnostics(diagnostics, { format: 'github', color: false })).not.toContain(key);
});

test.each([
  ['Authorization: Bearer abc', true],
  ['x-api-key: abc', true],
  ['Cookie: session=abc', true],
  ['X-Whatever: sk-abcdefghijkl', true],
  [`Authorization: Bearer ${REFERENCE}`, false],
  [`Cookie: session=${REFERENCE}; path=x`, true],
  ['X-Title: my project', false],
])('the header %s is refused: %s', async (header, refused) => {
  const diagnostics = await check(`adapters:\n  a:\n    type: openai\n    headers:\n      ${header}\n`);
  expect(diagnostics.map(({ code }) => code)).toEqual(refused ? ['credential'] : []);
});

test('a line with two credentials shows neither of them', async () => {
  const diagnostics = await check(
    'adapters: {a: {type: openai, api_key_env: sk-proj-abcdefghijklmn, headers: {Authorization: Bearer qrstuvwxyz}}}',
  );
  expect(diagnostics.map(({ code }) => code)).toEqual(['credential', 'credential']);
  expect(formatDiagnostics(diagnostics, { format: 'json', color: false })).not.toMatch(/abcdefghijklmn|qrstuvwxyz/);
});

test('a misspelt adapter type gives one message', async () => {
  const diagnostics = await check('adapters: {a: {typ: openai}}');
  expect(diagnostics.map(({ code, hint }) => [code, hint])).toEqual([['unknown-key', 'did you mean "type"?']]);
});

test('a key whose package is not installed says how to install it', async () => {
  const text = 'concurrency: 2\nworkers: { files: ["*.txt"] }\n';
  expect(await check(text)).toEqual([]);
  using _ = withoutPackages('salvo-postgres');
  expect(await check(text)).toMatchObject([
    {
      ...{ code: 'package-missing', severity: 'error', line: 2, column: 1 },
      message: 'workers is part of the package salvo-postgres, which is not installed',
      hint: 'run npm install --save-dev salvo-postgres, or leave it out',
    },
  ]);
  expect(await check('concurrency: 2\n')).toEqual([]);
});
