import type { Plan, PlannedSize, Question, ScenarioPlan, TogetherPlan, UntilPlan } from '../../../run/plan/plan.ts';
import {
  formatCount,
  formatMoney,
  formatPercent,
  formatPlural,
  formatPointsSize,
  formatSeconds,
} from '../../../stats/format.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import { type Block, figure, type Line, table, toned } from '../../document/document.ts';
import { toTerminal } from '../../document/terminal.ts';
import type { Look } from '../../terminal/look.ts';

/** How many trials the questions need, for the terminal. */
export function renderPlan(plan: Plan, look: Look): string {
  const questions = plan.totals.flatMap(({ question, together, ...total }, index): Block[] => [
    { heading: heading(question, plan), lines: [] },
    planTable(plan, index),
    { lines: [sizeWords(total, question, plan)] },
    { lines: together ? togetherLines(together, question, plan) : [] },
  ]);
  return toTerminal(
    [...questions, ...(plan.until ? untilBlocks(plan.until) : []), { lines: toned('dim', notes(plan)) }],
    look,
  );
}

function sizeWords({ trials, cost_usd, seconds }: PlannedSize, question: Question, { concurrency }: Plan): Line {
  return {
    parts: [
      trials === null ? 'trials unknown' : formatPlural(trials, 'trial'),
      cost_usd === null ? 'cost unknown' : `about ${formatMoney(cost_usd)}`,
      seconds === null ? 'time unknown' : `about ${formatSeconds(seconds)} with ${concurrency} at a time`,
      question.kind === 'effect' ? 'for each of the two runs' : '',
    ],
  };
}

function togetherLines(together: TogetherPlan, question: Question, plan: Plan): Line[] {
  const each = together.trials_per_case;
  const what = `a change by ${pointsOf(question)} of all ${plan.scenarios.length} scenarios together`;
  if (each === null) return [`No number of trials finds ${what}.`];
  return [`To find ${what} takes ${formatPlural(each, 'trial')} of each case:`, sizeWords(together, question, plan)];
}

/** What a run with `--until decided` would need. */
function untilBlocks({ notes: first, simulated_runs: runs, typical }: UntilPlan): Block[] {
  const lines = first.map((each) => safeLine(each, 1000));
  if (typical.length === 0) return [{ lines }];
  return [
    { lines },
    table(typical, [
      {
        ...{ header: 'If the agent', priority: 8, min: 12 },
        cell: ({ drop }) => (drop === 0 ? 'is as good' : `fell by ${formatPointsSize(drop)}`),
      },
      figure('Worse', 6, ({ worse }) => formatPercent(worse)),
      figure('Better', 3, ({ better }) => formatPercent(better)),
      figure('Not worse', 5, ({ not_worse }) => formatPercent(not_worse)),
      figure('Undecided', 4, ({ undecided }) => formatPercent(undecided)),
      figure('Trials (median)', 7, ({ trials }) => formatCount(trials)),
    ]),
    { lines: toned('dim', [`Of ${runs} simulated runs each, with the pass rates of the baseline.`]) },
  ];
}

function pointsOf({ size }: Question): string {
  return formatPointsSize(size);
}

function heading(question: Question, { scenarios }: Plan): string {
  const size = formatPercent(question.size);
  const whose = scenarios.length > 1 ? 'the pass rate of one scenario' : 'the pass rate';
  return question.kind === 'effect'
    ? `To find a change of ${whose} by ${pointsOf(question)} in ${formatPercent(question.power)} of the comparisons (salvo compare):`
    : `To know the pass rate to within ±${size} (95% interval):`;
}

/** What each scenario needs for one of the questions. */
function planTable({ scenarios }: Plan, question: number): Block {
  const rows = scenarios.map(({ answers, ...scenario }) => {
    const answer = answers[question];
    const needed = answer?.cases_needed ?? null;
    const each = answer?.trials_per_case ?? (needed === null ? null : (answer?.trials_each ?? null));
    return { ...scenario, answer, needed, each };
  });
  return table(rows, [
    { header: 'Scenario', priority: 8, min: 12, cell: ({ name }) => ({ text: safeLine(name, 60), tone: 'bold' }) },
    { header: 'Model', priority: 2, min: 8, cell: ({ model }) => safeLine(model, 30) },
    figure('Rate now', 3, ({ known }) =>
      known ? formatPercent(known.facts.pass_rate) : { text: 'unknown', tone: 'dim' },
    ),
    figure('Cases', 5, ({ cases, needed }) =>
      needed === null ? formatCount(cases) : { text: `${cases} → ${formatCount(needed)}`, tone: 'yellow' },
    ),
    figure('Trials each', 7, ({ each }) => (each === null ? 'too many' : formatCount(each))),
    figure('Trials', 6, ({ answer }) => formatCount(answer?.trials ?? null)),
    figure('Cost', 4, ({ answer }) => (answer?.cost_usd == null ? 'unknown' : formatMoney(answer.cost_usd))),
    figure('Time', 3.5, ({ answer }) => (answer?.seconds == null ? 'unknown' : formatSeconds(answer.seconds))),
  ]);
}

const MOST_NAMES = 5;

/** What the numbers are based on, and where they do not hold. */
function notes({ scenarios, totals }: Plan): (string | null)[] {
  const named = (fits: (scenario: ScenarioPlan) => boolean): string | null => {
    const names = scenarios.filter(fits).map(({ name, model }) => safeLine(`${name} with ${model}`, 60));
    if (names.length === 0) return null;
    const rest = names.length - MOST_NAMES;
    return `${names.slice(0, MOST_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  };
  const unknown = named(({ known }) => known === null);
  const copies = named(({ known }) => known?.one_draw === true);
  const single = named(({ known }) => known?.single_trials === true && known.cases > 1);
  const moreCases = named(({ answers }) => answers.some(({ cases_needed }) => cases_needed !== null));
  const unpriced = named(
    ({ known }) => known !== null && [known.agent_usd, known.judges_usd, known.users_usd].includes(null),
  );
  const hasEffect = totals.some(({ question }) => question.kind === 'effect');
  if (totals.length === 0) return ['Nothing was called and nothing was stored.'];
  return [
    unknown &&
      `No stored run of ${unknown}: planned for the worst case, a pass rate of 50%. Run it once and plan again.`,
    copies &&
      `${copies} gave the same answer in every trial of a case. If both runs do so, they count as one trial; more cases always help.`,
    single &&
      `${single} has one trial for each case: how far trials of one case differ is unknown, so the most is assumed.`,
    moreCases && `More trials do not help ${moreCases}, because its cases differ: it needs more cases.`,
    unpriced &&
      `The cost of ${unpriced} is unknown: an agent of your own can return \`usage\` or \`cost_usd\`, and \`prices\` of salvo.yaml has prices of models.`,
    hasEffect && scenarios.length > 1
      ? `${scenarios.length} scenarios that are compared together need more trials than one: each gets its share of the 5% errors.`
      : null,
    'Times are those of the agent, without judges, simulated users and rate limits. Nothing was called and nothing was stored.',
  ];
}
