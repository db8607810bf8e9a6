import { createBudget } from '../../models/budget/create-budget.ts';
import { votesOfRun } from '../../models/call/vote-cache.ts';
import { joinedSignals } from '../../queue/lease.ts';
import { isAllCodeRefused } from '../../text/modules/permitted-code.ts';
import { newRun } from '../record/new-run.ts';
import { recordedScenarios } from '../record/recorded-scenarios.ts';
import { withProjectGates } from '../verdict/gates.ts';
import { runVerdict } from '../verdict/verdict.ts';
import { hasPartOfCases, isSingle, judgedCases } from './judged-cases.ts';
import { reevaluateScenario, refuseUnlessJudgeable } from './reevaluate-scenario.ts';
import type { ReevaluatedScenario, ReevaluateOptions, Reevaluation } from './reevaluation.ts';

/** Applies assertions to stored traces, as a new run of its own. No agent is called. */
export async function reevaluate(options: ReevaluateOptions): Promise<Reevaluation> {
  const { source, recorder } = options;
  const chosen = source.scenarios.flatMap((then, index) => {
    if (options.only && options.only.scenario_index !== index) return [];
    const loaded = options.scenarioOf(index);
    return loaded ? [{ then, index, loaded }] : [];
  });
  // Before the first write: a reevaluation that is refused must not leave a run behind.
  for (const { index } of chosen) await refuseUnlessJudgeable(options, index);
  const recorded = await recordedScenarios(source, recorder);
  const judgedIndices = ({ loaded, index }: (typeof chosen)[number]) =>
    judgedCases(loaded.scenario, { ...options, index }).map((each) => each.index);
  const run = newRun({
    reeval_of: source.run_id,
    git: source.git,
    options: {
      ...source.options,
      trials: isSingle(options.only) ? 1 : source.options.trials,
      cases: hasPartOfCases(options) ? chosen.map(judgedIndices) : null,
      record_only: false,
      assertion_files: options.assertionFiles,
      compared_runs: options.comparedRuns,
      ...(isAllCodeRefused() && { no_code: true }),
    },
    scenarios: chosen.map(({ then, loaded }) => ({
      ...then,
      name: loaded.scenario.name,
      file: loaded.relativeFile,
      scenario_hash: loaded.hash,
      scenario: withProjectGates(loaded.scenario, options.project.config),
      summary: null,
    })),
  });
  await using lease = await recorder.claim({ kind: 'run', id: run.run_id });
  const { judgeServices } = options;
  const signals = joinedSignals(options, lease);
  const voteCache = judgeServices?.voteCache && votesOfRun(judgeServices.voteCache, run.run_id);
  const working: ReevaluateOptions = {
    ...options,
    judgeServices: judgeServices && { ...judgeServices, voteCache },
    ...signals,
  };
  await recorder.createRun(run);
  options.onEvent?.({
    type: 'reevaluation_started',
    total: isSingle(options.only) ? 1 : chosen.reduce((sum, { then }) => sum + (then.summary?.trials_total ?? 1), 0),
  });
  // As stored, without secrets, like the snapshot that it is compared with.
  const snapshots = (await recorder.getRun(run.run_id))?.scenarios ?? [];
  const budget = createBudget(options.budgetUsd ?? null);
  const scenarios: ReevaluatedScenario[] = [];
  for (const [position, { then, index, loaded }] of chosen.entries()) {
    const snapshot = snapshots[position]?.scenario ?? loaded.scenario;
    const place = { run, position, then, index, loaded, snapshot, recorded, budget };
    scenarios.push(await reevaluateScenario(place, working));
  }
  lease.lost.throwIfAborted();
  const summaries = scenarios.map(({ after }) => after);
  const { verdict, exit_code } = runVerdict(summaries.map((summary) => summary.verdict));
  const finished_at = new Date().toISOString();
  const status = signals.stop.aborted ? 'interrupted' : 'finished';
  await recorder.updateRun(run.run_id, { status, finished_at, verdict, exit_code, summaries });
  return { run, verdict, exitCode: exit_code, scenarios, budgetRefusal: budget.refusal };
}
