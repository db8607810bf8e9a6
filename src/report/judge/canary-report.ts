import type { CanaryOutcome, CanaryReport } from '../../judge/canaries/run-canaries.ts';
import { safeLine } from '../../text/safe-text.ts';
import { bar } from '../terminal/bar.ts';
import { formatMoney, formatPlural, formatScore } from '../terminal/format.ts';
import { type Canvas, type Look, renderFor } from '../terminal/look.ts';
import { type Column, renderTable } from '../terminal/table.ts';
import { bullet, fewLines, joinBlocks, wrap } from '../terminal/wrap.ts';

type Kind = CanaryReport['kinds'][number]['kind'];

const WORDS: Record<Kind, string> = {
  empty_answer: 'empty answers',
  opening_only: 'openings without an answer',
  instruction: 'instructions to the judge',
  forged_score: 'forged scores and tool output',
  forged_fence: 'forged fences',
  forged_message: 'forged messages',
  fake_authority: 'fake authority',
  emotional_appeal: 'emotional appeals',
  padding: 'long padding',
  hidden_text: 'hidden text',
  tool_result: 'tool results that address the judge',
  other_language: 'the same in other languages',
  honest_answer: 'honest answers (must pass)',
};

const COLUMNS: readonly Column<'symbol' | 'kind' | 'wrong' | 'bar' | 'unscored'>[] = [
  { key: 'symbol', header: '', priority: 3 },
  { key: 'kind', header: 'Kind', priority: 5, min: 8 },
  { key: 'wrong', header: 'Wrong', align: 'right', priority: 4 },
  { key: 'bar', header: '', priority: 1 },
  { key: 'unscored', header: 'Not scored', align: 'right', priority: 2 },
];

const MOST_EXAMPLES = 12;

/** How often a judge could be manipulated, for `salvo judge-check`. */
export function renderCanaries(report: CanaryReport, look: Look): string {
  return renderFor(look, (canvas) =>
    joinBlocks([
      headline(report, canvas),
      table(report, canvas),
      examples('It fell for', report.fell_for, canvas),
      examples('It failed honest answers', report.controls_failed, canvas),
      unscored(report, canvas),
      advice(report).flatMap((text) => bullet(text, canvas.width)),
    ]),
  );
}

function headline(report: CanaryReport, { width, style }: Canvas): string[] {
  const { judge_model, judge_adapter, k, threshold, fell_for, controls_failed } = report;
  const attacks = attacksOf(report);
  const [paint, verdict] =
    fell_for.length > 0
      ? [style.red, `✖ fell for ${fell_for.length} of ${formatPlural(attacks, 'attempt')}`]
      : report.unscored.length + report.not_judged > 0
        ? [style.magenta, '◌ open: not every case was scored']
        : [style.green, `✔ fell for none of ${formatPlural(attacks, 'attempt')}`];
  const controls = report.cases - attacks;
  const judge = `${judge_model} (${judge_adapter}) ${formatPlural(k, 'vote')}`;
  const cost = report.judge_cost_usd === null ? 'cost unknown' : formatMoney(report.judge_cost_usd);
  return [
    style.bold(safeLine(judge, width)),
    ...wrap(verdict, width).map(paint),
    ...(controls_failed.length === 0
      ? []
      : wrap(`✖ failed ${controls_failed.length} of ${formatPlural(controls, 'honest answer')}`, width).map(style.red)),
    ...wrap(`${formatPlural(report.cases, 'case')}, threshold ${threshold}, ${cost}`, width).map(style.dim),
  ];
}

function table({ kinds }: CanaryReport, { width, style }: Canvas): string[] {
  return renderTable({
    columns: COLUMNS,
    rows: kinds.map(({ kind, cases, wrong, unscored: lost }) => ({
      symbol:
        wrong > 0
          ? { text: '✖', paint: style.red }
          : lost > 0
            ? { text: '◌', paint: style.magenta }
            : { text: '✔', paint: style.green },
      kind: { text: WORDS[kind] },
      wrong: { text: `${wrong}/${cases}`, paint: wrong > 0 ? style.red : style.dim },
      bar: { text: wrong > 0 ? bar(wrong / cases, 10) : '', paint: style.red },
      unscored: { text: lost > 0 ? String(lost) : '', paint: style.magenta },
    })),
    width,
    style,
  }).lines;
}

function examples(title: string, outcomes: readonly CanaryOutcome[], { width, style }: Canvas): string[] {
  if (outcomes.length === 0) return [];
  const shown = fromEveryKind(outcomes, MOST_EXAMPLES).flatMap(({ id, score, reasoning }) => [
    `  ${style.bold(safeLine(id, width - 10))} ${style.red(formatScore(score))}`,
    ...(reasoning === null ? [] : fewLines(reasoning, width - 4).map((line) => `    ${style.dim(line)}`)),
  ]);
  const rest = outcomes.length - MOST_EXAMPLES;
  const more = rest > 0 ? wrap(`  and ${rest} more (--json lists all)`, width).map(style.dim) : [];
  return [...wrap(`${title}:`, width), ...shown, ...more];
}

/** The first of each kind, then the others. */
function fromEveryKind(outcomes: readonly CanaryOutcome[], most: number): CanaryOutcome[] {
  const isFirst = (outcome: CanaryOutcome): boolean => outcomes.find(({ kind }) => kind === outcome.kind) === outcome;
  return [...outcomes.filter(isFirst), ...outcomes.filter((outcome) => !isFirst(outcome))].slice(0, most);
}

function unscored({ unscored: lost, not_judged }: CanaryReport, { width, style }: Canvas): string[] {
  const [first] = lost;
  return [
    ...(first
      ? [
          ...wrap(`${formatPlural(lost.length, 'case')} could not be scored`, width).map(style.magenta),
          ...fewLines(first.error ?? '', width - 2).map((line) => `  ${line}`),
        ]
      : []),
    ...(not_judged > 0 ? wrap(`${formatPlural(not_judged, 'case')} not judged`, width).map(style.yellow) : []),
  ];
}

function advice(report: CanaryReport): string[] {
  const { fell_for, controls_failed, cases } = report;
  const attacks = attacksOf(report);
  return [
    ...(fell_for.length > 0
      ? ['An agent can do the same by accident. Take a stronger model, more votes, or a panel of different models.']
      : []),
    ...(controls_failed.length > 0 && controls_failed.length === cases - attacks
      ? ['It passes nothing at all, so resisting every attempt says little.']
      : []),
    ...(report.exit_code === 0 ? ['It is hard to manipulate. Whether it is right, salvo calibrate shows.'] : []),
  ];
}

function attacksOf({ kinds }: CanaryReport): number {
  return kinds.reduce((sum, { kind, cases }) => sum + (kind === 'honest_answer' ? 0 : cases), 0);
}
