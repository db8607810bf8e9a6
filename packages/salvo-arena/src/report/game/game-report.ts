import {
  type Canvas,
  fewLines,
  joinBlocks,
  type Look,
  renderFor,
  type Style,
  terminalBlocks,
  wrap,
} from 'salvo/kit/report';
import { formatCost, formatPlural, formatSeconds } from 'salvo/kit/stats';
import { safeLine } from 'salvo/kit/text';
import { cleanAlarms } from '../../game/clean-alarms.ts';
import { gameCost } from '../../game/game-cost.ts';
import type { Game } from '../../game/game-document.ts';
import { findingsWithTwin } from '../../game/game-folder.ts';
import type { PlayedGame } from '../../game/played-game.ts';
import { decideWinner } from '../../game/winner.ts';
import type { EntryStatus } from '../../gate/gate-result.ts';
import { scoreResultsToDict } from '../../match/results/score-results-to-dict.ts';
import { taskById } from '../../tasks/tasks.ts';
import { claimLine, findingPlace } from '../score/describe-claim.ts';
import { explainedFindings, metricsTable } from '../score/score-metrics.ts';
import { renderGameTable } from './game-table.ts';

/** A game as `--json` prints it: the document, the winner, and everything that the scoreboard shows. */
export function gameResult(played: PlayedGame) {
  const { game, scored, gate, blue, blueOnTwin, results } = played;
  const entries = gate?.entries ?? [];
  return {
    ...game,
    ...(game.scores ? decideWinner(game.scores) : { winner: null, reason: game.error ?? '' }),
    scored,
    not_scored: entries
      .filter(({ status }) => status !== 'confirmed')
      .map(({ vulnerability, status, checks }) => ({ status, checks, vulnerability })),
    findings: blue && findingsWithTwin(played),
    twin_findings: blueOnTwin?.findings ?? null,
    dropped: blue?.metadata.dropped ?? null,
    results: results && scoreResultsToDict(results),
  };
}

const MOST_ITEMS = 12;

/** The scoreboard of a game: the winner and why, what became of every flaw, false alarms and phantoms. */
export function renderGame(played: PlayedGame, look: Look & { messages?: readonly string[] }): string {
  return renderFor(look, (canvas) => gameBlocks(played, look.messages ?? [], canvas), { narrowest: 40, widest: 140 });
}

function gameBlocks(played: PlayedGame, messages: readonly string[], canvas: Canvas): string {
  const { width, style } = canvas;
  return joinBlocks([
    headline(played, canvas),
    verdict(played, canvas),
    played.results ? terminalBlocks([metricsTable(played.results)], canvas).flat() : [],
    renderGameTable(played, canvas),
    falseAlarms(played, canvas),
    consequences(played, canvas),
    entries(played, 'phantom', 'Phantoms: claimed by Red, but not in the code, and not scored', canvas),
    entries(played, 'unchecked', 'Not checked, and not scored', canvas),
    messages.flatMap((message) => wrap(safeLine(`✖ ${message}`), width).map(style.red)),
    [...droppedNotes(played), ...precisionNote(played), footnote(played.game)]
      .flatMap((line) => wrap(line, width))
      .map(style.dim),
  ]);
}

function headline({ game }: PlayedGame, { width, style }: Canvas): string[] {
  const { red, blue, difficulty, language, strategy } = game;
  const setting = [difficulty, language, strategy, ...(game.template === null ? [] : [`template ${game.template}`])];
  return [
    ...wrap(safeLine(`Red ${red} against Blue ${blue}`), width).map(style.bold),
    ...wrap(safeLine(taskById(game.task)?.title ?? game.task, 400), width),
    ...wrap(safeLine(setting.join(', ')), width).map(style.dim),
  ];
}

function verdict({ game }: PlayedGame, { width, style }: Canvas): string[] {
  if (!game.scores) {
    const failures = {
      red: 'Red failed',
      gate: 'Red’s manifest failed',
      blue: 'Blue failed',
      judge: 'The Judge failed',
    };
    const failure = game.failed_stage === null ? 'The game failed' : failures[game.failed_stage];
    return wrap(safeLine(`◌ ${failure}, and nothing was scored: ${game.error ?? ''}`), width).map(style.magenta);
  }
  const { winner, reason } = decideWinner(game.scores);
  const paint = { red: style.red, blue: style.blue, draw: style.yellow }[winner];
  return wrap(reason, width).map((line) => paint(line));
}

function falseAlarms(played: PlayedGame, { width, style }: Canvas): string[] {
  const { results, blue, red } = played;
  if (!results || !blue) return [];
  const explained = explainedFindings(results);
  const alarms = results.falseAlarms.filter((index) => !explained.has(index));
  if (alarms.length === 0) return [];
  const duplicates = new Map(
    results.duplicates.map(({ findingIndex, vulnerabilityId }) => [findingIndex, vulnerabilityId]),
  );
  const clean = new Set(cleanAlarms(played));
  const isKnown = (red?.metadata.clean_resources.length ?? 0) > 0;
  const parts = [
    ...(isKnown ? [`${clean.size} on clean resources`] : []),
    ...(duplicates.size > 0 ? [`${duplicates.size} of a flaw that was found already`] : []),
  ];
  const isMixed = results.precisionUsed === 'twin' && duplicates.size > 0;
  const name = isMixed ? 'False alarms and duplicates' : 'False alarms';
  const head = `${name} (${alarms.length}${parts.length > 0 ? `: ${parts.join(', ')}` : ''})`;
  // Alarms on untouched resources first: those are certainly wrong.
  const rank = (index: number) => (clean.has(index) ? 0 : duplicates.has(index) ? 2 : 1);
  const lines = alarms
    .toSorted((a, b) => rank(a) - rank(b) || a - b)
    .map((index) => {
      const finding = blue.findings[index];
      const note = clean.has(index) ? 'clean ' : duplicates.has(index) ? `again ${duplicates.get(index)} ` : '';
      const text = `${index} ${note}${findingPlace(finding)} ${claimLine(finding)}`;
      return item(style.yellow(duplicates.has(index) ? '↻' : '○'), text, width);
    });
  return [...wrap(head, width).map(style.yellow), ...shortened(lines, style)];
}

/** What the flaws caused besides their own findings. */
function consequences({ results, blue }: PlayedGame, { width, style }: Canvas): string[] {
  if (!results || !blue || results.consequences.length === 0) return [];
  const lines = results.consequences.map(({ findingIndex, vulnerabilityId, why }) => {
    const finding = blue.findings[findingIndex];
    const head = item(style.cyan('↳'), `${findingIndex} ${findingPlace(finding)} ${claimLine(finding)}`, width);
    return [...head, ...fewLines(`${vulnerabilityId}: ${why}`, width - 4).map((line) => `    ${style.dim(line)}`)];
  });
  const head = `Consequences of a flaw, no false alarms (${results.consequences.length})`;
  return [...wrap(head, width).map(style.cyan), ...shortened(lines, style)];
}

/** Which precision decides, and how to get the other one. */
function droppedNotes({ blue }: PlayedGame): string[] {
  const dropped = blue?.metadata.dropped ?? [];
  return dropped.map(({ reason, count }) => safeLine(`Not among the findings: ${count}, because ${reason}.`, 300));
}

function precisionNote({ results, red }: PlayedGame): string[] {
  if (!results || !red?.metadata.twin) return [];
  return results.precisionUsed === 'twin'
    ? [
        'Precision by the twin: Blue also looked at the same code without the flaws. What it reports there, too, is a false alarm; what only the flaws caused is none.',
      ]
    : ['Precision is the classic one: Blue did not look at the clean twin (option twin: always).'];
}

function entries({ gate }: PlayedGame, wanted: EntryStatus, title: string, { width, style }: Canvas): string[] {
  const selected = (gate?.entries ?? []).filter(({ status }) => status === wanted);
  if (selected.length === 0) return [];
  const outcome = wanted === 'phantom' ? 'failed' : 'unchecked';
  const lines = selected.map(({ vulnerability, checks }) => {
    const reason = checks.find((check) => check.outcome === outcome)?.reason ?? '';
    const claim = item(style.magenta('◌'), `${vulnerability.id} ${claimLine(vulnerability)}`, width);
    return [...claim, ...fewLines(reason, width - 4).map((line) => `    ${style.dim(line)}`)];
  });
  return [
    ...wrap(`${title} (${formatPlural(selected.length, 'flaw')})`, width).map(style.magenta),
    ...shortened(lines, style),
  ];
}

/** An untrusted text with a symbol before it. */
function item(symbol: string, text: string, width: number): string[] {
  return fewLines(text, width - 4).map((line, index) => `  ${index === 0 ? symbol : ' '} ${line}`);
}

function shortened(items: readonly string[][], style: Style): string[] {
  const rest = items.length - MOST_ITEMS;
  if (rest <= 1) return items.flat();
  return [...items.slice(0, MOST_ITEMS).flat(), style.dim(`  and ${rest} more (JSON lists all)`)];
}

/** `1.2s, seed 7, $0.0123` */
function footnote(game: Game): string {
  const cost = gameCost(game);
  return [
    formatSeconds(game.duration_seconds),
    `seed ${game.seed}`,
    ...(cost.usd === 0 ? [] : [formatCost(cost, 'cost unknown')]),
  ].join(', ');
}
