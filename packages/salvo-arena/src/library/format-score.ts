import { documentJson } from 'salvo/kit/cli';
import { type TextLook, wholeLook } from 'salvo/kit/library';
import { toMarkdown } from 'salvo/kit/report-files';
import { harmlessJson } from 'salvo/kit/text';
import { kindOf } from '../app/documents/document-kinds.ts';
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
