import { openProjectIfStored } from '../app/open-project.ts';
import { DEFAULT_TRIALS, selectScenarios } from '../app/run.ts';
import { openJudging } from '../models/model-services.ts';
import { earlierTraces } from '../run/estimate/earlier-traces.ts';
import { estimateRun } from '../run/estimate/estimate-run.ts';
import { loadProject } from '../scenario/load-project.ts';
import { printEstimate } from './print-estimate.ts';
import type { RunCommandOptions } from './program/commands.ts';
import type { Terminal } from './terminal/terminal.ts';

/** `salvo run --estimate` */
export async function estimateRunCommand(options: RunCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env } = terminal;
  const project = await loadProject(cwd);
  const loaded = await selectScenarios({
    project,
    cwd,
    options: { files: options.files, tags: options.tag },
    earlier: null,
  });
  const { models, pricing } = await openJudging({ project, env, cache: false });
  await using earlier = await openProjectIfStored(terminal);
  const estimate = await estimateRun({
    loaded,
    project,
    trials: options.trials ?? DEFAULT_TRIALS,
    adapter: options.adapter,
    model: options.model,
    recordOnly: options.recordOnly,
    pricing,
    models,
    earlierTraces: async (scenario) => (earlier.store ? earlierTraces(earlier.store, scenario) : []),
  });
  printEstimate(estimate, options, terminal);
  return 0;
}
