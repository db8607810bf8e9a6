import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCodeFolder } from './read-code-folder.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'salvo-code-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the code of a folder', () => {
  it('is its infrastructure code by path, without hidden files, folders that tools fill and huge files', async () => {
    await mkdir(join(folder, 'modules/net'), { recursive: true });
    await mkdir(join(folder, '.terraform'));
    await mkdir(join(folder, '.github'));
    await writeFile(join(folder, '.github/x.yaml'), 'f');
    await writeFile(join(folder, '.hidden.tf'), 'g');
    await writeFile(join(folder, 'main.bicep'), 'h');
    await writeFile(join(folder, 'huge.tf'), 'x'.repeat(8 * 1024 * 1024 + 1));
    await writeFile(join(folder, 'main.tf'), 'a');
    await writeFile(join(folder, 'modules/net/main.tf'), 'b');
    await writeFile(join(folder, 'template.yaml'), 'c');
    await writeFile(join(folder, 'notes.md'), 'd');
    await writeFile(join(folder, '.terraform/x.tf'), 'e');
    const { files, skipped } = await readCodeFolder(folder);
    expect(files).toEqual({ 'main.bicep': 'h', 'main.tf': 'a', 'modules/net/main.tf': 'b', 'template.yaml': 'c' });
    expect(skipped).toEqual([{ file: 'huge.tf', reason: 'larger than 8 MB' }]);
  });

  it('ends at the folder, even where a link leads out of it or in a circle', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'salvo-outside-'));
    await writeFile(join(outside, 'secret.tf'), 'secret');
    await symlink(join(outside, 'secret.tf'), join(folder, 'link.tf'));
    await symlink(outside, join(folder, 'dir'));
    await symlink(folder, join(folder, 'round'));
    await writeFile(join(folder, 'main.tf'), 'a');
    const { files, skipped } = await readCodeFolder(folder);
    await rm(outside, { recursive: true });
    expect(files).toEqual({ 'main.tf': 'a' });
    expect(skipped.map(({ file }) => file)).toEqual(['dir', 'link.tf']);
  });

  it('is refused when there is no such folder', async () => {
    await expect(readCodeFolder(join(folder, 'none'))).rejects.toThrow(/there is no such folder/);
    await writeFile(join(folder, 'main.tf'), 'a');
    await expect(readCodeFolder(join(folder, 'main.tf'))).rejects.toThrow(/give the folder/);
  });
});
