import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isPackageInstalled } from '../../packages/salvo/src/adapters/call/optional-package.ts';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
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
    context_size: 8192
    gpu: false
    threads: 1
judge: { adapter: local, model: local, k: 3, temperature: 1, max_tokens: 2048 }
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

const judgementSchema = z.object({
  votes: z.array(
    z.object({
      scores: z.record(z.string(), z.object({ score: z.number().min(0).max(1), reasoning: z.string() })).nullable(),
      input_tokens: z.number().nullable(),
      output_tokens: z.number().nullable(),
    }),
  ),
});

describe.skipIf(missing.length > 0)('a judge that is a real model in this process', () => {
  test('scores every criterion in every vote, end to end', async () => {
    await using project = await projectFixture({ 'salvo.yaml': salvoYaml, 's.yaml': scenario });
    await symlink(join(root, 'node_modules'), project.path('node_modules'));
    await using finished = await runFiles({ files: ['s.yaml'], cwd: project.root, trials: 1, seed: 1, env: {} });
    const [stored] = await Array.fromAsync(finished.store.trials(finished.run.run_id));
    const [result] = stored?.result?.eval_results ?? [];
    expect(result?.details).toMatch(/^judge=local k=3 votes=[23]\/3 /);
    const { votes } = judgementSchema.parse(result?.metadata);
    const readable = votes.flatMap((vote) => (vote.scores ? [{ ...vote, scores: vote.scores }] : []));
    for (const { scores, input_tokens, output_tokens } of readable) {
      expect(Object.keys(scores)).toEqual(['Is it right?', 'brief']);
      expect([0, 1]).toContain(scores.brief?.score);
      expect(input_tokens).toBeGreaterThan(300);
      expect(output_tokens).toBeGreaterThan(10);
    }
    expect(['passed', 'failed']).toContain(stored?.result?.status);
  });
});
