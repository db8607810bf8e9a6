// Does what was asked. A real agent would have a model; this one needs no key.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentTask } from 'salvo';

export default async function agent({ workspace = '.', services }: AgentTask): Promise<string> {
  const answer = await fetch(`${services.rates?.url}/rates/USD`);
  const rate = /"rate":([\d.]+)/.exec(await answer.text())?.[1];
  const file = join(workspace, 'src/price.mjs');
  const code = await readFile(file, 'utf8');
  await writeFile(file, code.replace(/RATE = [\d.]+/, `RATE = ${rate}`));
  return `The rate in src/price.mjs is ${rate} now.`;
}
