import { printResult, type Terminal, writeWholeFile } from 'salvo/kit/cli';
import type { Look } from 'salvo/kit/report';
import { toMarkdown } from 'salvo/kit/report-files';
import { kindOf } from '../../app/documents/document-kinds.ts';
import type { OpenExperiment } from '../../app/experiments/stored-experiments.ts';
import { writeExperimentCsv, writeExperimentJsonl } from '../../report/experiment/experiment-games.ts';
import { experimentLatex, experimentReport, renderExperiment } from '../../report/experiment/experiment-report.ts';
import { renderScorecard, scorecardReport } from '../../report/experiment/experiment-scorecard.ts';

export interface ExperimentTargets {
  json: boolean;
  csv?: string | undefined;
  jsonl?: string | undefined;
  markdown?: string | undefined;
  latex?: string | undefined;
  beta?: number | undefined;
}

/** Writes an experiment in every form that was asked for. Returns the exit code: 3 unless every game was scored. */
export async function writeExperiment(options: {
  opened: Omit<OpenExperiment, typeof Symbol.asyncDispose>;
  targets: ExperimentTargets;
  terminal: Terminal;
}): Promise<number> {
  const { opened, targets, terminal } = options;
  const results = await opened.results(targets);
  const card = await opened.scorecard(targets);
  await writeWholeFile(targets.csv, terminal, (write) => writeExperimentCsv(opened.games(), { write }));
  await writeWholeFile(targets.jsonl, terminal, (write) => writeExperimentJsonl(opened.games(), { write }));
  await writeWholeFile(targets.markdown, terminal, (write) =>
    write(toMarkdown(card ? scorecardReport(card) : experimentReport(results))),
  );
  await writeWholeFile(targets.latex, terminal, (write) => write(experimentLatex(results)));
  const text = (look: Look) => (card ? renderScorecard(card, look) : renderExperiment(results, look));
  const shown = card
    ? { kind: kindOf('scorecard'), document: card }
    : { kind: kindOf('experiment-results'), document: results };
  printResult({ json: targets.json, ...shown, text }, terminal);
  const { scored, planned } = results.games;
  return scored === planned ? 0 : 3;
}
