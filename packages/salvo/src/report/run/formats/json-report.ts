import type { z } from 'zod';
import { evalResultSchema } from '../../../evaluators/eval-result.ts';
import { RUN_DOCUMENT_VERSION, runDocumentSchema, scenarioSummarySchema } from '../../../run/record/run-document.ts';
import { harmlessJson } from '../../../text/output/plain-text.ts';
import { type TrialResult, trialResultSchema } from '../../../trial/trial-result.ts';
import { createChunkedWriter, type Write } from '../../terminal/chunked-writer.ts';
import type { RunStream } from '../run-report.ts';

/**
 * Writes the document of `salvo run --json`, trial by trial. Keys have the order of `runDocumentSchema`, independent of
 * the store. A trial is one line, so that the document can also be searched line by line.
 */
export async function writeRunJson(options: RunStream & { write: Write }): Promise<void> {
  const { add, flush } = createChunkedWriter(options.write);
  const { scenarios: _, ...runShape } = runDocumentSchema.shape;
  await add(
    `{\n${members({ version: RUN_DOCUMENT_VERSION, ...options.run }, Object.keys(runShape), '  ')},\n  "scenarios": [`,
  );
  let scenarioSeparator = '';
  for (const { summary, trials } of options.scenarios) {
    const summaryMembers = members(summary, keysOf(summary, scenarioSummarySchema), '      ');
    await add(`${scenarioSeparator}\n    {\n${summaryMembers},\n      "trials": [`);
    let trialSeparator = '';
    for await (const trial of trials()) {
      await add(`${trialSeparator}\n        ${trialJson(trial)}`);
      trialSeparator = ',';
    }
    await add(`${trialSeparator === '' ? '' : '\n      '}]\n    }`);
    scenarioSeparator = ',';
  }
  const matrix = options.matrix ? `,\n  "matrix": ${harmlessJson(options.matrix)}` : '';
  const against = options.against ? `,\n  "against": ${harmlessJson(options.against)}` : '';
  const notes = options.notes?.length ? `,\n  "notes": ${harmlessJson(options.notes)}` : '';
  await add(`${scenarioSeparator === '' ? '' : '\n  '}]${matrix}${against}${notes}\n}\n`);
  await flush();
}

function members(document: object, keys: readonly string[], indent: string): string {
  const values = new Map<string, unknown>(Object.entries(document));
  return keys.map((key) => `${indent}${JSON.stringify(key)}: ${harmlessJson(values.get(key) ?? null)}`).join(',\n');
}

/** What is left out where it says nothing: without a baseline, a simulated user, a fault or an import, and where a cost is known. Any other field may be null. */
const LEFT_OUT = new Set([
  ...['baseline', 'cost_at_least', 'judge_cost_at_least'],
  ...[
    'user_cost_usd',
    'user_cost_at_least',
    'simulated_user',
    'simulated_users',
    'imported',
    'given',
    'faults',
    'holdout',
    'prompt_of',
  ],
]);

function keysOf(document: object, schema: z.ZodObject): string[] {
  const values = new Map<string, unknown>(Object.entries(document));
  return Object.keys(schema.shape).filter((key) => !LEFT_OUT.has(key) || values.get(key) !== undefined);
}

function trialJson(trial: TrialResult): string {
  const results = trial.eval_results.map((result) => withOrderedKeys(result, Object.keys(evalResultSchema.shape)));
  return harmlessJson(withOrderedKeys({ ...trial, eval_results: results }, keysOf(trial, trialResultSchema)));
}

function withOrderedKeys(document: object, keys: readonly string[]): Record<string, unknown> {
  const values = new Map<string, unknown>(Object.entries(document));
  return Object.fromEntries(keys.map((key) => [key, values.get(key) ?? null]));
}
