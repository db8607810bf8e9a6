// Guesses the rate instead of asking for it, and does not run the tests.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentTask } from 'salvo';

export default async function agent({ workspace = '.' }: AgentTask): Promise<string> {
  const file = join(workspace, 'src/price.mjs');
  const code = await readFile(file, 'utf8');
  await writeFile(file, code.replace(/RATE = [\d.]+/, 'RATE = 1.2'));
  return 'The rate is correct now, and all tests pass.';
}
