import type { ExperimentRecord } from '../arena/experiment/experiment-record.ts';
import { createCellPlayer } from '../arena/experiment/play-cell.ts';
import { runExperiment } from '../arena/experiment/run-experiment.ts';
import { JudgeAgent } from '../match/judge-agent.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import type { Store } from '../store/store.ts';
import { openExperimentTeams } from './experiment-teams.ts';
import { createExperimentProgress } from './terminal/experiment-progress.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Plays an experiment, or what is missing of it, with everything that it needs. The store is opened only then. */
export async function playExperiment(options: {
  experiment: ExperimentRecord;
  project: Project;
  openStore: () => Promise<Store>;
  concurrency?: number | undefined;
  budgetUsd?: number | undefined;
  terminal: Terminal;
}): Promise<{ experiment: ExperimentRecord; store: Store }> {
  const { experiment, project, terminal } = options;
  const { plan } = experiment;
  const budgetUsd = options.budgetUsd ?? plan.budget_usd ?? project.config.budget_usd ?? null;
  await using teams = await openExperimentTeams({ plan, project, budgetUsd, terminal });
  // Not before: wrong input leaves nothing behind.
  const store = await options.openStore();
  const progress = createExperimentProgress(experiment, terminal);
  try {
    const ended = await runExperiment({
      experiment,
      recorder: store,
      redOf: teams.redOf,
      isRepeatable: teams.isRepeatable,
      play: createCellPlayer({
        plan,
        blueOf: teams.blueOf,
        gate: teams.gate,
        judge: new JudgeAgent({ matcher: plan.matcher }),
        signal: terminal.abort,
      }),
      concurrency: options.concurrency ?? plan.concurrency ?? project.config.concurrency,
      budgetUsd,
      stop: terminal.stop,
      abort: terminal.abort,
      now: () => new Date(),
      onEvent: (event) => progress.onEvent(event),
    });
    return { experiment: ended, store };
  } finally {
    progress.finish();
  }
}
