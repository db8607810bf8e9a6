import { cp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTinyGguf } from '../../examples/local-model/make-model.ts';
import { isPackageInstalled } from '../../packages/salvo/src/adapters/call/optional-package.ts';
import { resultsOf } from '../cli/cassette-fixture.ts';
import { documentOf, runProgram } from '../cli/cli-fixture.ts';
import { projectFixture } from '../project-fixture.ts';

const EXAMPLE = new URL('../../examples/local-model/', import.meta.url);
const root = process.env.SALVO_TEST_LLAMA_ROOT ?? process.cwd();

test.skipIf(!isPackageInstalled('node-llama-cpp', root))(
  'an agent on a GGUF model runs end to end, and its cassette replays without the model',
  async () => {
    await using project = await projectFixture();
    for (const name of ['salvo.yaml', 'scenarios']) {
      await cp(new URL(name, EXAMPLE), project.path(name), { recursive: true });
    }
    makeTinyGguf(project.path('model.gguf'));
    await symlink(join(root, 'node_modules'), project.path('node_modules'));
    const args = ['run', '--model-cassette', 'own.jsonl', '--json'];
    const first = await runProgram(args, { cwd: project.root });
    const { exit_code, scenarios } = documentOf(first);
    expect([exit_code, scenarios.map(({ trials_passed }) => trials_passed)]).toEqual([0, [2, 2]]);
    await rm(project.path('node_modules'));
    await project.remove('model.gguf');
    expect(resultsOf(await runProgram(args, { cwd: project.root }))).toEqual(resultsOf(first));
  },
);
