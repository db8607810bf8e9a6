import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { looksLikeAddress, parseGitSource } from './git-source.ts';
import { readOwnCode } from './own-code.ts';

it.each([
  ['https://host/a/b.git', { url: 'https://host/a/b.git', ref: 'HEAD', folder: '' }],
  ['https://host/a/b.git//infra/prod?ref=v1.2', { url: 'https://host/a/b.git', ref: 'v1.2', folder: 'infra/prod' }],
  ['git::ssh://git@host/a.git#infra', { url: 'ssh://git@host/a.git', ref: 'HEAD', folder: 'infra' }],
  ['git@host:a/b.git?ref=main', { url: 'git@host:a/b.git', ref: 'main', folder: '' }],
])('reads %s', (source, expected) => {
  expect(looksLikeAddress(source)).toBe(true);
  expect(parseGitSource(source)).toEqual(expected);
});

it.each([
  'http://host/a.git',
  'ext::sh -c id',
  'ext::sh',
  'ftp://host/a.git',
  'git::ext::sh',
  'https://',
  'https://host/a.git?ref=--upload-pack=id',
  'https://host/a.git?ref=a..b',
  'https://host/a.git//../../etc',
  'https://-oProxyCommand=id/a.git',
  'ssh://x@-oProxyCommand=id/a.git',
  `https://host/${'a'.repeat(3000)}`,
])('refuses %s', (source) => {
  expect(() => parseGitSource(source)).toThrow(expect.objectContaining({ code: 'OPTIONS_INVALID' }));
});

it('leaves paths alone', () => {
  for (const path of ['infra', './a:b', '/x/y', '../z', 'C']) expect(looksLikeAddress(path)).toBe(false);
});

it('fetches a ref and a folder of a repository, and says why it cannot', async () => {
  const root = await mkdtemp(join(tmpdir(), 'salvo-git-test-'));
  try {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root, stdio: 'pipe' });
    git('init', '--quiet');
    await mkdir(join(root, 'infra'));
    await writeFile(join(root, 'infra', 'main.tf'), '# first\n');
    await writeFile(join(root, 'infra', 'README.md'), '# The shop\n\n[badge](x)\nSells things.\n');
    git('add', '.');
    git('commit', '--quiet', '-m', 'a');
    git('tag', 'v1');
    await writeFile(join(root, 'infra', 'main.tf'), '# second\n');
    git('commit', '--quiet', '-am', 'b');
    const read = async (rest: string) => (await readOwnCode(`file://${root}${rest}`)).files;
    expect(await read('//infra?ref=v1')).toEqual({ 'main.tf': '# first\n' });
    expect(await read('#infra')).toEqual({ 'main.tf': '# second\n' });
    expect((await readOwnCode(`file://${root}//infra`)).task).toBe('The shop: Sells things.');
    await expect(read('?ref=nothing')).rejects.toMatchObject({ code: 'TEMPLATE_FETCH_FAILED' });
    await expect(read('//nothing')).rejects.toMatchObject({ code: 'CODE_UNREADABLE' });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
