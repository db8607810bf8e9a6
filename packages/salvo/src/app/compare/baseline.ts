import { resolve } from 'node:path';
import { type Baseline, baselineText } from '../../run/compare/baseline.ts';
import { baselineOfRun } from '../../run/compare/baseline-of-run.ts';
import { pairedScenarios } from '../../run/compare/paired-scenarios.ts';
import { readResults } from '../../run/compare/read-results.ts';
import type { ScenarioSummary } from '../../run/record/run-document.ts';
import type { RunRecord, RunScenario } from '../../run/record/run-record.ts';
import { shardName } from '../../run/record/shard.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import { findRun, openProject, type Workplace } from '../project/open-project.ts';
import { isFile, readTextFile } from '../project/read-text-file.ts';
import { baselinePath, currentCommit } from './run-source.ts';

export interface CreateBaselineOptions extends Workplace {
  /** A run: its id, the beginning of it, or `latest`, which it is if missing. */
  run?: string | undefined;
  /** The file that it is for. Missing: where salvo.yaml says that it is kept. What is there now must not get lost. */
  out?: string | undefined;
  /** Also of a run that no later one should be measured by, or without scenarios that the file has now. */
  force?: boolean | undefined;
}

/** A baseline that is not written yet. */
export interface CreatedBaseline {
  baseline: Baseline;
  /** The content of its file. */
  text: string;
  /** The file that it is for. */
  file: string;
}

/** The results of a stored run, as a small file to commit: without conversations, and without texts of scenarios. */
export async function createBaseline(options: CreateBaselineOptions = {}): Promise<CreatedBaseline> {
  await using opened = await openProject(options, { readOnly: true });
  const { store, project } = opened;
  const { cwd = process.cwd(), out, force = false } = options;
  const run = await findRun(store, options.run ?? 'latest');
  if (run.options.shard) {
    const message = `Run ${run.run_id} is shard ${shardName(run.options.shard)} of a run. Join the parts with \`salvo merge\`, and set that run as the baseline.`;
    throw new SalvoError('RUN_IS_SHARD', message);
  }
  const file = out === undefined ? resolve(project.root, baselinePath(project)) : resolve(cwd, out);
  const baseline = await baselineOfRun(run, store.trials(run.run_id), { commit: await currentCommit(project.root) });
  if (!baseline.scenarios.some(({ cases }) => cases.some(({ trials }) => /[01]/.test(trials)))) {
    throw new SalvoError('RUN_NOTHING_SCORED', `No trial of run ${run.run_id} was scored: it cannot be a baseline.`);
  }
  if (!force) refuse(run, [...whyNoBaseline(run), ...(await whatGetsLost(baseline, file))]);
  return { baseline, text: baselineText(baseline), file };
}

function refuse({ run_id }: RunRecord, reasons: readonly string[]): void {
  if (reasons.length === 0) return;
  const list = reasons.map((reason) => `\n  ${reason}`).join('');
  const advice = `Fix this and run again, choose another run (\`${salvoCommand()} baseline set RUN\`), or set it all the same with {option:force}.`;
  throw new SalvoError('BASELINE_REFUSED', `Run ${run_id} should not be a baseline:${list}\n${advice}`);
}

/** Scenarios that the file has now and the new baseline lacks. A file that cannot be read holds nothing to keep. */
async function whatGetsLost(baseline: Baseline, file: string): Promise<string[]> {
  if (!(await isFile(file))) return [];
  try {
    const earlier = readResults(await readTextFile(file, { cwd: '.' }), file);
    const { onlyBase } = pairedScenarios(earlier.scenarios, baseline.scenarios);
    return onlyBase.length === 0
      ? []
      : [`it lacks scenarios that the file has now: ${onlyBase.map(({ name }) => name).join(', ')}`];
  } catch {
    return [];
  }
}

/** Why later runs should not be measured by a run, each a part of a sentence. That not every trial passed is no reason. */
function whyNoBaseline({ status, scenarios, options }: RunRecord): string[] {
  const judged = scenarios.flatMap((each) => {
    const { summary } = each;
    return summary && summary.verdict !== 'SKIPPED' && summary.verdict !== 'QUARANTINED' ? [{ each, summary }] : [];
  });
  const named = (is: (summary: ScenarioSummary, scenario: RunScenario) => boolean) =>
    judged.flatMap(({ each, summary }) => (is(summary, each) ? [each.name] : []));
  const reason = (words: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${words}: ${[...new Set(names)].join(', ')}`];
  return [
    ...(status === 'finished' ? [] : ['it is not finished']),
    ...reason('not all trials were scored', named(isUnscored)),
    ...reason(
      'a required assertion failed',
      named(({ verdict }) => verdict === 'HARD_FAIL'),
    ),
    ...(judged.every(({ summary }) => summary.trials_passed === 0) ? ['no trial passed'] : []),
    ...reason(
      'a minimum or limit that was set is missed',
      named((summary, { scenario }) => {
        const isSet = options.min_pass_rate !== null || scenario.min_pass_rate !== undefined;
        return summary.gates.some(({ gate, met }) => met === false && (gate !== 'min_pass_rate' || isSet));
      }),
    ),
  ];
}

/** What only the comparison with another baseline left open has its results. */
function isUnscored({ verdict, decided_by }: ScenarioSummary): boolean {
  return verdict === 'UNSCORED' && decided_by !== 'baseline_undecided' && decided_by !== 'baseline';
}
