import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { newId } from '../../../queue/new-id.ts';
import { demandLine } from '../../../scenario/from-trace/demand-line.ts';
import { relativeFile } from '../../../scenario/load-scenario.ts';
import { nothingStored } from '../../../store/resolve-id.ts';
import { errorCode, errorMessage, SalvoError } from '../../../text/errors/salvo-error.ts';
import { cutEnd } from '../../../text/words/cut-text.ts';
import { type ScenarioFromTrace, scenarioOfSources } from '../../from-trace/scenario-from-trace.ts';
import { sourceOfTrial } from '../../from-trace/source-of-trial.ts';
import { storeOf, type ViewedProject } from '../viewed-project.ts';

const LONGEST_WHY = 2000;
const LONGEST_DEMAND = 200;

/** The scenario that a stored trace becomes. */
export type ScenarioView = Awaited<ReturnType<typeof scenarioView>>;

export async function scenarioView(viewed: ViewedProject, traceId: string, failed: string | undefined) {
  const { project, made } = await scenarioOf(viewed, traceId, failed);
  const { name, text, assertions, notes } = made;
  return {
    name,
    /** Where it belongs, from the folder of the project. */
    path: relativeFile(project.root, made.file),
    file_name: basename(made.file),
    text,
    assertions: assertions.map(({ assertion, why, verdict }) => ({
      demand: cutEnd(demandLine(assertion), LONGEST_DEMAND, '…'),
      why,
      verdict,
    })),
    notes,
  };
}

/** Writes the scenario to the project. A file that exists is never overwritten. */
export async function writeScenario(viewed: ViewedProject, traceId: string, failed: string | undefined) {
  const { project, made } = await scenarioOf(viewed, traceId, failed);
  const path = relativeFile(project.root, made.file);
  await writeNewFile(made, path);
  return { path };
}

async function scenarioOf(viewed: ViewedProject, traceId: string, why: string | undefined) {
  const { project, env } = viewed;
  if (project === null) throw nothingStored('Only trials of a project can become scenarios.');
  const failed = why === undefined || why.trim() === '' ? undefined : why.slice(0, LONGEST_WHY);
  const store = await storeOf(viewed);
  const trial = await store.findTrialOfTrace(traceId);
  const run = trial && (await store.getRun(trial.run_id));
  const source = await sourceOfTrial(store, { traceId, run, trial });
  const made = await scenarioOfSources([source], { cwd: project.root, env, project, failed, notes: [] });
  return { project, made };
}

/** Complete or not at all. */
async function writeNewFile({ file, text }: ScenarioFromTrace, path: string): Promise<void> {
  const draft = `${file}.${newId()}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(draft, text, { flag: 'wx' });
    await link(draft, file);
  } catch (cause) {
    const why =
      errorCode(cause) === 'EEXIST' ? `${path} exists already.` : `Could not write ${path}: ${errorMessage(cause)}.`;
    throw new SalvoError('FILE_NOT_WRITTEN', why, { cause });
  } finally {
    await rm(draft, { force: true });
  }
}
