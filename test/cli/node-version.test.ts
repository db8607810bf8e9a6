import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { builtMain } from '../built-package.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const MAIN = await builtMain();
const folder = mkdtempSync(join(tmpdir(), 'salvo-old-node-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('an old Node', () => {
  it.each(['12.22.12', '20.20.2', '22.17.1'])('%s: one sentence says which Node is needed', (version) => {
    const { status, stdout, stderr } = withVersion(version);
    expect(stderr).toBe(
      `Salvo needs Node 22.18 or later, but this is Node ${version}: install a later one from https://nodejs.org, ` +
        'or with a version manager, such as `nvm install 24`.\n',
    );
    expect({ status, stdout }).toEqual({ status: 4, stdout: '' });
  });

  it.each(['22.18.0', '22.23.1', '24.0.0'])('%s is new enough', (version) => {
    expect(withVersion(version)).toMatchObject({ status: 0, stderr: '' });
  });

  it('is what package.json names', () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(engines).toEqual({ node: '>=22.18' });
  });

  it.skipIf(oldNode() === null)('can read the entry file: on a real one there is no syntax error', () => {
    const entry = join(folder, 'main.mjs');
    copyFileSync(MAIN, entry);
    const { status, stderr } = spawnSync(oldNode() ?? '', [entry, '--version'], { encoding: 'utf8' });
    expect(stderr).toMatch(/^Salvo needs Node 22\.18 or later, but this is Node [^\n]+\n$/);
    expect(status).toBe(4);
  });
});

function withVersion(version: string) {
  const versions = `{ ...process.versions, node: '${version}' }`;
  const disguise = `data:text/javascript,Object.defineProperty(process, 'versions', { value: ${versions} })`;
  return spawnSync(process.execPath, ['--import', disguise, MAIN, '--version'], { encoding: 'utf8' });
}

/** A Node on the PATH that is too old, if there is one. */
function oldNode(): string | null {
  const nodes = (process.env.PATH ?? '').split(delimiter).map((dir) => join(dir, 'node'));
  const isOld = (node: string): boolean => {
    const [major = 0, minor = 0] = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' })
      .stdout.split('.')
      .map(Number);
    return major < 22 || (major === 22 && minor < 18);
  };
  return nodes.find((node) => existsSync(node) && isOld(node)) ?? null;
}
