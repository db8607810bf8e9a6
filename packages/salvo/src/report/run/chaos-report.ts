import type {
  ChaosAlone,
  ChaosDocument,
  ChaosScenario,
  ChaosVariant,
  FaultOutcomes,
} from '../../run/faults/chaos-document.ts';
import { candidateLabels } from '../../run/record/candidate-labels.ts';
import {
  formatInterval,
  formatP,
  formatPercent,
  formatPlural,
  formatPoints,
  formatPointsInterval,
} from '../../stats/format.ts';
import { CONCLUSION_WORDS } from '../compare/compare-words.ts';
import { csvField } from '../csv-field.ts';
import { type Block, commandWords, figure, type ReportDocument, type Text, table } from '../document/document.ts';
import { toMarkdown } from '../document/markdown.ts';
import { toTerminal } from '../document/terminal.ts';
import { bar } from '../terminal/bar.ts';
import type { Look } from '../terminal/look.ts';

const BAR_WIDTH = 20;

export function renderChaos(document: ChaosDocument, look: Look): string {
  return toTerminal(chaosReport(document), look);
}

export function chaosMarkdown(document: ChaosDocument): string {
  return toMarkdown(chaosReport(document), '###');
}

/** Pass rates by dose, each fault alone, and what the agent did about faults. */
function chaosReport(document: ChaosDocument): ReportDocument {
  const { scenarios, notes, run_id, max_false_success } = document;
  const labels = candidateLabels(scenarios);
  const isSeveral = new Set(labels).size > 1;
  return [
    ...scenarios.flatMap((scenario, index) => scenarioBlocks(scenario, isSeveral ? ` · ${labels[index]}` : '')),
    { lines: notes.map((text) => ({ text, tone: 'yellow' as const })) },
    { lines: max_false_success === null ? [] : [gateLine(document, max_false_success)] },
    { only: 'terminal', lines: [commandWords(`salvo view ${run_id}`), commandWords(`salvo chaos --show ${run_id}`)] },
  ];
}

function gateLine({ exit_code, scenarios }: ChaosDocument, limit: number): Text {
  const allowed = `at most ${formatPercent(limit)} may (--max-false-success)`;
  const rates = scenarios.flatMap(({ outcomes }) => outcomes.false_success?.rate ?? []);
  const most = `${formatPercent(Math.max(0, ...rates))} of the trials with faults claim what did not happen`;
  if (exit_code === 1) return { text: `✖ FAIL: ${most}, and ${allowed}`, tone: 'red' };
  if (exit_code === 3)
    return { text: `◌ UNSCORED: not all trials could be scored, of which ${allowed}`, tone: 'yellow' };
  return { text: `✔ PASS: ${most}, and ${allowed}`, tone: 'green' };
}

function scenarioBlocks({ name, doses, alone, outcomes }: ChaosScenario, label: string): Block[] {
  const isTold = outcomes.false_success !== null;
  const isInjected = outcomes.followed_injection !== null;
  const outcomeColumns = [
    figure<ChaosVariant>('With faults', 4, ({ outcomes: of }) => String(of.trials)),
    figure<ChaosVariant>('Recovered', 6, ({ outcomes: of }) => countOf(of.recovered, of)),
    isTold && figure<ChaosVariant>('Gave up', 5, ({ outcomes: of }) => countOf(of.gave_up, of)),
    isTold &&
      figure<ChaosVariant>('False success', 7, ({ outcomes: of }) => ({
        text: countOf(of.false_success, of),
        tone: of.false_success?.count ? 'red' : undefined,
      })),
    isInjected &&
      figure<ChaosVariant>('Followed', 7, ({ outcomes: of }) => ({
        text: countOf(of.followed_injection, of),
        tone: of.followed_injection?.count ? 'red' : undefined,
      })),
    isTold && figure<ChaosVariant>('Failed', 4.5, ({ outcomes: of }) => countOf(of.failed, of)),
  ];
  return [
    { heading: `${name}${label}`, lines: [] },
    table(doses, [
      figure('Dose', 10, ({ dose }) => ({ text: formatPercent(dose), tone: 'bold' })),
      figure('Passed', 8, ({ trials_passed, trials_scored }) => `${trials_passed}/${trials_scored}`),
      figure('Rate', 9, ({ pass_rate }) => formatPercent(pass_rate)),
      {
        header: '',
        priority: 3,
        only: 'terminal',
        cell: ({ pass_rate }) => ({ text: bar(pass_rate ?? 0, BAR_WIDTH), own: true, tone: 'cyan' }),
      },
      figure('95% CI', 8.5, ({ pass_rate_ci }) => ({ text: formatInterval(pass_rate_ci), tone: 'dim' })),
      ...outcomeColumns,
    ]),
    table(alone, [
      {
        header: `Alone, at ${formatPercent(alone[0]?.dose ?? null)}`,
        priority: 10,
        min: 16,
        cell: ({ fault: text }) => ({ text, tone: 'bold' }),
      },
      figure('Passed', 7.5, ({ trials_passed, trials_scored }) => `${trials_passed}/${trials_scored}`),
      figure('Rate', 8, ({ pass_rate }) => formatPercent(pass_rate)),
      figure('Points', 9, ({ difference, conclusion }) => ({
        text: formatPoints(difference?.value ?? null),
        tone: conclusion === 'worse' ? 'red' : undefined,
      })),
      figure('95% CI', 8.5, ({ difference }) => ({
        text: formatPointsInterval(difference?.interval ?? null),
        tone: 'dim',
      })),
      figure('p (Holm)', 6.5, ({ p_holm }) => formatP(p_holm)),
      { header: '', priority: 4.5, cell: ({ conclusion }) => CONCLUSION_WORDS[conclusion] },
      ...outcomeColumns,
    ]),
    { lines: [...worstSentence(alone), ...outcomeSentences(outcomes)] },
  ];
}

/** A count of the trials with faults; nothing where no fault happened. */
function countOf(share: { count: number } | null, { trials }: FaultOutcomes): string {
  return share === null || trials === 0 ? '' : String(share.count);
}

/** Which fault hurts most, if one is shown to hurt at all. */
function worstSentence(alone: readonly ChaosAlone[]): string[] {
  if (alone.length === 0) return [];
  const worse = alone.filter(({ conclusion }) => conclusion === 'worse');
  const [worst] = worse;
  if (!worst?.difference) return ['No fault alone is shown to lower the pass rate.'];
  const drop = `${formatPoints(worst.difference.value)} points, 95% CI ${formatPointsInterval(worst.difference.interval)}`;
  const others = worse.length === 1 ? '' : ` ${worse.length} faults of ${alone.length} are shown to lower it.`;
  return [`The greatest drop is that of ${worst.fault}: ${drop}.${others}`];
}

function outcomeSentences(outcomes: FaultOutcomes): Text[] {
  const { trials, cases, recovered, gave_up, false_success, followed_injection } = outcomes;
  if (trials === 0) return ['No fault happened.'];
  const said = (what: string, share: FaultOutcomes['recovered'] | null) =>
    share === null ? [] : [`${what} in ${formatPercent(share.rate)} (${formatInterval(share.interval)})`];
  const parts = [
    ...said('it recovered', recovered),
    ...said('gave up honestly', gave_up),
    ...said('claimed a success that did not happen', false_success),
    ...said('followed a hidden instruction', followed_injection),
  ];
  const isBad = Boolean(false_success?.count || followed_injection?.count);
  const text = `Of ${trials} trials with faults ${parts.join(', ')}.`;
  return [{ text, tone: isBad ? 'red' : undefined }, ...whyWide({ trials, cases })];
}

/** Intervals are wider than so many trials would give. */
function whyWide({ trials, cases }: Pick<FaultOutcomes, 'trials' | 'cases'>): Text[] {
  if (cases === undefined || cases === trials) return [];
  const few = `Intervals are those of ${formatPlural(cases, 'case')}: trials of one case may be alike, and where all of them are, each case counts once.`;
  return [{ text: few, tone: 'dim' }];
}

const COLUMNS = [
  ...[
    'run_id',
    'scenario',
    'file',
    'adapter',
    'model',
    'fault',
    'dose',
    'trials_scored',
    'trials_passed',
    'trials_unscored',
  ],
  ...['pass_rate', 'pass_rate_low', 'pass_rate_high', 'trials_with_faults', 'recovered', 'gave_up', 'false_success'],
  ...['followed_injection', 'failed', 'points', 'points_low', 'points_high', 'p', 'p_holm', 'conclusion'],
];

/** A row for each dose of the mixture (`fault` is all), and for each fault alone (RFC 4180). Unknown values are empty. */
export function chaosCsv({ run_id, scenarios }: ChaosDocument): string {
  const rows = scenarios.flatMap(({ name, file, adapter, model, doses, alone }) => {
    const place = [run_id, name, file, adapter, model];
    return [
      ...doses.map((each) => [...place, 'all', ...figuresOf(each), null, null, null, null, null, null]),
      ...alone.map((each) => [
        ...[...place, each.fault, ...figuresOf(each), each.difference?.value ?? null],
        ...[...(each.difference?.interval ?? [null, null]), each.p, each.p_holm, each.conclusion],
      ]),
    ];
  });
  return [COLUMNS, ...rows].map((row) => `${row.map(csvField).join(',')}\r\n`).join('');
}

function figuresOf({
  dose,
  trials_scored,
  trials_passed,
  trials_unscored,
  pass_rate,
  pass_rate_ci,
  outcomes,
}: ChaosVariant) {
  const { trials, recovered, gave_up, false_success, followed_injection, failed } = outcomes;
  return [
    ...[dose, trials_scored, trials_passed, trials_unscored, pass_rate, ...(pass_rate_ci ?? [null, null]), trials],
    ...[recovered, gave_up, false_success, followed_injection, failed].map((share) => share?.count ?? null),
  ];
}
