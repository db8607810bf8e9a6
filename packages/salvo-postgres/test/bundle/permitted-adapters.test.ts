import { expect, test } from 'vitest';
import { getAdapter } from '../../../salvo/src/adapters/registry.ts';
import { importModule } from '../../../salvo/src/text/modules/import-module.ts';
import { permitCode, permitNoCode } from '../../../salvo/src/text/modules/permitted-code.ts';
import { createBlue } from '../../../salvo-arena/src/teams/create-team.ts';
import { parseBlueName } from '../../../salvo-arena/src/teams/team-name.ts';

test('a worker executes nothing that its owner did not allow, wherever a job names it', async () => {
  permitNoCode();
  permitCode({ module: '/bundle/agent.ts' });
  permitCode({ command: ['python3', 'agent.py'], cwd: '/bundle', env: [] });
  const context = { root: '/bundle', env: {} };
  const refused = expect.objectContaining({ code: 'CODE_NOT_ALLOWED' });

  expect(getAdapter('./agent.ts', context).providerName()).toBe('module');
  expect(getAdapter('exec:python3 agent.py', context).providerName()).toBe('exec');
  for (const name of ['exec:touch /tmp/x', './other.ts', '/bundle/../etc/agent.ts', 'exec:python3 agent.py --more']) {
    expect(() => getAdapter(name, context)).toThrow(refused);
  }
  const adapters = { own: { type: 'exec' as const, command: 'python3 agent.py', env: ['TOKEN'] } };
  expect(() => getAdapter('own', { ...context, adapters })).toThrow(refused);
  expect(() => createBlue(parseBlueName('command:touch {dir}'), context)).toThrow(refused);
  await expect(importModule('/bundle/plugin.ts')).rejects.toThrow(refused);
});
