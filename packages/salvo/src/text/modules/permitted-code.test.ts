import { expect, test } from 'vitest';
import {
  isAllCodeRefused,
  permitAllCode,
  permitCode,
  permitNoCode,
  refuseAllCode,
  refuseUnpermitted,
} from './permitted-code.ts';

const COMMAND = { command: ['python3', 'agent.py'], cwd: '/a', env: ['TOKEN'] };

test('everything may be executed, unless the process is told otherwise; then only what is named', () => {
  refuseUnpermitted(COMMAND);
  permitNoCode();
  permitCode({ module: '/a/agent.ts' });
  permitCode(COMMAND);
  permitNoCode();
  refuseUnpermitted({ module: '/a/agent.ts' });
  refuseUnpermitted({ ...COMMAND });
  for (const code of [
    { module: '/b/agent.ts' },
    { ...COMMAND, cwd: '/b' },
    { ...COMMAND, env: ['TOKEN', 'AWS_SECRET_ACCESS_KEY'] },
    { ...COMMAND, command: ['python3', '-c', 'agent.py'] },
  ]) {
    expect(() => refuseUnpermitted(code)).toThrow(expect.objectContaining({ code: 'CODE_NOT_ALLOWED' }));
  }
});

test('with --no-code nothing is executed, also what was or is going to be permitted', () => {
  permitAllCode();
  permitNoCode();
  permitCode(COMMAND);
  expect(isAllCodeRefused()).toBe(false);
  refuseAllCode();
  permitNoCode();
  permitCode(COMMAND);
  expect(isAllCodeRefused()).toBe(true);
  expect(() => refuseUnpermitted(COMMAND)).toThrow(/^Refused: the command python3 agent.py is code/);
});
