import { symlink } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { locate } from '../diagnostics/located-value.ts';
import { loadYaml } from './load-yaml.ts';

async function load(files: Record<string, string>, name = 'a.yaml') {
  await using fixture = await projectFixture(files);
  const { root, diagnostics } = loadYaml({ file: fixture.path(name), projectRoot: fixture.root });
  return {
    value: root?.value,
    root,
    problems: diagnostics.map(
      ({ file, line, column, code }) => `${file.slice(fixture.root.length + 1)}:${line}:${column} ${code}`,
    ),
    diagnostics,
  };
}

test('the positions of a key and of its value are known', async () => {
  const { root } = await load({ 'a.yaml': 'x:\n  - y: 1\n    z: "é"\n' });
  if (!root) throw new Error('not loaded');
  const at = (place: 'key' | 'value') => {
    const { span } = locate(root, ['x', 0, 'z'], place);
    return span.source.place(span.start);
  };
  expect(at('key')).toEqual({ line: 3, column: 5 });
  expect(at('value')).toEqual({ line: 3, column: 8 });
});

test('an included YAML or JSON file is data, any other file is a text', async () => {
  const { value, problems } = await load({
    'a.yaml': 'x: !include parts/b.yml\n',
    'parts/b.yml': 'json: !include c.json\ntext: !include ../d.md\n',
    'parts/c.json': '{\n\t"k": [1, "\\u00e9\\/"]\n}',
    'd.md': '# hello: [\n',
  });
  expect(problems).toEqual([]);
  expect(value).toEqual({ x: { json: { k: [1, 'é/'] }, text: '# hello: [\n' } });
});

test('a position inside an included file names that file', async () => {
  const { root } = await load({ 'a.yaml': 'x: !include b.yaml\n', 'b.yaml': '\nk: 1\n' });
  const span = root && locate(root, ['x', 'k'], 'key').span;
  expect(span?.source.file).toMatch(/b\.yaml$/);
  expect(span?.source.place(span.start)).toEqual({ line: 2, column: 1 });
});

test('a cycle of includes is an error that shows the chain', async () => {
  const { problems, diagnostics } = await load({
    'a.yaml': 'x: !include b.yaml',
    'b.yaml': 'y: !include c.yaml',
    'c.yaml': 'z: !include a.yaml',
  });
  expect(problems).toEqual(['c.yaml:1:13 include-cycle']);
  expect(diagnostics[0]?.message).toContain('a.yaml -> b.yaml -> c.yaml -> a.yaml');
});

test('nothing outside the project is read, not even through a symlink', async () => {
  await using outside = await projectFixture({ 'secret.txt': 'secret' });
  await using fixture = await projectFixture({
    'a.yaml': `x: !include ../../etc/passwd\ny: !include link.txt\nz: !include ${outside.path('secret.txt')}\n`,
  });
  await symlink(outside.path('secret.txt'), fixture.path('link.txt'));
  const { root, diagnostics } = loadYaml({ file: fixture.path('a.yaml'), projectRoot: fixture.root });
  expect(diagnostics.map(({ code, line }) => [code, line])).toEqual([
    ['outside-project', 1],
    ['outside-project', 2],
    ['outside-project', 3],
  ]);
  expect(JSON.stringify(root?.value)).not.toContain('secret');
});

test.each([
  ['a missing file', 'x: !include nope.yaml', 'a.yaml:1:13 missing-file'],
  ['a folder', 'x: !include .', 'a.yaml:1:13 unreadable-file'],
  ['no name', 'x: !include', 'a.yaml:1:12 invalid-include'],
  ['a list', 'x: !include [a]', 'a.yaml:1:13 invalid-include'],
  ['a syntax error in the included file', 'x: !include bad.yaml', 'bad.yaml:1:5 yaml-syntax'],
  ['an error in included JSON', 'x: !include bad.json', 'bad.json:1:8 yaml-syntax'],
])('an include of %s is an error with its place', async (_, text, expected) => {
  const { problems } = await load({ 'a.yaml': text, 'bad.yaml': 'a: [', 'bad.json': '{"a": nope}' });
  expect(problems).toContain(expected);
});

test.each([
  ['duplicate keys', 'a: 1\nb: 2\na: 3\n', 'a.yaml:3:1 duplicate-key'],
  ['custom tags', 'a: !secret x', 'a.yaml:1:12 unknown-tag'],
  ['binary values', 'a: !!binary aGk=', 'a.yaml:1:13 unknown-tag'],
  ['several documents', 'a: 1\n---\nb: 2\n', 'a.yaml:3:1 multiple-documents'],
  ['an unknown alias', 'a: *b', 'a.yaml:1:4 unknown-alias'],
  ['an alias inside its own anchor', 'a: &a [*a]', 'a.yaml:1:8 recursive-alias'],
  ['keys that are not texts', 'true: x', 'a.yaml:1:1 invalid-key'],
  ['keys that are empty', '~: x', 'a.yaml:1:1 invalid-key'],
  ['keys that are infinite', '.inf: x', 'a.yaml:1:1 invalid-key'],
  ['keys that are maps', '? {a: b}\n: x', 'a.yaml:1:3 invalid-key'],
  ['numbers twice as a key', '1: x\n"1": y', 'a.yaml:2:1 duplicate-key'],
  ['keys that are lists', '? [a]\n: x', 'a.yaml:1:3 invalid-key'],
  ['the key __proto__', '__proto__: {polluted: true}', 'a.yaml:1:1 invalid-key'],
  ['a merge of something else than maps', '<<: 3', 'a.yaml:1:1 invalid-merge'],
  ['infinity', 'a: .inf', 'a.yaml:1:4 not-json'],
  ['control characters', 'a: "\u0000"', 'a.yaml:1:5 control-character'],
  ['whole numbers that would change', 'a: 12345678901234567890', 'a.yaml:1:4 inexact-number'],
])('%s are reported', async (_, text, expected) => {
  expect((await load({ 'a.yaml': text })).problems).toEqual([expected]);
});

test('a number as a key is a text, exactly as it is written', async () => {
  const { value, problems } = await load({ 'a.yaml': '0: a\n0.5: b\n1.0: c\n007: d\n12345678901234567890: e\n' });
  expect(problems).toEqual([]);
  expect(value).toEqual({ '0': 'a', '0.5': 'b', '1.0': 'c', '007': 'd', '12345678901234567890': 'e' });
});

test('no key of a file reaches a prototype', async () => {
  const { value } = await load({ 'a.yaml': 'constructor: {prototype: {polluted: 1}}\n"__proto__": {polluted: 1}\n' });
  expect(Object.hasOwn({}, 'polluted')).toBe(false);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(Object.hasOwn(Object(value), 'constructor')).toBe(true);
});

test('aliases and merge keys work, and the own keys of a map take precedence', async () => {
  const { value, problems } = await load({
    'a.yaml':
      'base: &b {x: 1, y: 2}\none: {<<: *b, y: 3}\ntwo: {<<: [*b, {z: 4, x: 9}]}\nthree: {<<: !include b.yaml}\nfour: {"<<": 1}\n',
    'b.yaml': 'w: 5\n',
  });
  expect(problems).toEqual([]);
  expect(value).toEqual({
    base: { x: 1, y: 2 },
    one: { x: 1, y: 3 },
    two: { x: 1, y: 2, z: 4 },
    three: { w: 5 },
    four: { '<<': 1 },
  });
});

test('aliases cannot explode, in number or in depth', async () => {
  const wide = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 12; i++)
    wide.push(
      `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
    );
  expect((await load({ 'a.yaml': wide.join('\n') })).problems).toEqual([expect.stringContaining('too-large')]);
  const deep = ['a0: &a0 [x]'];
  for (let i = 1; i < 300; i++) deep.push(`a${i}: &a${i} [*a${i - 1}]`);
  expect((await load({ 'a.yaml': deep.join('\n') })).problems[0]).toMatch(/too-deep/);
});

test('includes cannot explode either', async () => {
  const files: Record<string, string> = { 'f0.yaml': '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]' };
  for (let i = 1; i < 9; i++)
    files[`f${i}.yaml`] = Array(10)
      .fill(`- !include f${i - 1}.yaml`)
      .join('\n');
  expect((await load(files, 'f8.yaml')).problems[0]).toMatch(/too-large/);
});

test.each([
  ['flow lists', '['.repeat(50_000)],
  ['block lists', '- '.repeat(20_000)],
  ['flow maps', '{a: '.repeat(20_000)],
  ['nested keys', Array.from({ length: 300 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
])('deeply nested %s are refused with a position', async (_, text) => {
  const { problems } = await load({ 'a.yaml': text });
  expect(problems).toEqual([expect.stringMatching(/a\.yaml:\d+:\d+ too-deep/)]);
});

test('a byte order mark and CRLF are fine, and do not shift columns', async () => {
  const { value, problems } = await load({ 'a.yaml': '\ufeffa: 1\r\nb: two\r\nb: 3\r\n' });
  expect(value).toEqual({ a: 1, b: 'two' });
  expect(problems).toEqual(['a.yaml:3:1 duplicate-key']);
  expect((await load({ 'a.yaml': '\ufeffx: !y 1' })).problems).toEqual(['a.yaml:1:7 unknown-tag']);
});

test('a file that is not UTF-8 or too large is refused', async () => {
  await using fixture = await projectFixture();
  await fixture.write('latin.yaml', Uint8Array.from([0x61, 0x3a, 0x20, 0xe9]));
  await fixture.write('huge.yaml', `a: ${'x'.repeat(11 * 1024 * 1024)}`);
  const codes = ['latin.yaml', 'huge.yaml', 'missing.yaml'].map(
    (name) => loadYaml({ file: fixture.path(name), projectRoot: fixture.root }).diagnostics[0]?.code,
  );
  expect(codes).toEqual(['invalid-encoding', 'too-large', 'missing-file']);
});

test('a small file of very many lexemes is refused before it takes long', async () => {
  const { problems } = await load({ 'a.yaml': `a: [${'[],'.repeat(60_000)}]\n` });
  expect(problems).toEqual([expect.stringMatching(/^a\.yaml:1:\d+ too-large$/)]);
});

test('the lexemes of all included files are counted together', async () => {
  const files = Object.fromEntries(
    [1, 2, 3].map((part): [string, string] => [`part${part}.yaml`, `[${'1,'.repeat(14_000)}]\n`]),
  );
  const includes = Object.keys(files).map((name) => `- !include ${name}\n`);
  expect((await load({ ...files, 'a.yaml': includes.slice(0, 2).join('') })).problems).toEqual([]);
  expect((await load({ ...files, 'a.yaml': includes.join('') })).problems).toEqual([
    expect.stringMatching(/^part3\.yaml:1:\d+ too-large$/),
  ]);
});

test('a long text counts little, and may be longer in its own file', async () => {
  const long = 'a line of text\n'.repeat(100_000);
  const { value, problems } = await load({ 'a.yaml': 'a: !include long.md\n', 'long.md': long });
  expect(problems).toEqual([]);
  expect(value).toEqual({ a: long });
  const { problems: inside } = await load({ 'a.yaml': `a: |\n${'  a line of text\n'.repeat(50_000)}` });
  expect(inside).toEqual([]);
  const { diagnostics } = await load({ 'a.yaml': `a: |\n${'  a line of text\n'.repeat(100_000)}` });
  expect(diagnostics).toEqual([
    expect.objectContaining({ code: 'too-large', message: 'the file is larger than 1 MB' }),
  ]);
});

test('all syntax errors of a file are reported', async () => {
  const { problems } = await load({ 'a.yaml': 'a: "\\q"\nb: "\\z"\n' });
  expect(problems).toEqual(['a.yaml:1:5 yaml-syntax', 'a.yaml:2:5 yaml-syntax']);
});

test.each([
  ['a colon in a text', 'a: it: is\n', 'a.yaml:1:4', /in quotes/],
  ['a line indented too far', 'a: hi\n b: 1\n', 'a.yaml:1:4', /indented too far/],
  ['a character that cannot begin a text', 'a: @b\n', 'a.yaml:1:4', /in quotes/],
  ['a tab', 'a:\n\tb: 1\n', 'a.yaml:2:1', /blanks/],
  ['a backslash', 'a: "\\d+"\n', 'a.yaml:1:5', /single quotes/],
])('%s is one syntax error that says what to do', async (_, text, place, hint) => {
  const { problems, diagnostics } = await load({ 'a.yaml': text });
  expect(problems).toEqual([`${place} yaml-syntax`]);
  expect(diagnostics[0]?.hint).toMatch(hint);
});

test('a quote that is never closed is reported where it was opened', async () => {
  const { problems } = await load({ 'a.yaml': 'a: 1\nb: "open\nc: 2\nd: 3\n' });
  expect(problems).toEqual(['a.yaml:2:4 yaml-syntax']);
  expect((await load({ 'a.yaml': "- 'x'\n- 'open\n" })).problems).toEqual(['a.yaml:2:3 yaml-syntax']);
});
