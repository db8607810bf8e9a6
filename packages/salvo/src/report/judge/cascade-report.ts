import type { CascadeCalibration } from '../../judge/cascade/cascade-calibration.ts';
import { formatInterval, formatMoney, formatPercent, formatPlural, MISSING } from '../../stats/format.ts';
import { type Block, column, figure, type ReportDocument, table, toned } from '../document/document.ts';
import { toTerminal } from '../document/terminal.ts';
import type { Look } from '../terminal/look.ts';

/** For `salvo calibrate --cascade`: what to do, the figures beside each judge alone, and what to paste. */
export function renderCascade(found: CascadeCalibration, look: Look): string {
  const yaml = found.yaml === null ? '' : `\n${found.yaml}\n`;
  return `${toTerminal(cascadeReport(found), look)}${yaml}`;
}

function cascadeReport(found: CascadeCalibration): ReportDocument {
  return [headline(found), { lines: found.notes }, { lines: found.sentences }, judgeTable(found), stageTable(found)];
}

function headline({ goal, labels, people, stages, cascade }: CascadeCalibration): Block {
  const names = [...stages.map(({ name }) => name), ...(people ? ['people'] : [])].join(' → ');
  const stated =
    goal.agreement === undefined
      ? `at most ${formatMoney(goal.cost_usd ?? null)} a verdict`
      : `agreement with people of at least ${formatPercent(goal.agreement)}`;
  const answers = `${formatPlural(labels.answers, 'labelled answer')}, of which people passed ${labels.human_passed}`;
  const tested = cascade === null ? '' : `; chosen on ${labels.answers - cascade.tested}, tested on ${cascade.tested}`;
  return {
    lines: [{ text: `Cascade ${names}: ${stated}`, tone: 'bold' }, ...toned('dim', [`${answers}${tested}`])],
  };
}

interface Row {
  name: string;
  agreement: CascadeCalibration['stages'][number]['alone']['agreement'];
  open: number;
  usd: number | null;
  usdInterval: readonly [number, number] | null;
}

/** The cascade on the half that it was not chosen by, and each judge alone on all answers. */
function judgeTable({ stages, cascade, people }: CascadeCalibration): Block {
  const rows: Row[] = stages.map(({ name, alone }) => ({
    name: `${name} alone`,
    agreement: alone.agreement,
    open: alone.unscored,
    usd: alone.cost_usd_per_verdict,
    usdInterval: alone.cost_ci,
  }));
  if (cascade) {
    const { agreement, undecided, cost_usd_per_verdict: usd, cost_ci: usdInterval } = cascade;
    rows.unshift({ name: 'the cascade', agreement, open: undecided.count, usd, usdInterval });
  }
  return table(rows, [
    column('Judge', { priority: 9, min: 8 }, ({ name }) => name),
    column('Agrees', { align: 'right', priority: 8 }, ({ agreement: { rate, ci } }) =>
      rate === null ? MISSING : `${formatPercent(rate)} (${formatInterval(ci)})`,
    ),
    figure(people ? 'Left to people' : 'Undecided', 5, ({ open }) => String(open)),
    column('Cost of a verdict', { align: 'right', priority: 7 }, ({ usd, usdInterval }) =>
      usdInterval === null || usd === 0
        ? formatMoney(usd)
        : `${formatMoney(usd)} (${formatMoney(usdInterval[0])}–${formatMoney(usdInterval[1])})`,
    ),
  ]);
}

function stageTable({ stages, reached }: CascadeCalibration): Block {
  return table(
    reached ? stages : [],
    [
      column('Stage', { priority: 9, min: 8 }, ({ name }) => name),
      column('Sure', { align: 'right', priority: 8 }, ({ sure }) =>
        sure === 'all' ? 'decides all' : sure === 'none' || sure === null ? 'left out' : String(sure),
      ),
      column('Decides', { align: 'right', priority: 7 }, ({ decided }) =>
        decided === null || decided.rate === null
          ? MISSING
          : `${formatPercent(decided.rate)} (${formatInterval(decided.ci)})`,
      ),
    ],
    { heading: 'How many answers each stage decides' },
  );
}
