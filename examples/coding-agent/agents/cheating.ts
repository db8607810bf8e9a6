// Makes the tests pass by removing them.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentTask } from 'salvo';

export default async function agent({ workspace = '.' }: AgentTask): Promise<string> {
  await rm(join(workspace, 'test/price.test.mjs'));
  return 'All tests pass.';
}
