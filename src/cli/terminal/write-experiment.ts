import type { ExperimentRecord } from '../../arena/experiment/experiment-record.ts';
import { buildScorecard } from '../../arena/experiment/results/scorecard.ts';
import { summarizeExperiment } from '../../arena/experiment/results/summarize-experiment.ts';
import { writeExperimentCsv } from '../../report/experiment/experiment-csv.ts';
import { writeExperimentJsonl } from '../../report/experiment/experiment-jsonl.ts';
import { renderExperimentLatex } from '../../report/experiment/experiment-latex.ts';
import { renderExperimentMarkdown } from '../../report/experiment/experiment-markdown.ts';
import { renderExperiment } from '../../report/experiment/experiment-report.ts';
import { renderScorecard } from '../../report/experiment/experiment-scorecard.ts';
import { renderScorecardMarkdown } from '../../report/experiment/experiment-scorecard-markdown.ts';
import type { Store } from '../../store/store.ts';
import { harmlessJson } from '../../text/harmless-json.ts';
import type { Terminal } from './terminal.ts';
import { checkWritable, writeWholeFile } from './write-file.ts';

export interface ExperimentTargets {
  json: boolean;
  csv?: string | undefined;
  jsonl?: string | undefined;
  markdown?: string | undefined;
  latex?: string | undefined;
}

/** Refuses files that could not be written in the end, before anything is paid for. */
export async function checkExperimentTargets(targets: ExperimentTargets, terminal: Terminal): Promise<void> {
  for (const file of [targets.csv, targets.jsonl, targets.markdown, targets.latex]) {
    if (file !== undefined) await checkWritable(file, terminal);
  }
}

/** An experiment in every form that was asked for. Gives the exit code: 3 unless every game was scored. */
export async function writeExperiment(options: {
  experiment: ExperimentRecord;
  store: Pick<Store, 'games'>;
  targets: ExperimentTargets;
  terminal: Terminal;
}): Promise<number> {
  const { experiment, store, targets, terminal } = options;
  const { stdout, env } = terminal;
  const games = () => store.games(experiment.experiment_id);
  const look = { width: stdout.columns, color: stdout.color, ascii: env.TERM === 'dumb' };
  const results = await summarizeExperiment(experiment, games());
  if (targets.csv !== undefined) {
    await writeWholeFile(targets.csv, terminal, (write) => writeExperimentCsv(games(), { write }));
  }
  if (targets.jsonl !== undefined) {
    await writeWholeFile(targets.jsonl, terminal, (write) => writeExperimentJsonl(games(), { write }));
  }
  const card = experiment.kind === 'scanner' ? await buildScorecard(experiment, games()) : null;
  if (targets.markdown !== undefined) {
    const text = card ? renderScorecardMarkdown(card) : renderExperimentMarkdown(results);
    await writeWholeFile(targets.markdown, terminal, (write) => write(text));
  }
  if (targets.latex !== undefined) {
    await writeWholeFile(targets.latex, terminal, (write) => write(renderExperimentLatex(results)));
  }
  if (targets.json) stdout.write(`${harmlessJson(card ?? results, 2)}\n`);
  else stdout.write(card ? renderScorecard(card, look) : renderExperiment(results, look));
  const { scored, planned } = results.games;
  return scored === planned ? 0 : 3;
}
