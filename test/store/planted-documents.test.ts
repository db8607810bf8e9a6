import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { adapterSecrets } from '../../packages/salvo/src/adapters/adapter-secrets.ts';
import {
  type CalibrationRecord,
  calibrationRecordSchema,
} from '../../packages/salvo/src/judge/calibration/calibration-record.ts';
import { type HumanLabel, humanLabelSchema } from '../../packages/salvo/src/judge/calibration/human-label.ts';
import {
  type StoredComparison,
  storedComparisonSchema,
} from '../../packages/salvo/src/judge/which/stored-comparison.ts';
import type { RunChange, RunRecord, StoredTrial } from '../../packages/salvo/src/run/record/run-record.ts';
import { createRedactor, type RedactionOptions } from '../../packages/salvo/src/secrets/redactor.ts';
import { textFree } from '../../packages/salvo/src/secrets/text-marks.ts';
import { comparisonsOf } from '../../packages/salvo/src/store/comparison-tables.ts';
import { judgesOf } from '../../packages/salvo/src/store/judge-tables.ts';
import {
  createDocumentRedactor,
  type RecordingMode,
} from '../../packages/salvo/src/store/redaction/redact-document.ts';
import { redactingStore } from '../../packages/salvo/src/store/redaction/redacting-store.ts';
import { openSqliteStore } from '../../packages/salvo/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../packages/salvo/src/store/store.ts';
import {
  runChangeSchema,
  runRecordSchema,
  storedTrialSchema,
} from '../../packages/salvo/src/store/stored-documents.ts';
import { type Trace, traceSchema } from '../../packages/salvo/src/trace/trace.ts';
import {
  type ExperimentRecord,
  experimentRecordSchema,
} from '../../packages/salvo-arena/src/experiment/experiment-record.ts';
import { type Game, gameSchema } from '../../packages/salvo-arena/src/game/game-document.ts';
import { type GameSheet, gameSheetSchema } from '../../packages/salvo-arena/src/game/game-sheet.ts';
import type { RedOutcome } from '../../packages/salvo-arena/src/red/red-team.ts';
import { redOutcomeSchema } from '../../packages/salvo-arena/src/red/red-team.ts';
import { experimentsOf } from '../../packages/salvo-arena/src/store/experiment-tables.ts';
import { type Planted, plantedDocument } from './planted-documents.ts';

const VARIANTS = 4;

interface Documents {
  run: RunRecord;
  change: RunChange;
  trace: Trace;
  trial: StoredTrial;
  calibration: CalibrationRecord;
  label: HumanLabel;
  comparison: StoredComparison;
  experiment: ExperimentRecord;
  game: Game;
  sheet: GameSheet;
  code: RedOutcome;
}

/** One of each document that a store takes. */
function plantedDocuments(planted: Planted, variant: number, secrets: readonly string[] = []): Documents {
  const document = (schema: z.ZodType) => plantedDocument(schema, { planted, variant, secrets });
  return {
    run: document(runRecordSchema),
    change: document(runChangeSchema),
    trace: document(traceSchema),
    trial: document(storedTrialSchema),
    calibration: document(calibrationRecordSchema),
    label: document(humanLabelSchema),
    comparison: document(storedComparisonSchema),
    experiment: document(experimentRecordSchema),
    game: document(gameSchema),
    sheet: document(gameSheetSchema),
    code: document(redOutcomeSchema),
  } as Documents;
}

async function storeAll(store: Store, { run, change, trace, trial, ...documents }: Documents): Promise<boolean> {
  const { calibration, label, comparison, experiment, game, sheet, code } = documents;
  await store.createRun(run);
  const trace_id = await store.saveTrace(trace);
  await store.saveTrial({ ...trial, trace_id });
  await store.updateRun(run.run_id, change);
  await judgesOf(store).saveCalibration(calibration);
  await judgesOf(store).saveLabel(label);
  await comparisonsOf(store).saveComparison(comparison);
  expect(await comparisonsOf(store).getComparison(comparison.comparison_id)).not.toBeNull();
  await experimentsOf(store).saveExperiment(experiment);
  await experimentsOf(store).saveGame(game, sheet);
  // What can be read is still a document of its schema.
  expect(await store.getRun(run.run_id)).not.toBeNull();
  expect(await store.getTrace(trace_id)).not.toBeNull();
  expect(await Array.fromAsync(store.trials(run.run_id))).toHaveLength(1);
  expect(await judgesOf(store).getCalibration(calibration.judge_hash)).not.toBeNull();
  expect(await Array.fromAsync(experimentsOf(store).games(experiment.experiment_id))).toHaveLength(1);
  expect(await experimentsOf(store).getGame(experiment.experiment_id, game.game_id)).not.toBeNull();
  return await experimentsOf(store).saveCode(experiment.experiment_id, 'code', code);
}

/** Every byte of the database and its write-ahead log. */
async function bytesStored(
  all: Documents[],
  { mode, ...redaction }: { mode: RecordingMode } & Partial<RedactionOptions>,
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'salvo-planted-'));
  const redactor = createRedactor({ customPatterns: [], secrets: [], ...redaction });
  const store = redactingStore(await openSqliteStore({ file: path.join(folder, 'salvo.db') }), { redactor, mode });
  for (const documents of all) expect(await storeAll(store, documents)).toBe(false);
  const open = await readAll(folder);
  await store.close();
  const closed = await readAll(folder);
  await rm(folder, { recursive: true, force: true });
  return open + closed;
}

async function readAll(folder: string): Promise<string> {
  const files = await readdir(folder);
  return (await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))).join('\n');
}

test.each(['full', 'metadata_only'] as const)('%s: no text field of any document is stored raw', async (mode) => {
  const planted: Planted = { texts: [], names: [] };
  const all = Array.from({ length: VARIANTS }, (_, variant) => plantedDocuments(planted, variant));
  expect(planted.texts.length).toBeGreaterThan(VARIANTS * 100);
  expect(planted.names.length).toBeGreaterThan(VARIANTS * 20);
  // With `full` the names are secrets here; with `metadata_only` they are what a report shows.
  const bytes = await bytesStored(all, {
    mode,
    customPatterns: mode === 'full' ? ['planted (text|name) \\d+\\.'] : [],
  });
  expect(bytes).toContain('id-0');
  const stored = new Set(bytes.match(/planted (?:text|name) \d+\./g));
  expect(planted.texts.filter((text) => stored.has(text))).toEqual([]);
  const namesStored = planted.names.filter((name) => stored.has(name));
  if (mode === 'full') expect(namesStored).toEqual([]);
  else expect(namesStored.length).toBeGreaterThan(VARIANTS * 20);
});

/** Texts with a secret in them, and the secret. Built from parts, so that no scanner takes this file for a leak. */
const FORMS: readonly [before: string, secret: string, after: string][] = [
  ['https://hooks.slack.com/services/', `T00000000/B00000000/${'aB3dE5gH7jK9mN1pQ2sT4vW6'}`, ''],
  ['', `ya29.${'a0AfH6SMBxaB3dE5gH7jK9mN1p'}`, ''],
  ['', `SK${'0123456789abcdef'.repeat(2)}`, ''],
  ['https://x.blob.core.windows.net/f?sv=1&sig=', `${'aB3dE5gH7jK9mN1pQ2sT'}%3D`, '&sp=r'],
  ['https://user:', 'pa55-word-in-a-url', '@host.example'],
  ['https://', 'a1b2c3d4e5f6a7b8c9', '@host.example'],
  ['GITHUB_PAT=', 'pat-0123456789', ''],
  ['https://host.example/?access_token=', 'query-0123456789', ''],
  ['the variable ', 'Trident-of-Poseidon', ''],
];

test('secrets of every form are stored in no text field of any document', async () => {
  const planted: Planted = { texts: [], names: [] };
  const texts = FORMS.map((parts) => parts.join(''));
  const all = Array.from({ length: 2 }, (_, variant) => plantedDocuments(planted, variant, texts));
  const secrets = adapterSecrets({ adapters: {}, env: { A_PASSWORD: 'Trident-of-Poseidon' } });
  const bytes = await bytesStored(all, { mode: 'full', secrets });
  expect(bytes).toContain('[REDACTED:webhook]');
  for (const [, secret] of FORMS) {
    expect(planted.texts.some((text) => text.includes(secret))).toBe(true);
    expect([secret, bytes.includes(secret)]).toEqual([secret, false]);
  }
});

test('a field that is added to a schema counts as text until it is marked', async () => {
  const redactor = createRedactor({ customPatterns: [], secrets: ['a planted secret'] });
  const schema = z.object({
    id: textFree(z.string()),
    added: z.string(),
    also: z.unknown(),
    other: z.array(z.string()),
  });
  const text = 'it is a planted secret';
  const document = { id: 'id-1', added: text, also: { [text]: text }, other: [text] };
  for (const mode of ['full', 'metadata_only'] as const) {
    const redacted = createDocumentRedactor({ redactor, mode })(schema, document);
    expect(redacted.id).toBe('id-1');
    expect(JSON.stringify(redacted)).not.toContain('planted');
  }
});

test('a mark that is wrong does not let a text through', async () => {
  const redactor = createRedactor({ customPatterns: [], secrets: ['a planted secret'] });
  const schema = z.object({ id: textFree(z.string()), kind: z.enum(['a', 'b']), count: z.number() });
  const text = 'it is a planted secret';
  for (const mode of ['full', 'metadata_only'] as const) {
    const redact = createDocumentRedactor({ redactor, mode });
    expect(JSON.stringify(redact(schema, { id: text, kind: text, count: text }))).not.toContain('planted');
  }
});

test('a method that a store has and its contract does not is not passed on', async () => {
  const redactor = createRedactor({ customPatterns: [], secrets: [] });
  const store = Object.assign(await openSqliteStore({ file: ':memory:' }), { saveAnything: () => {} });
  const { saveAnything, ...contract } = store;
  const redacting = redactingStore(store, { redactor, mode: 'full' });
  expect(Object.keys(redacting).toSorted()).toEqual(Object.keys(contract).toSorted());
  expect(saveAnything).toBeTypeOf('function');
  await store.close();
});
