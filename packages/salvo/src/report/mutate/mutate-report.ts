import type { MutantShare, MutateDocument } from '../../mutate/mutate-document.ts';
import { formatCount, formatInterval, formatMoney, formatPercent, formatPlural, MISSING } from '../../stats/format.ts';
import { list } from '../../text/words/value-words.ts';
import { type Block, column, figure, type ReportItem, type Text, table } from '../document/document.ts';
import { toTerminal } from '../document/terminal.ts';
import type { Look } from '../terminal/look.ts';

const MOST_SHOWN = 8;
const MOST_SUGGESTIONS = 12;
const MOST_DIFF_LINES = 14;

/** What `salvo mutate` found. `full`: all survivors, and why operators were not used. */
export function renderMutation(report: MutateDocument, { full }: { full: boolean }, look: Look): string {
  const most = full ? Number.MAX_SAFE_INTEGER : MOST_SHOWN;
  return toTerminal(
    [
      headline(report),
      operatorTable(report),
      scenarioTable(report),
      survivorList(report, most),
      wronglyFailedList(report, most),
      suggestionList(report, full ? most : MOST_SUGGESTIONS),
      assertionList(report),
      judgeTable(report),
      ...(full ? [skippedTable(report)] : []),
      comparison(report),
      notes(report, full),
    ],
    look,
  );
}

function share(rate: MutantShare): string {
  if (!rate) return MISSING;
  const interval =
    rate.cases > 1
      ? ` (95%: ${formatInterval(rate.interval)}, over ${formatPlural(rate.cases, 'case')})`
      : ' (one case)';
  return `${formatPercent(rate.value)}${interval}`;
}

function headline({ mutants, score, strictness, gate, traces }: MutateDocument): Block {
  const must = mutants.noticed + mutants.survived;
  const may = mutants.accepted + mutants.wrongly_failed;
  const verdict: Record<NonNullable<MutateDocument['gate']>['verdict'], Text> = {
    passed: { text: `✔ The score reaches ${formatPercent(gate?.min_score ?? 0)}.`, tone: 'green' },
    failed: { text: `✖ The score does not reach ${formatPercent(gate?.min_score ?? 0)}.`, tone: 'red' },
    undecided: {
      text: `◌ Whether the score reaches ${formatPercent(gate?.min_score ?? 0)} cannot be said: mutants that were not scored would decide it.`,
      tone: 'yellow',
    },
  };
  const tone = mutants.survived > 0 ? ('yellow' as const) : ('green' as const);
  return {
    heading: `${formatPlural(mutants.tried, 'mutant')} of ${formatPlural(traces.used, 'passing trace')}`,
    lines: [
      {
        parts: [
          { text: 'score', tone: 'dim' },
          { text: share(score), tone },
          `${formatCount(mutants.noticed)} of ${formatCount(must)} that must fail were noticed`,
        ],
      },
      {
        parts: [
          { text: 'strictness', tone: 'dim' },
          { text: share(strictness), tone: mutants.wrongly_failed > 0 ? 'yellow' : 'green' },
          `${formatCount(mutants.wrongly_failed)} of ${formatCount(may)} that must pass were failed`,
        ],
      },
      mutants.unscored > 0
        ? { text: `${formatPlural(mutants.unscored, 'mutant')} could not be scored.`, tone: 'yellow' }
        : '',
      ...(gate ? [verdict[gate.verdict]] : []),
    ],
  };
}

function operatorTable({ operators }: MutateDocument): Block {
  const used = operators.filter(
    (each) => each.noticed + each.survived + each.accepted + each.wrongly_failed + each.unscored > 0,
  );
  return table(used, [
    column('Operator', { priority: 9 }, ({ name }) => name),
    column('Must', { priority: 5 }, ({ must }) => ({ text: must, tone: 'dim' })),
    figure('Mutants', 4, (each) =>
      formatCount(each.noticed + each.survived + each.accepted + each.wrongly_failed + each.unscored),
    ),
    figure('Right', 7, (each) => formatCount(each.noticed + each.accepted)),
    figure('Wrong', 8, (each) => {
      const wrong = each.survived + each.wrongly_failed;
      return wrong > 0 ? { text: formatCount(wrong), tone: 'red' } : { text: '0', tone: 'dim' };
    }),
    figure('Not scored', 3, ({ unscored }) =>
      unscored > 0 ? { text: formatCount(unscored), tone: 'yellow' } : { text: '0', tone: 'dim' },
    ),
  ]);
}

function scenarioTable({ scenarios }: MutateDocument): Block {
  return table(scenarios, [
    column('Scenario', { priority: 9, min: 12 }, ({ name }) => name),
    figure('Traces', 3, ({ traces }) => formatCount(traces)),
    figure('Noticed', 7, ({ noticed, survived }) => `${formatCount(noticed)}/${formatCount(noticed + survived)}`),
    figure('Score', 8, ({ score }) => formatPercent(score?.value ?? null)),
    figure(
      'Wrongly failed',
      6,
      (each) => `${formatCount(each.wrongly_failed)}/${formatCount(each.accepted + each.wrongly_failed)}`,
    ),
    figure('Not scored', 4, ({ unscored }) => formatCount(unscored)),
  ]);
}

function survivorList({ survivors, not_listed }: MutateDocument, most: number): Block {
  return {
    title: { text: `Nothing noticed (${formatCount(survivors.length + not_listed.survivors)}):`, tone: 'yellow' },
    isOpen: true,
    items: survivors.map(
      (each): ReportItem => ({
        symbol: { text: '✖', tone: 'red' },
        text: { parts: [placeOf(each), { text: each.operator, tone: 'bold' }, each.note] },
        below: diffLines(each.diff),
      }),
    ),
    most,
  };
}

function wronglyFailedList({ wrongly_failed: mutants, not_listed }: MutateDocument, most: number): Block {
  return {
    title: {
      text: `Failed, although they must pass (${formatCount(mutants.length + not_listed.wrongly_failed)}):`,
      tone: 'yellow',
    },
    isOpen: true,
    items: mutants.map(
      (each): ReportItem => ({
        symbol: { text: '✖', tone: 'red' },
        text: { parts: [placeOf(each), { text: each.operator, tone: 'bold' }, each.note] },
        below: [
          ...each.failed_by.map(({ id, details }): Text => ({ text: `${id}: ${details}`, tone: 'dim', most: 300 })),
          ...diffLines(each.diff),
        ],
      }),
    ),
    most,
  };
}

function placeOf({ scenario, case: row }: { scenario: string; case: string | null }): string {
  return row === null ? scenario : `${scenario} (${row})`;
}

/** Only what changed, with the line before it. */
function diffLines(diff: string): Text[] {
  const lines = diff.split('\n').filter((line) => /^[+-]\s*\S/.test(line));
  const shown = lines
    .slice(0, MOST_DIFF_LINES)
    .map((text): Text => ({ text, tone: text.startsWith('+') ? 'green' : 'red', most: 240 }));
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, { text: `${formatPlural(more, 'more line')}`, tone: 'dim' }] : shown;
}

function suggestionList({ suggestions }: MutateDocument, most: number): Block {
  return {
    title: 'Assertions that would notice some of them, and that all passing traces pass:',
    isOpen: true,
    items: suggestions.map(
      ({ file, yaml, notices }): ReportItem => ({
        text: { parts: [{ text: file, tone: 'dim' }, `notices ${formatPlural(notices.length, 'mutant')}`] },
        below: yaml.split('\n').map((text): Text => ({ text, tone: 'cyan', own: true })),
      }),
    ),
    most,
  };
}

function assertionList({ assertions }: MutateDocument): Block {
  const idle = assertions.filter(({ noticed, tried }) => tried && noticed === 0);
  return {
    title: 'Assertions that never decided anything:',
    isOpen: true,
    items: idle.map(({ scenario, id }) => ({ symbol: '-', text: `${scenario}: ${id}` })),
    most: MOST_SUGGESTIONS,
  };
}

/** Which operators a judge does not notice. */
function judgeTable({ assertions }: MutateDocument): Block {
  const lines = assertions
    .filter(({ type, tried }) => type === 'judge' && tried)
    .flatMap(({ scenario, id, operators }) => operators.map((each) => ({ ...each, judge: `${scenario}: ${id}` })));
  return table(
    lines.toSorted((a, b) => b.missed - a.missed),
    [
      column('Judge', { priority: 7, min: 12 }, ({ judge }) => judge),
      column('Operator', { priority: 9 }, ({ name }) => name),
      figure('Noticed', 6, ({ noticed }) => formatCount(noticed)),
      figure('Missed', 8, ({ missed }) =>
        missed > 0 ? { text: formatCount(missed), tone: 'red' } : { text: '0', tone: 'dim' },
      ),
      figure('Not scored', 4, ({ unscored }) => formatCount(unscored)),
    ],
    lines.length === 0 ? {} : { heading: 'What judges noticed of the mutants that must fail:' },
  );
}

function skippedTable({ operators }: MutateDocument): Block {
  const lines = operators.flatMap(({ name, skipped }) => skipped.map((each) => ({ name, ...each })));
  return table(
    lines,
    [
      column('Operator', { priority: 9 }, ({ name }) => name),
      figure('Traces', 5, ({ traces }) => formatCount(traces)),
      column('Not used because', { priority: 8, min: 20 }, ({ reason }) => reason),
    ],
    lines.length === 0 ? {} : { heading: 'Where operators were not used:' },
  );
}

function comparison({ compared }: MutateDocument): Block {
  if (!compared) return { lines: [] };
  const { new_survivors: fresh, gone_survivors: gone } = compared;
  const noticed = gone.filter(({ now }) => now === 'noticed').length;
  const before = `Compared with ${compared.mutation_id} (score ${formatPercent(compared.score)})`;
  return {
    lines: [
      fresh.length === 0 && gone.length === 0
        ? { text: `${before}: the same mutants survive.`, tone: 'dim' }
        : `${before}: ${formatPlural(fresh.length, 'new survivor')}, ${formatCount(gone.length)} gone (${formatCount(noticed)} noticed now).`,
      ...fresh.slice(0, MOST_SHOWN).map((key): Text => ({ text: `+ ${key}`, tone: 'red' })),
      ...gone
        .slice(0, MOST_SHOWN)
        .map(({ key, now }): Text => ({ text: `- ${key} (${now.replace('_', ' ')})`, tone: 'green' })),
    ],
  };
}

function notes(report: MutateDocument, full: boolean): Block {
  const { scenarios, traces, mutants, unscored, judges, stopped, judge_cost_usd } = report;
  const ignored = scenarios.flatMap(({ name, ignored: own }) =>
    own.map(({ operator, reason }) => `${name} leaves out ${operator}: ${reason}`),
  );
  const left = scenarios.flatMap(({ name, judges_left_out: own }) => own.map((id) => `${name}: ${id}`));
  const unused = report.operators.filter(
    (each) =>
      each.skipped.length > 0 &&
      each.noticed + each.survived + each.accepted + each.wrongly_failed + each.unscored === 0,
  );
  const unknown = [...new Set(scenarios.flatMap(({ tools_without_effect: own }) => own))];
  const lines = [
    ...ignored,
    unknown.length > 0
      ? `Calls of ${list(unknown, 'and')} were not changed: say at the tool whether it changes something (effect: read, or effect: write).`
      : '',
    left.length > 0
      ? `No judge was asked (${list(left, 'and')}): what only a judge could notice is not scored. --ask-judge asks them.`
      : '',
    judges === 'only' ? 'Only judges looked at the mutants.' : '',
    ...unscored.slice(0, 3).map(({ reason, mutants: count }) => `Not scored (${formatCount(count)}): ${reason}`),
    traces.fails_now > 0
      ? `${formatPlural(traces.fails_now, 'trace')} passed then and fails now, and was left out.`
      : '',
    mutants.possible > mutants.tried + mutants.same + mutants.equivalent
      ? `${formatCount(mutants.tried)} of ${formatCount(mutants.possible)} possible mutants were drawn, as many of each operator and case as possible. --max-mutants tries more.`
      : '',
    full || unused.length === 0
      ? ''
      : `Not used: ${list(
          unused.map(({ name }) => name),
          'and',
        )}. --full says why.`,
    judge_cost_usd === 0 ? '' : `Judges: ${formatMoney(judge_cost_usd)}.`,
    stopped === null ? '' : `Stopped: ${stopped}.`,
    `Stored as ${report.mutation_id}. No agent was called.`,
  ];
  return { lines: lines.map((text): Text => ({ text, tone: 'dim' })) };
}
