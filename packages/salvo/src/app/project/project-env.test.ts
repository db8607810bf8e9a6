import { expect, test } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { runFiles } from '../runs/run.ts';
import { openProjectStore } from './open-project.ts';
import { projectEnv } from './project-env.ts';

test('variables are read from env_file if salvo.yaml names one, and those of the process win', async () => {
  await using fixture = await projectFixture({
    'salvo.yaml': 'env_file: .env\n',
    '.env': 'A=from the file\n# a comment\nexport B="two words"\nEMPTY=\n',
  });
  const project = await fixture.project();
  expect(projectEnv(project, { A: 'from the process', C: 'x' })).toEqual({
    A: 'from the process',
    B: 'two words',
    C: 'x',
    EMPTY: '',
  });
  await fixture.write('salvo.yaml', '');
  expect(projectEnv(await fixture.project(), {})).toEqual({});
});

test('a file that is not there, or is no text, is an error that names it', async () => {
  await using fixture = await projectFixture({ 'salvo.yaml': 'env_file: .env\n' });
  const project = await fixture.project();
  expect(() => projectEnv(project, {})).toThrow(/env_file in salvo.yaml names .*\.env, which cannot be read/);
  await fixture.write('.env', new Uint8Array([0xff, 0xfe]));
  expect(() => projectEnv(project, {})).toThrow(expect.objectContaining({ code: 'FILE_UNREADABLE' }));
});

test('no value of the file is stored, whatever its name is', async () => {
  await using fixture = await projectFixture({
    'salvo.yaml': 'env_file: .env\n',
    '.env': 'ORDINARY_NAME=quite-a-secret-thing\n',
    'scenarios/s.yaml':
      'prompt: hi\nadapter: scripted\nscript: [{content: "it is quite-a-secret-thing"}]\nassertions: [{type: output_contains, value: it is}]\n',
  });
  await using finished = await runFiles({ cwd: fixture.root, env: {}, trials: 1 });
  const [trial] = await Array.fromAsync(finished.store.trials(finished.run.run_id));
  const store = await openProjectStore(finished.project, { env: {} });
  const trace = await store.getTrace(trial?.trace_id ?? '');
  await store.close();
  expect(trace?.final_content).toMatch(/^it is .*REDACTED/i);
  expect(JSON.stringify(await finished.store.getRun(finished.run.run_id))).not.toContain('quite-a-secret');
});
