import { expect, test } from 'vitest';
import { salvoCommand } from './salvo-command.ts';

test.each([
  { startedBy: 'a shell', env: {}, command: 'salvo' },
  { startedBy: 'npx', env: { npm_command: 'exec' }, command: 'npx salvo' },
  { startedBy: 'a script of package.json', env: { npm_command: 'run-script' }, command: 'npx salvo' },
])('after $startedBy, people can copy "$command"', ({ env, command }) => {
  expect(salvoCommand(env)).toBe(command);
});
