import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { baselineOfRun } from '../../run/compare/baseline-of-run.ts';
import { readDocument } from '../../run/compare/read-results.ts';
import { withEarlier } from '../../run/compare/until/until-watch.ts';
import type { EarlierResults, RunRecord, UntilDecided } from '../../run/record/run-record.ts';
import type { Store } from '../../store/store.ts';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { harmlessJson } from '../../text/output/plain-text.ts';
import { isFile, readTextFile } from '../project/read-text-file.ts';

const EVIDENCE_VERSION = 1;
/** Of those that a file keeps. Agents of long ago are not compared again. */
const MOST_PROCESSES = 1000;

const text = (most: number) => z.string().max(most);

const earlierResultsSchema = z.object({
  ...{ name: text(1000), file: text(10_000), adapter: text(10_000), model: text(10_000) },
  cases: z
    .array(
      z.object({
        case: text(10_000).nullable(),
        row: text(64).nullable(),
        trials: text(1_000_000).regex(/^[01-]*$/, 'only 1, 0 and - are outcomes'),
        identical: z.literal(true).optional(),
      }),
    )
    .max(100_000),
});

/** What runs that go on until they are decided have shown about a baseline: a file to keep between runs of CI. */
export const evidenceSchema = z.object({
  salvo_evidence: z.literal(EVIDENCE_VERSION),
  /** A hash of the baseline. With another one, everything begins anew. */
  baseline: text(64),
  /** One for each agent that was compared with it, the newest last. */
  processes: z
    .array(
      z.object({
        id: text(64),
        planned: z.int().positive().max(1_000_000),
        scenarios: z.array(earlierResultsSchema).max(100_000),
      }),
    )
    .max(MOST_PROCESSES),
});

type EvidenceDocument = z.infer<typeof evidenceSchema>;

export function readEvidence(content: string, name: string): EvidenceDocument {
  return readDocument(evidenceSchema, content, name);
}

type TrialsStore = Pick<Store, 'trials'>;

/** The trials of a run and of those that it continued. What is behind a trial that is missing does not count. */
export async function evidenceOfRun(store: TrialsStore, run: RunRecord): Promise<EarlierResults[]> {
  // Also cases without a trial of this run: they have those of earlier ones.
  const own = await baselineOfRun(run, store.trials(run.run_id), { withPlanned: true });
  const { scenarios } = withEarlier(own, run.options.against?.until?.earlier ?? []);
  return scenarios.map(({ name, file, adapter, model, cases }) => ({
    ...{ name, file, adapter, model },
    cases: cases.map(({ case: of, row, trials, identical }) => ({
      ...{ case: of, row, trials: trials.split('.')[0] ?? '' },
      ...(identical && { identical }),
    })),
  }));
}

/** Writes what a run has shown to its evidence file: completely, or not at all. */
export async function writeEvidence(store: TrialsStore, run: RunRecord, file: string): Promise<void> {
  const { until } = run.options.against ?? {};
  if (!until) return;
  const before = (await isFile(file)) ? await readTextFile(file, { cwd: '.' }) : null;
  const content = await evidenceText(store, run, { until, before });
  const draft = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(draft, content, { flag: 'wx' });
    await rename(draft, file);
  } catch (cause) {
    await rm(draft, { force: true });
    throw new SalvoError('FILE_NOT_WRITTEN', `Could not write ${file}: ${errorMessage(cause)}.`, { cause });
  }
}

/** The content of an evidence file after a run: a line for each case. */
async function evidenceText(
  store: TrialsStore,
  run: RunRecord,
  { until, before }: { until: UntilDecided; before: string | null },
): Promise<string> {
  const earlier = before === null ? null : readEvidence(before, 'the evidence');
  const others = earlier?.baseline === until.baseline ? earlier.processes.filter(({ id }) => id !== until.process) : [];
  const now = { id: until.process, planned: until.planned, scenarios: await evidenceOfRun(store, run) };
  const processes = [...others, now].slice(-MOST_PROCESSES).map(({ scenarios, ...head }) => {
    const blocks = scenarios.map(({ cases, ...scenario }) => {
      const lines = cases.map((each) => `\n          ${harmlessJson(each)}`).join(',');
      return `\n        {${harmlessJson(scenario).slice(1, -1)}, "cases": [${lines}\n        ]}`;
    });
    return `\n    {${harmlessJson(head).slice(1, -1)}, "scenarios": [${blocks.join(',')}\n    ]}`;
  });
  return `{\n  "salvo_evidence": ${EVIDENCE_VERSION},\n  "baseline": ${JSON.stringify(until.baseline)},\n  "processes": [${processes.join(',')}\n  ]\n}\n`;
}
