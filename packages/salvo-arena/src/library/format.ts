import { documentJson } from 'salvo/kit/cli';
import { type TextLook, wholeLook, written } from 'salvo/kit/library';
import { toMarkdown } from 'salvo/kit/report-files';
import { harmlessJson, SalvoError } from 'salvo/kit/text';
import { kindOf } from '../app/documents/document-kinds.ts';
import type { OpenExperiment } from '../app/experiments/stored-experiments.ts';
import type { NamedGame } from '../app/games/play-game.ts';
import type { ScoreSheet } from '../report/score/score-sheet.ts';

/** `terminal` is what `salvo score` prints; `sarif` has the flaws that were not found. */
export type ScoreFormat = 'terminal' | 'markdown' | 'json' | 'sarif';

export interface FormatScoreOptions extends TextLook {
  format: ScoreFormat;
}

/** What `scoreFiles` returns, as a text. */
export async function formatScore(sheet: ScoreSheet, { format, ...look }: FormatScoreOptions): Promise<string> {
  switch (format) {
    case 'terminal':
      return (await import('../report/score/score-report.ts')).renderScores(sheet, wholeLook(look));
    case 'markdown':
      return toMarkdown((await import('../report/score/score-report.ts')).scoreReport(sheet));
    case 'json': {
      const { scoreDocument } = await import('../report/score/score-sheet.ts');
      return documentJson(kindOf('score'), scoreDocument(sheet));
    }
    case 'sarif': {
      const { scoreSarif } = await import('../report/score/score-sarif.ts');
      return `${harmlessJson(scoreSarif(sheet), 2)}\n`;
    }
  }
}

/** `terminal` is what `salvo game` prints; `sarif` has the flaws that evaded Blue. */
export type GameFormat = 'terminal' | 'json' | 'sarif';

export interface FormatGameOptions extends TextLook {
  format: GameFormat;
  /** The folder that the game was written to: `sarif` refers to the code in it. */
  out?: string | undefined;
}

/** What `playGame` returns, as a text. A game that failed has no `sarif`: that would say that nothing evaded Blue. */
export async function formatGame(
  { played, gate }: NamedGame,
  { format, out, ...look }: FormatGameOptions,
): Promise<string> {
  const { gameResult, renderGame } = await import('../report/game/game-report.ts');
  switch (format) {
    case 'terminal':
      return renderGame(played, { ...wholeLook(look), messages: gate.messages });
    case 'json':
      return documentJson(kindOf('game'), { ...gameResult(played), gate });
    case 'sarif': {
      const { gameSarif } = await import('../report/game/game-sarif.ts');
      const sarif = gameSarif(played, out);
      if (!sarif)
        throw new SalvoError('GAME_UNSCORED', `The game failed, so that nothing was scored: ${played.game.error}`);
      return `${harmlessJson(sarif, 2)}\n`;
    }
  }
}

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
