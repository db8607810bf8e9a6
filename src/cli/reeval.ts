import { resolve } from 'node:path';
import { findRun, openProject } from '../app/open-project.ts';
import { openJudging } from '../models/model-services.ts';
import { renderReeval } from '../report/run/reeval-report.ts';
import { estimateReeval } from '../run/estimate/estimate-reeval.ts';
import { calibrationLookup } from '../run/judge-calibrations.ts';
import { judgesInUse } from '../run/judges-in-use.ts';
import { newRun } from '../run/new-run.ts';
import { refuseIfJudgesNotReady, refuseUnreadableManifests } from '../run/prepare-scenario.ts';
import { type Reevaluation, reevaluate } from '../run/reevaluate.ts';
import { scenariosForReeval } from '../run/scenarios-for-reeval.ts';
import { loadScenario } from '../scenario/load-scenario.ts';
import { resolveRunOrTrace } from '../store/resolve-id.ts';
import { harmlessJson } from '../text/harmless-json.ts';
import { printEstimate } from './print-estimate.ts';
import type { ReevalCommandOptions } from './program/commands.ts';
import { terminalLook } from './terminal/print-result.ts';
import type { Terminal } from './terminal/terminal.ts';

/** `salvo reeval` */
export async function reevalCommand(options: ReevalCommandOptions, terminal: Terminal): Promise<number> {
  await using opened = await openProject(terminal);
  const { project, store } = opened;
  const { runId, trial } = await resolveRunOrTrace(store, options.target);
  const source = await findRun(store, runId);
  const load = (file: string) => loadScenario({ file, project });
  const scenarios = await scenariosForReeval({
    source,
    only: trial?.scenario_index,
    given: options.scenario === undefined ? null : await load(resolve(terminal.cwd, options.scenario)),
    load: (file) => load(resolve(project.root, file)),
  });
  const judging = await openJudging({ project, env: terminal.env, cache: options.judgeCache });
  const scenarioOf = (index: number) => scenarios.get(index) ?? null;
  if (options.estimate) {
    const { pricing } = judging;
    const only = trial ?? undefined;
    const estimate = await estimateReeval({ source, scenarioOf, only, recorder: store, project, pricing, judging });
    printEstimate(estimate, options, terminal);
    return 0;
  }
  const context = { root: project.root, adapters: project.config.adapters, env: terminal.env };
  for (const { scenario, file, relativeFile } of scenarios.values()) {
    refuseIfJudgesNotReady({ scenario, file: relativeFile, project, context });
    refuseUnreadableManifests({ scenario, file });
  }
  const reevaluation = await reevaluate({
    source,
    scenarioOf,
    only: trial ?? undefined,
    newRun,
    recorder: store,
    judging,
    calibrationOf: calibrationLookup(
      store,
      judgesInUse({ scenarios: [...scenarios.values()], project, models: judging.models }),
    ),
    project,
    now: () => new Date(),
    stop: terminal.stop,
    abort: terminal.abort,
  }).finally(() => judging.models.close());
  print(reevaluation, options, terminal);
  return reevaluation.exit_code;
}

function print(reevaluation: Reevaluation, { json }: ReevalCommandOptions, { stdout, env }: Terminal): void {
  const { run, verdict, exit_code, scenarios } = reevaluation;
  if (json) {
    const document = { run_id: run.run_id, reeval_of: run.reeval_of, verdict, exit_code, scenarios };
    stdout.write(`${harmlessJson(document, 2)}\n`);
    return;
  }
  const look = terminalLook({ stdout, env });
  for (const scenario of scenarios) stdout.write(`${renderReeval(scenario, look)}\n`);
  stdout.write(`Stored as run ${run.run_id}: ${verdict}. No agent was called.\n`);
}
