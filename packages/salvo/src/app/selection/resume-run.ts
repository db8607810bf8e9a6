import type { DescribedScenario } from '../../run/conduct/prepare-scenario.ts';
import { whySkipped } from '../../run/conduct/skipped-scenario.ts';
import { agentDifferences } from '../../run/record/agent-files.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import { shardName } from '../../run/record/shard.ts';
import { resolveRunId } from '../../store/resolve-id.ts';
import type { RunListing, Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { isAllCodeRefused } from '../../text/modules/permitted-code.ts';
import { salvoVersion } from '../../text/modules/salvo-version.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import type { CodeOfRun } from '../runs/code-of-run.ts';
import type { PerformRunOptions } from '../runs/run-options.ts';
import { changedAgent, mixture } from './mixed-run.ts';
import { refuseRunOfTest, testFileOf } from './test-files.ts';

const READ_AT_ONCE = 50;

/** The stored run that is to be resumed. Throws when it never called an agent. */
export async function findRunToResume(store: Store, idOrPrefix: string): Promise<RunRecord> {
  const runId = idOrPrefix === 'latest' ? await latestToResume(store) : await resolveRunId(store, idOrPrefix);
  const run = await store.getRun(runId);
  if (!run) throw new SalvoError('RUN_UNKNOWN', `There is no run ${runId}.`);
  refuseRunOfTest(run, 'resumed');
  if (run.reeval_of !== null) {
    throw new SalvoError(
      'RUN_IS_REEVAL',
      `Run ${runId} judged the stored traces of run ${run.reeval_of} again, so it has no trials to resume. \`${salvoCommand()} reeval ${run.reeval_of}\` judges them once more.`,
    );
  }
  return run;
}

/** The newest run that lacks something, of those that called agents of scenario files. If none does, the newest of them. */
async function latestToResume(store: Store): Promise<string> {
  const ids = (await store.runRevisions()).map(({ run_id }) => run_id);
  let newest: string | null = null;
  // It is usually among the newest, and there may be thousands.
  for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
    const runs = await store.listRuns({ runIds: ids.slice(at, at + READ_AT_ONCE) });
    const called = runs.filter((run) => run.reeval_of === null && testFileOf(run) === null && !run.options.imported);
    const incomplete = called.find(lacksTrials);
    if (incomplete) return incomplete.run_id;
    newest ??= called[0]?.run_id ?? null;
  }
  return newest ?? (await resolveRunId(store, 'latest'));
}

/** Whether `salvo run --resume` has something to do for this run, and needs nothing but its id. */
export function canResume(run: RunListing): boolean {
  const isOfFiles = run.reeval_of === null && testFileOf(run) === null && !run.options.imported;
  return isOfFiles && run.options.shard === undefined && lacksTrials(run);
}

/** Whether a resumed run would have anything to do. */
function lacksTrials({ status, scenarios }: RunListing): boolean {
  if (status !== 'finished') return true;
  return scenarios.some(({ summary }) => {
    if (!summary) return true;
    const { trials_total, trials_planned, stopped, errors } = summary;
    return (
      (trials_total < trials_planned && stopped !== 'early_stop' && stopped !== 'decided') ||
      errors.some(({ code }) => code !== 'NO_ASSERTIONS')
    );
  });
}

/** The record of a run that goes on in this process, with the same scenarios, number of trials and seed. */
export function resumedRun(
  run: RunRecord,
  prepared: readonly DescribedScenario[],
  options: Omit<PerformRunOptions, 'files'> & Partial<CodeOfRun> & Pick<RunRecord, 'git'>,
): RunRecord {
  const begunAs = run.options.shard;
  if (begunAs && !options.shard) {
    const shard = `{option:shard} ${shardName(begunAs)}`;
    throw new SalvoError(
      'RESUME_DIFFERS',
      `Run ${run.run_id} was begun with ${shard}: add ${shard} and {option:out}, so that its part is written.`,
    );
  }
  const fixed: [string, unknown, unknown][] = [
    ['shard', options.shard && shardName(options.shard), begunAs ? shardName(begunAs) : null],
    ['trials', options.trials, run.options.trials],
    ['seed', options.seed, run.options.seed],
  ];
  for (const [option, now, then] of fixed) {
    if (now !== undefined && now !== then) {
      throw new SalvoError(
        'RESUME_DIFFERS',
        `Run ${run.run_id} was begun ${then === null ? 'without' : 'with'} {option:${option}}${then === null ? '' : ` ${then}`}: resume it without {option:${option}}, or start a new run.`,
      );
    }
  }
  const difference = scenarioDifference(run, prepared);
  if (difference !== null) throw new SalvoError('RESUME_DIFFERS', difference);
  const changes = agentDifferences(run.options.agent_files, options.agents);
  if (changes.length > 0 && !options.mixed)
    throw changedAgent(`Run ${run.run_id} was begun with another agent`, changes);
  // Its trials would be of two states of the project.
  const isSame = run.git?.commit === options.git?.commit && run.git?.dirty === options.git?.dirty;
  return {
    ...run,
    git: isSame ? run.git : null,
    options: {
      ...run.options,
      allow_unscored: options.allowUnscored ?? run.options.allow_unscored,
      min_pass_rate: options.minPassRate ?? run.options.min_pass_rate,
      min_score: options.minScore ?? run.options.min_score,
      assertion_files: unchangedFiles(run.options.assertion_files, options.files),
      ...(isAllCodeRefused() && { no_code: true }),
      ...(options.earlyStop && { early_stop: true }),
      ...severalVersions(run),
      ...mixture([...(run.options.mixed ?? []), ...changes]),
    },
  };
}

/** Another version may run or judge trials differently. Reports say so. */
function severalVersions({ salvo_version, options }: RunRecord): Pick<RunRecord['options'], 'salvo_versions'> {
  const versions = [...new Set([...(options.salvo_versions ?? [salvo_version]), salvoVersion()])];
  return versions.length > 1 ? { salvo_versions: versions } : {};
}

/** Files by which all trials of the run are judged. What others say is unknown: there are two versions of them. */
function unchangedFiles(
  then: RunRecord['options']['assertion_files'],
  now: Record<string, string> = {},
): RunRecord['options']['assertion_files'] {
  return then && Object.fromEntries(Object.entries(then).filter(([file, hash]) => now[file] === hash));
}

/** What differs from the scenarios that the run was begun with, and what to do; null when nothing does. */
export function scenarioDifference(run: RunRecord, prepared: readonly DescribedScenario[]): string | null {
  const { run_id } = run;
  const scenarios = run.scenarios.filter(({ scenario }, index) => {
    return whySkipped(scenario, run.options.cases?.[index] ?? null) === null;
  });
  if (
    scenarios.length !== prepared.length ||
    scenarios.some(({ file }, index) => file !== prepared[index]?.relativeFile)
  ) {
    const files = scenarios.map(({ file }) => file).join(', ');
    return `Run ${run_id} was begun with other files (${files}): resume it without naming files, or start a new run.`;
  }
  for (const [index, then] of scenarios.entries()) {
    const now = prepared[index];
    if (now?.hash !== then.scenario_hash) {
      return `${then.file} has changed since run ${run_id} was begun. Undo the change, or start a new run.`;
    }
    if (now.adapterName !== then.adapter || now.model !== then.model) {
      return `Run ${run_id} was begun with the adapter ${then.adapter} and the model ${then.model || '(none)'}: resume it without {option:adapter} and {option:model}, or start a new run.`;
    }
  }
  return null;
}
