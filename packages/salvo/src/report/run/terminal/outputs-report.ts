import { formatScore } from '../../../stats/format.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import { type Look, renderFor } from '../../terminal/look.ts';
import { safeMessage, wrap } from '../../terminal/wrap.ts';

/** Equal answers of several trials are one. */
export interface ShownOutput {
  /** Null if there was no answer, or its text is not stored. */
  text: string | null;
  trials: number;
  passed: number;
  failed: number;
  /** The mean score; null if nothing was judged. */
  score: number | null;
  /** Why the first of them has no answer or no score; null if that is not known. */
  error: string | null;
}

export interface ShownCase {
  scenario: string;
  case: string | null;
  input: string | null;
  /** Of each prompt and model. */
  cells: readonly { label: string; outputs: readonly ShownOutput[] }[];
}

const LABEL = 8;
const MOST_CHARACTERS = 2000;

/** The input, the outputs and the score of each case, for people. */
export function outputsText(
  { cases, left, more }: { cases: readonly ShownCase[]; left: number; more: string },
  look: Look,
): string {
  return renderFor(look, ({ width, style }) => {
    const field = (label: string, text: string, sign = ' ') => {
      const lines = wrap(text, Math.max(20, width - LABEL - 4));
      return lines.map(
        (line, index) =>
          `  ${index === 0 ? `${sign} ${style.dim(label.padEnd(LABEL))}` : ' '.repeat(LABEL + 2)}${line}`,
      );
    };
    const shown = (text: string | null, none: string) =>
      text === null || text.trim() === '' ? style.dim(none) : safeMessage(text, { most: MOST_CHARACTERS, lines: true });
    const blocks = cases.map((each) => {
      const title = [each.scenario, each.case].filter((part) => part !== null).map((part) => safeLine(part));
      const outputs = each.cells.flatMap(({ label, outputs }) => [
        ...(each.cells.length > 1 ? [`    ${style.bold(safeLine(label))}`] : []),
        ...outputs.flatMap((output) => {
          const text = shown(output.text, output.error === null ? '(no text)' : `(${safeLine(output.error, 200)})`);
          return [...field('output', text, signOf(output)), ...field('score', scoreOf(output))];
        }),
      ]);
      return [style.bold(title.join(' / ')), ...field('input', shown(each.input, '(no text)')), ...outputs].join('\n');
    });
    const rest = left > 0 ? [style.dim(`${left} more cases are not shown: ${more}`)] : [];
    return `${[...blocks, ...rest].join('\n\n')}\n\n`;
  });
}

function signOf({ passed, failed, trials }: ShownOutput): string {
  if (failed > 0) return '✖';
  return passed === trials ? '✔' : '·';
}

function scoreOf({ score, passed, trials, failed }: ShownOutput): string {
  if (score === null && passed + failed === 0) return trials === 1 ? 'not judged' : `not judged, ${trials} trials`;
  const ofTrials = trials === 1 ? '' : `, ${passed} of ${trials} trials passed`;
  return `${score === null ? 'unknown' : formatScore(score)}${ofTrials}`;
}
