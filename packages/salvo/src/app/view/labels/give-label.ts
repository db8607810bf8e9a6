import { z } from 'zod';
import { drawnSchema, type HumanLabel } from '../../../judge/calibration/human-label.ts';
import { resolveJudgeConfig } from '../../../judge/judge-config.ts';
import { newId } from '../../../queue/new-id.ts';
import type { Project } from '../../../scenario/schema/project-schema.ts';
import { meetsThreshold } from '../../../stats/mean.ts';
import { judgesOf } from '../../../store/judge-tables.ts';
import type { Store } from '../../../store/store.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import { findRun } from '../../project/open-project.ts';
import { labelledAssertion } from './label-queue.ts';

/** What a page sends: where the trial is, and what the person says. */
export const givenLabelSchema = z.strictObject({
  run_id: z.string().max(200),
  scenario_index: z.int().nonnegative(),
  case_index: z.int().nonnegative(),
  trial_number: z.int().positive(),
  assertion_id: z.string().max(10_000).nullable(),
  criterion: z.string().max(10_000).nullable(),
  /** True and false are pass and fail; or a score from 0 to 1. */
  verdict: z.union([z.boolean(), z.number().min(0).max(1)]),
  note: z.string().max(10_000).default(''),
  labelled_by: z.string().trim().min(1).max(200),
  /** As the queue says, if the trial was shown by it. */
  drawn: drawnSchema.nullish(),
});

/** @internal Used by the viewer's pages. */
export type GivenLabel = z.input<typeof givenLabelSchema>;

/** Stores a label. Throws if the trial or the criterion does not exist. */
export async function giveLabel(
  { store, project }: { store: Store; project: Pick<Project, 'config'> },
  given: z.output<typeof givenLabelSchema>,
  now: Date = new Date(),
): Promise<HumanLabel> {
  const { run_id, scenario_index, case_index, trial_number, assertion_id, criterion, verdict, note } = given;
  const run = await findRun(store, run_id);
  const place = { scenario: scenario_index, case: case_index, trial: trial_number };
  const { entry, assertion, criteria } = labelledAssertion(run, { run: run_id, ...place, assertionId: assertion_id });
  if (criterion !== null && !criteria.some(({ name }) => name === criterion)) {
    throw new SalvoError('CRITERION_UNKNOWN', `The judge has no criterion ${JSON.stringify(criterion)}.`);
  }
  const trial = await store.getTrial(run.run_id, place);
  if (!trial || trial.trace_id === null) {
    throw new SalvoError('TRIAL_UNKNOWN', 'There is no such trial, or nothing was recorded of it.');
  }
  // A label that is changed later, on the page of the trial, was drawn all the same.
  const { listLabels, saveLabel } = judgesOf(store);
  const earlier = await listLabels({ traceId: trial.trace_id });
  const drawn = given.drawn ?? earlier.find((label) => label.assertion_id === assertion_id && label.drawn)?.drawn;
  const { threshold } = resolveJudgeConfig(assertion ?? {}, project.config.judge);
  return saveLabel({
    label_id: newId(),
    trace_id: trial.trace_id,
    ...{ run_id: run.run_id, scenario_index, scenario: entry.name, file: entry.file },
    ...{ case_index, case: trial.case, trial_number, assertion_id, criterion },
    passed: typeof verdict === 'boolean' ? verdict : meetsThreshold(verdict, threshold),
    score: typeof verdict === 'boolean' ? null : verdict,
    note,
    ...(drawn ? { drawn } : {}),
    labelled_by: given.labelled_by,
    created_at: now.toISOString(),
  });
}
