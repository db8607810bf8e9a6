import { checkWritable, printResult, type Terminal } from 'salvo/kit/cli';
import { databasePatience, detached, salvoCommand } from 'salvo/kit/progress';
import type { Look } from 'salvo/kit/report';
import { SalvoError, safeLine } from 'salvo/kit/text';
import { kindOf } from '../app/documents/document-kinds.ts';
import { estimateExperiment, resumeExperiment, runExperiment } from '../app/experiments/run-experiment.ts';
import { listExperiments, type OpenExperiment, openExperiment } from '../app/experiments/stored-experiments.ts';
import { renderExperimentEstimate, renderExperimentList } from '../report/experiment/experiment-estimate.ts';
import type { UnreadableExperiment } from '../store/experiment-tables.ts';
import type { ExperimentCommandOptions } from './program/command-options.ts';
import { createExperimentProgress } from './terminal/experiment-progress.ts';
import { writeExperiment } from './terminal/write-experiment.ts';

/** `salvo experiment` */
export async function experimentCommand(options: ExperimentCommandOptions, terminal: Terminal): Promise<number> {
  const { file, resume, show, json } = options;
  if (options.list) {
    const unreadable: UnreadableExperiment[] = [];
    const experiments = await listExperiments({ ...terminal, onUnreadable: (each) => unreadable.push(each) });
    const text = (look: Look) => renderExperimentList(experiments, { ...look, now: Date.now() });
    printResult({ json, kind: kindOf('experiment-list'), document: { experiments }, text }, terminal);
    terminal.stderr.write(unreadableExperimentLines(unreadable));
    return 0;
  }
  if ([file, resume, show].filter((given) => given !== undefined).length !== 1) {
    throw new SalvoError(
      'OPTIONS_INVALID',
      'Give a file to play, --resume to continue an experiment, or --show to see one again: one of the three.',
    );
  }
  await checkWritable([options.csv, options.jsonl, options.markdown, options.latex], terminal);
  if (file !== undefined && options.estimate) {
    const estimate = await estimateExperiment({ ...terminal, file });
    printResult(
      {
        json,
        kind: kindOf('experiment-estimate'),
        document: estimate,
        text: (look) => renderExperimentEstimate(estimate, look),
      },
      terminal,
    );
    return 0;
  }
  const play = async (): Promise<number> => {
    await using opened = await openOrPlay(options, terminal);
    return await writeExperiment({ opened, targets: options, terminal });
  };
  return await detached(play, options, terminal);
}

function openOrPlay(options: ExperimentCommandOptions, terminal: Terminal): Promise<OpenExperiment> {
  const { file, resume = '', show, concurrency, budgetUsd, labels, localWorkers: local, detach } = options;
  const workers = { labels, local, detach, command: salvoCommand(), leave: terminal.leave };
  if (show !== undefined) return openExperiment({ ...terminal, experiment: show });
  const { onEvent, finish } = createExperimentProgress(terminal, options);
  const patience = databasePatience(options, terminal);
  const given = { ...terminal, concurrency, budgetUsd, workers, patience, onEvent };
  const played =
    file === undefined ? resumeExperiment({ ...given, experiment: resume }) : runExperiment({ ...given, file });
  return played.finally(finish);
}

/** A line for each experiment that is in no list because it can't be read, and what can be done about it. */
function unreadableExperimentLines(experiments: readonly UnreadableExperiment[]): string {
  if (experiments.length === 0) return '';
  const lines = experiments.map(
    ({ experiment_id, why }) => `Experiment ${safeLine(experiment_id)} can't be read (${safeLine(why, 100)}).`,
  );
  return `${lines.join('\n')}\nsalvo db prune --unreadable removes all such experiments and runs.\n`;
}
