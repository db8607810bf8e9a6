import { type TextLook, wholeLook, written } from 'salvo/kit/library';
import type { OpenExperiment } from '../app/experiments/stored-experiments.ts';

/** `csv` and `jsonl` have a line for each game; `html` is the viewer with the experiment in one file. */
export type ExperimentFormat = 'terminal' | 'markdown' | 'latex' | 'csv' | 'jsonl' | 'html';

export interface FormatExperimentOptions extends TextLook {
  format: ExperimentFormat;
}

/** What `runExperiment`, `resumeExperiment`, `benchScanner` and `openExperiment` return. */
export type FormattedExperiment = Omit<OpenExperiment, typeof Symbol.asyncDispose>;

/** An experiment as a text. That of `benchScanner` is shown as a scorecard in `terminal` and `markdown`. */
export async function formatExperiment(
  opened: FormattedExperiment,
  { format, ...look }: FormatExperimentOptions,
): Promise<string> {
  switch (format) {
    case 'terminal': {
      const card = await opened.scorecard();
      if (card) return (await scorecards()).renderScorecard(card, wholeLook(look));
      return (await experiments()).renderExperiment(await opened.results(), wholeLook(look));
    }
    case 'markdown': {
      const card = await opened.scorecard();
      const { toMarkdown } = await import('salvo/kit/report-files');
      if (card) return toMarkdown((await scorecards()).scorecardReport(card));
      return toMarkdown((await experiments()).experimentReport(await opened.results()));
    }
    case 'latex': {
      return (await experiments()).experimentLatex(await opened.results());
    }
    case 'csv': {
      const { writeExperimentCsv } = await import('../report/experiment/experiment-games.ts');
      return written((write) => writeExperimentCsv(opened.games(), { write }));
    }
    case 'jsonl': {
      const { writeExperimentJsonl } = await import('../report/experiment/experiment-games.ts');
      return written((write) => writeExperimentJsonl(opened.games(), { write }));
    }
    case 'html': {
      const { formatHtml } = await import('salvo/kit/html');
      return formatHtml(opened, { what: opened.experiment.experiment_id, trials: 'all' });
    }
  }
}

function experiments() {
  return import('../report/experiment/experiment-report.ts');
}

function scorecards() {
  return import('../report/experiment/experiment-scorecard.ts');
}
