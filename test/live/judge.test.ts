import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isPackageInstalled } from '../../src/adapters/installed-package.ts';
import type { JudgeMetadata } from '../../src/judge/judge-metadata.ts';
import { runFiles } from '../../src/run-files.ts';
import { projectFixture } from '../project-fixture.ts';

/** Where node-llama-cpp is installed: it is too large to be a dependency of the tests. */
const root = process.env.SALVO_TEST_LLAMA_ROOT ?? process.cwd();
const model = process.env.SALVO_TEST_GGUF;
const missing = [
  ...(model ? [] : ['SALVO_TEST_GGUF is not set. Set it to a GGUF file of any chat model']),
  ...(isPackageInstalled('node-llama-cpp', root)
    ? []
    : ['node-llama-cpp is not installed. Install it anywhere, and set SALVO_TEST_LLAMA_ROOT to that folder']),
];
if (missing.length > 0) console.warn(`Skipped, the judge with a real model: ${missing.join('; ')}.`);

const salvoYaml = `
adapters:
  local:
    type: llama
    model_path: ${JSON.stringify(resolve(model ?? ''))}
    context_size: 16384
    gpu: false
judge: { adapter: local, model: local, k: 3, temperature: 0.7, max_tokens: 3000 }
`;
const scenario = JSON.stringify({
  prompt: 'What is the capital of France?',
  adapter: 'scripted',
  script: [{ content: 'The capital of France is Paris.' }],
  assertions: [
    {
      type: 'judge',
      criteria: [
        { name: 'Is it right?', description: 'Names the capital of France, which is Paris.', weight: 2 },
        { name: 'brief', description: 'Is one sentence.', binary: true },
      ],
    },
  ],
});

describe.skipIf(missing.length > 0)('a judge that is a real model in this process', () => {
  test('scores every criterion in every vote, end to end', async () => {
    await using project = await projectFixture({ 'salvo.yaml': salvoYaml, 's.yaml': scenario });
    await symlink(join(root, 'node_modules'), project.path('node_modules'));
    await using finished = await runFiles({ files: ['s.yaml'], cwd: project.root, trials: 1, seed: 1, env: {} });
    const [stored] = await Array.fromAsync(finished.store.trials(finished.run.run_id));
    const [result] = stored?.result?.eval_results ?? [];
    expect(result?.details).toMatch(/^judge=local k=3 votes=[23]\/3 /);
    const { votes, per_criterion } = result?.metadata as unknown as JudgeMetadata;
    for (const { scores, input_tokens, output_tokens } of votes.filter((vote) => vote.scores !== null)) {
      expect(Object.keys(scores ?? {})).toEqual(['Is it right?', 'brief']);
      expect(scores?.['Is it right?']?.score).toBeGreaterThanOrEqual(0);
      expect(scores?.['Is it right?']?.score).toBeLessThanOrEqual(1);
      expect([0, 1]).toContain(scores?.brief?.score);
      expect(input_tokens).toBeGreaterThan(300);
      expect(output_tokens).toBeGreaterThan(10);
    }
    expect(per_criterion.map(({ name }) => name)).toEqual(['Is it right?', 'brief']);
    expect(['passed', 'failed']).toContain(stored?.result?.status);
  });
});
