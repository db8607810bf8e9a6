import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a fake scanner does, as the text of a Node program; the folder with the code is `dir`. */
export const BEHAVIOURS = {
  /** As Checkov: it found something, so it ends with 1. */
  checkov: `
    const checks = fs.readdirSync(dir).filter((name) => name.endsWith('.tf')).map((name) => ({
      check_id: 'CKV_AWS_19', check_name: 'Ensure all data stored in the S3 bucket is securely encrypted at rest',
      check_result: { result: 'FAILED' }, file_path: '/' + name, file_line_range: [2, 4], resource: 'aws_s3_bucket.data',
      description: 'seen in ' + dir + '/' + name,
    }));
    print({ check_type: 'terraform', results: { passed_checks: [], failed_checks: checks }, summary: {} });
    process.exitCode = 1;`,
  /** Reports what it can see as the description of a finding. */
  spy: `
    const seen = fs.readdirSync(dir, { recursive: true }).map((name) => String(name)).sort();
    const files = seen.filter((name) => fs.statSync(dir + '/' + name).isFile());
    const texts = files.map((name) => fs.readFileSync(dir + '/' + name, 'utf8'));
    print({ findings: [{ type: 'spy', resource: 'x', file: dir + '/' + files[0], files, texts, env: process.env, args }] });`,
  clean: `print({ findings: [] });`,
  'clean but unhappy': `print({ findings: [] }); process.exitCode = 1;`,
  unhappy: `console.error('Traceback: no module named \\u001b[31mboto\\u001b[0m'); process.exitCode = 1;`,
  garbage: `process.stdout.write('\\u0000\\u0001 not { json');`,
  'cut off': `process.stdout.write('{"findings": [{"type": "encryption", "resource": "a"}, {"type"');`,
  megabytes: `const piece = Buffer.alloc(1024 * 1024, 'x'); const more = () => process.stdout.write(piece, more); more();`,
  hang: `setInterval(() => {}, 1000);`,
  /** Ignores the request to end, and has started another program that does, too. */
  'stubborn family': `
    process.on('SIGTERM', () => {});
    const child = require('node:child_process').spawn(process.execPath, ['-e',
      "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { stdio: 'inherit' });
    fs.writeFileSync(__filename + '.new', [process.pid, child.pid].join(' '));
    fs.renameSync(__filename + '.new', __filename + '.pids');
    setInterval(() => {}, 1000);`,
} as const;

/** Programs in a folder of their own, and a temporary folder beside them. */
export interface FakeScanners extends AsyncDisposable {
  folder: string;
  /** What the environment of a test is to be. */
  env: Record<string, string>;
  /** Writes a program that behaves like this, and gives its path. */
  add(name: string, behaviour: string): Promise<string>;
}

export async function fakeScanners(): Promise<FakeScanners> {
  const folder = await mkdtemp(join(tmpdir(), 'salvo-fake-scanners-'));
  return {
    folder,
    env: { PATH: folder, SALVO_SECRET: 'hunter2' },
    async add(name, behaviour) {
      const path = join(folder, name);
      await writeFile(path, programOf(behaviour), { mode: 0o755 });
      return path;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 10 }),
  };
}

/** The folder with the code is whichever argument is one. */
function programOf(behaviour: string): string {
  return `#!${process.execPath}
const fs = require('node:fs');
const args = process.argv.slice(2);
const dir = args.find((word) => fs.existsSync(word) && fs.statSync(word).isDirectory());
const print = (value) => process.stdout.write(JSON.stringify(value));
if (args.includes('--version') || args.includes('version')) { console.log('fake scanner v3.2.1'); process.exit(); }
${behaviour}
`;
}
