import { z } from 'zod';
import { judgeFactsSchema } from '../../judge/judge-facts.ts';
import type { AgainstOutcome } from '../../run/compare/judge-against.ts';
import type { RunOutcome } from '../../run/conduct/run-request.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import { type Project, projectSchema } from '../../scenario/schema/project-schema.ts';
import type { Store } from '../../store/store.ts';
import type { AgainstEnd } from '../compare/against.ts';
import type { RunFilesEvent } from '../selection/run-files-event.ts';
import type { CoordinatorRequest } from './work-kind.ts';

export const runSettingsSchema = z.object({
  retries: z.int().nonnegative().nullable(),
  judge_cache: z.boolean(),
  /** The judge of salvo.yaml. */
  judge: projectSchema.shape.judge,
  /** The judges that its scenarios ask. */
  judges: z.array(z.object({ judge_hash: z.string(), is_script: z.boolean(), facts: judgeFactsSchema })),
});

/** Scenarios whose trials workers perform. There are labels for each scenario; those after them are skipped. */
export interface RunWork {
  record: RunRecord;
  event: RunFilesEvent;
  outcome: RunOutcome;
  ended: EndedRun;
  settings: z.infer<typeof runSettingsSchema>;
}

/** A run that ended while it was followed. */
export interface EndedRun {
  run: RunRecord;
  against: AgainstOutcome | null;
  store: Store;
  project: Project;
  /** Such as teardowns that failed, if this process coordinated the run in the end. */
  warnings: string[];
}

/** The baseline that travelled with the order; null if it has none. */
export async function readBaseline({
  readFile,
}: Pick<CoordinatorRequest<RunWork>, 'readFile'>): Promise<AgainstEnd | null> {
  const content = await readFile('baseline');
  if (content === null) return null;
  const { againstBaseline } = await import('../compare/against.ts');
  const { readResults } = await import('../../run/compare/read-results.ts');
  return againstBaseline(readResults(new TextDecoder().decode(content), 'the baseline'));
}
