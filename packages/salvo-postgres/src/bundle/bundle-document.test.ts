import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../salvo/src/text/json/canonical-json.ts';
import { type Bundle, codeOf, fileHash, readBundle } from './bundle-document.ts';
import { bundlePathProblem, clashingPath } from './bundle-path.ts';

const HASH = 'a'.repeat(64);
const file = (path: string): Bundle['files'][number] => ({ path, hash: HASH, size: 1, executable: false });
const BUNDLE: Bundle = { project: '', cwd: '', files: [file('salvo.yaml')], unhashed: [], code: [], packages: {} };

function read(document: unknown): Bundle {
  const content = typeof document === 'string' ? Buffer.from(document) : Buffer.from(canonicalJson(document));
  return readBundle(content, fileHash(content));
}

describe('a bundle that somebody wrote into the database', () => {
  it('is read if everything about it is sound', () => {
    expect(read(BUNDLE)).toEqual(BUNDLE);
  });

  it.each<[string, unknown]>([
    ['is not JSON', '{'],
    ['is empty', ''],
    ['is not a bundle', '[]'],
    ['is nested deeply', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['has fields of another type', { ...BUNDLE, files: 'all' }],
    ['has fields that nobody knows', { ...BUNDLE, setup: 'rm -rf' }],
    ['has no files', { ...BUNDLE, files: [] }],
    ['has a hash that is a path', { ...BUNDLE, files: [{ ...file('a'), hash: '../../etc/passwd' }] }],
    ['has its project elsewhere', { ...BUNDLE, project: '..' }],
    ['has a file twice', { ...BUNDLE, files: [file('a'), file('A')] }],
    ['has a file below a file', { ...BUNDLE, files: [file('a/b'), file('a')] }],
    ['has code that is not listed', { ...BUNDLE, files: [file('agent.ts')] }],
    ['says what imports mean without listing it', { ...BUNDLE, files: [file('lib/package.json')] }],
    ['has a program that is not listed', { ...BUNDLE, files: [{ ...file('agent'), executable: true }] }],
    ['lists code that it lacks', { ...BUNDLE, code: [{ what: 'module', name: 'a.ts', command: null }] }],
    [
      'names code outside',
      { ...BUNDLE, files: [file('a.ts')], code: [{ what: 'module', name: '../a.ts', command: null }] },
    ],
    [
      'has code whose content is said to be free',
      {
        ...BUNDLE,
        files: [file('a.ts'), file('b.py')],
        unhashed: ['b.py'],
        code: [{ what: 'module', name: 'a.ts', command: null }],
      },
    ],
  ])('is refused if it %s', (_, document) => {
    expect(() => read(document)).toThrow(expect.objectContaining({ code: 'BUNDLE_INVALID' }));
  });

  it('is refused if its content is not what its hash says', () => {
    expect(() => readBundle(Buffer.from(canonicalJson(BUNDLE)), HASH)).toThrow('does not match its hash');
  });
});

describe('the path of a file', () => {
  it.each([
    ...['', '/etc/passwd', '../a', 'a/../b', 'a/./b', 'a//b', 'a/', './a', 'a\\b', 'C:/a', 'a\0b', 'a\nb', 'a.', 'a '],
    ...['con', 'NUL.txt', 'a/Com1.log', 'node_modules/x', 'a/.git/config', '.salvo/salvo.db', 'a/Node_Modules/x'],
    ...['x'.repeat(256), `${'a/'.repeat(600)}a`, '\ud800'],
  ])('%j is refused', (path) => {
    expect(bundlePathProblem(path)).not.toBeNull();
  });

  it.each(['a', 'a/b c/ä.txt', '.hidden/x', 'a..b', 'console.ts', '...a'])('%j is allowed', (path) => {
    expect(bundlePathProblem(path)).toBeNull();
  });

  it('never leads out of the folder, whatever it is', () => {
    const parts = fc.constantFrom('..', '.', '', 'a', '\\', '/', 'C:', '%2e%2e', 'node_modules', ' ');
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 6 }), (names) => {
        const path = names.join('/');
        if (bundlePathProblem(path) !== null) return;
        expect(new URL(`file:///base/${path.replaceAll('%', '%25')}`).pathname.startsWith('/base/')).toBe(true);
      }),
    );
  });

  it('clashes with another one that differs only in case or form', () => {
    expect(clashingPath(['a/b', 'a/c', 'b'])).toBeNull();
    expect(clashingPath(['\u00e4.txt', 'a\u0308.txt'])).toBe('a\u0308.txt');
    expect(clashingPath(['a', 'A/b'])).toBe('A/b');
  });
});

describe('the hash of code', () => {
  const bundle = (lib: string): Bundle => ({
    ...BUNDLE,
    files: [file('agent.ts'), { ...file('lib.ts'), hash: lib }, file('salvo.yaml')],
    code: [{ what: 'module', name: 'agent.ts', command: null }],
  });
  const hashOf = (of: Bundle) => codeOf(of)?.hash;

  it('changes with each of its files', () => {
    expect(hashOf(bundle('b'.repeat(64)))).not.toBe(hashOf(bundle(HASH)));
  });

  const make = (files: Bundle['files'], unhashed: string[] = []): Bundle => ({
    ...BUNDLE,
    files,
    unhashed,
    code: [
      {
        what: 'command',
        name: 'make -s agent',
        command: { words: ['make', '-s', 'agent'], cwd: '', env: [] },
      },
    ],
  });
  const OTHER = 'b'.repeat(64);

  it.each([
    ...['Makefile', 'GNUmakefile', 'compose.yaml', 'Dockerfile', 'pyproject.toml', 'uv.lock', 'Gemfile', 'Cargo.toml'],
    ...['agent.jar', 'Agent.class', 'main.go', 'lib.pm', '.Rprofile', 'deno.json', 'bunfig.toml', 'notes.txt'],
    ...['salvo.yaml', 'scenarios/a.yaml', 'fixture.csv'],
  ])('of a command changes with %s, and with its being there', (path) => {
    const hashes = [[], [file(path)], [{ ...file(path), hash: OTHER }]].map((files) => hashOf(make(files)));
    expect(new Set(hashes).size).toBe(3);
  });

  it('does not change with the content of data and of Markdown, but with their being there', () => {
    const files = [file('rows.csv'), file('rubric.md')];
    const changed = files.map((each) => ({ ...each, hash: OTHER }));
    const free = ['rows.csv', 'rubric.md'];
    expect(hashOf(make(changed, free))).toBe(hashOf(make(files, free)));
    expect(hashOf(make([...files, file('compose.override.yaml')], [...free, 'compose.override.yaml']))).not.toBe(
      hashOf(make(files, free)),
    );
  });

  it('changes with a file that is said to be data later', () => {
    expect(hashOf(make([file('Makefile')], ['Makefile']))).not.toBe(hashOf(make([file('Makefile')])));
  });

  it('names what a command takes from the machine that executes it', () => {
    const outside = (words: string[], env: string[] = []) =>
      codeOf({
        ...BUNDLE,
        files: [file('bin/agent'), file('lib/a.txt')],
        code: [{ what: 'command', name: words.join(' '), command: { words, cwd: 'lib', env } }],
      })?.pieces[0]?.outside;
    expect(outside(['make', '-s', 'agent'])).toEqual(['the program make']);
    expect(outside(['../bin/agent', 'a.txt', '../lib/a.txt'])).toEqual([]);
    expect(outside(['/usr/bin/env', '--file=/etc/x', '../../y', 'https://a.example'], ['TOKEN'])).toEqual([
      'the program /usr/bin/env',
      'the argument --file=/etc/x',
      'the argument ../../y',
      'the argument https://a.example',
      'the variable TOKEN',
    ]);
  });

  it('does not depend on where the project is in the bundle', () => {
    const here = bundle(HASH);
    const below = {
      ...here,
      project: 'evals',
      files: here.files.map((each) => ({ ...each, path: `evals/${each.path}` })),
    };
    expect(hashOf(below)).toBe(hashOf(here));
  });

  it('changes with the variables that a command receives', () => {
    const command = (env: string[]): Bundle => ({
      ...BUNDLE,
      code: [{ what: 'command', name: 'agent', command: { words: ['agent'], cwd: '', env } }],
    });
    expect(hashOf(command(['AWS_SECRET_ACCESS_KEY']))).not.toBe(hashOf(command([])));
  });
});
