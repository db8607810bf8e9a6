import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Installs the oldest Node that package.json allows from npm, without its install script, and names it to the tests. */
export default async function setup(): Promise<void> {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const version = `${/^>=(\d+\.\d+)$/.exec(engines.node)?.[1]}.0`;
  const folder = join(ROOT, 'node_modules/.cache/oldest-node', version);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const node = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(node)) {
    await mkdir(folder, { recursive: true });
    const options = ['--no-save', '--no-audit', '--no-fund', '--prefix', folder];
    await promisify(execFile)('npm', ['install', ...options, `${name}@${version}`], { cwd: folder });
  }
  process.env.SALVO_TEST_NODE = node;
  process.env.SALVO_TEST_NODE_VERSION = version;
}
