import { expect, test } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../../../test/hostile-texts.ts';
import { sampleRunHead, sampleSummary } from '../../../../../../test/sample-run.ts';
import { sampleTrial } from '../../../../../../test/sample-trial.ts';
import { runDocumentSchema } from '../../../run/record/run-document.ts';
import type { RunStream } from '../run-report.ts';
import { writeRunJson } from './json-report.ts';

const run = sampleRunHead();

async function written(stream: RunStream): Promise<string> {
  const chunks: string[] = [];
  await writeRunJson({ ...stream, write: (chunk) => void chunks.push(chunk) });
  return chunks.join('');
}

async function* trialsUpTo(last: number) {
  for (let trial_number = 1; trial_number <= last; trial_number += 1) yield sampleTrial({ trial_number });
}

test('is the document of the schema, with every trial', async () => {
  const text = await written({
    run,
    scenarios: [
      { summary: sampleSummary(), trials: () => trialsUpTo(3) },
      { summary: sampleSummary({ name: 'none' }), trials: () => [] },
    ],
  });
  const document = runDocumentSchema.parse(JSON.parse(text));
  expect(document).toEqual({
    version: 1,
    ...run,
    scenarios: [
      { ...sampleSummary(), trials: [1, 2, 3].map((trial_number) => sampleTrial({ trial_number })) },
      { ...sampleSummary({ name: 'none' }), trials: [] },
    ],
  });
});

test('keys have the order of the schema, independent of the order they came in', async () => {
  const backwards = <T extends object>(value: T): T => ({
    ...value,
    ...Object.fromEntries(Object.entries(value).reverse()),
  });
  const reversed = backwards({ ...sampleSummary(), extra: 1 });
  const text = await written({
    run,
    scenarios: [{ summary: reversed, trials: () => [backwards(sampleTrial())] }],
  });
  const document = JSON.parse(text);
  expect(Object.keys(document)).toEqual(Object.keys(runDocumentSchema.shape));
  expect(Object.keys(document.scenarios[0])).toEqual([...Object.keys(sampleSummary()), 'trials']);
  expect(Object.keys(document.scenarios[0].trials[0])).toEqual(Object.keys(sampleTrial()));
});

test('a run without scenarios is a document too', async () => {
  expect(JSON.parse(await written({ run, scenarios: [] }))).toEqual({ version: 1, ...run, scenarios: [] });
});

test('a trial is one line, and can be read again from it', async () => {
  const text = await written({ run, scenarios: [{ summary: sampleSummary(), trials: () => trialsUpTo(2) }] });
  const lines = text.split('\n').filter((line) => line.includes('"trial_number"'));
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[1] ?? '')).toEqual(sampleTrial({ trial_number: 2 }));
});

test('hostile texts are read back complete, and print harmlessly', async () => {
  const texts = HOSTILE_TEXTS.map((text, index) => sampleTrial({ trial_number: index + 1, error_message: text }));
  const text = await written({ run, scenarios: [{ summary: sampleSummary(), trials: () => texts }] });
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\p{Default_Ignorable_Code_Point}\p{Cs}]/u);
  const messages = runDocumentSchema.parse(JSON.parse(text)).scenarios[0]?.trials.map((trial) => trial.error_message);
  expect(messages).toEqual(HOSTILE_TEXTS);
});

test('trials are read no faster than they are written', async () => {
  let read = 0;
  let chunks = 0;
  let mostAhead = 0;
  async function* counted() {
    for await (const trial of trialsUpTo(5000)) {
      read += 1;
      yield trial;
    }
  }
  let readAtLastChunk = 0;
  await writeRunJson({
    run,
    scenarios: [{ summary: sampleSummary(), trials: counted }],
    write: async () => {
      chunks += 1;
      mostAhead = Math.max(mostAhead, read - readAtLastChunk);
      await Promise.resolve();
      readAtLastChunk = read;
    },
  });
  expect(chunks).toBeGreaterThan(10);
  expect(mostAhead).toBeLessThan(500);
});
