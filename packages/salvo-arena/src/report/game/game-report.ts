import { type Block, type Canvas, joinBlocks, type Look, renderFor, type Text, terminalBlocks } from 'salvo/kit/report';
import { formatCost, formatPlural, formatSeconds } from 'salvo/kit/stats';
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
import { unresolvedList } from '../score/unresolved-list.ts';
import { renderGameTable } from './game-table.ts';
import { codeUseSentence } from './template-use.ts';

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
export function renderGame(
  played: PlayedGame,
  { messages = [], ...look }: Look & { messages?: readonly string[] },
): string {
  const dim = (text: string): Text => ({ text, tone: 'dim' });
  const render = (canvas: Canvas) =>
    joinBlocks([
      ...terminalBlocks([headline(played), verdict(played)], canvas),
      ...terminalBlocks(played.results ? [metricsTable(played.results)] : [], canvas),
      renderGameTable(played, canvas),
      ...terminalBlocks(
        [
          falseAlarms(played),
          played.results && played.blue
            ? unresolvedList(played.results, { findings: played.blue.findings, most: MOST_ITEMS })
            : { lines: [] },
          consequences(played),
          entries(played, 'phantom', 'Phantoms: claimed by Red, but not in the code, and not scored'),
          entries(played, 'unchecked', 'Not checked, and not scored'),
          { lines: messages.map((message) => ({ text: `✖ ${message}`, tone: 'red' })) },
          { lines: [...droppedNotes(played), ...precisionNote(played), footnote(played.game)].map(dim) },
        ],
        canvas,
      ),
    ]);
  return renderFor(look, render, { narrowest: 40, widest: 140 });
}

function headline({ game, red: outcome }: PlayedGame): Block {
  const own = outcome?.metadata.own_code;
  const { red, blue, difficulty, language, strategy, template } = game;
  const setting = [difficulty, language, strategy, ...(template === null ? [] : [`template ${template}`])];
  return {
    heading: `Red ${red} against Blue ${blue}`,
    lines: [
      taskById(game.task)?.title ?? game.task,
      { text: setting.join(', '), tone: 'dim' },
      ...(own ? [codeUseSentence(own), ...own.notes].map((text): Text => ({ text, tone: 'dim' })) : []),
    ],
  };
}

function verdict({ game }: PlayedGame): Block {
  if (!game.scores) {
    const failures = {
      red: 'Red failed',
      gate: 'Red’s manifest failed',
      blue: 'Blue failed',
      judge: 'The Judge failed',
    };
    const failure = game.failed_stage === null ? 'The game failed' : failures[game.failed_stage];
    return { lines: [{ text: `◌ ${failure}, and nothing was scored: ${game.error ?? ''}`, tone: 'magenta' }] };
  }
  const { winner, reason } = decideWinner(game.scores);
  return { lines: [{ text: reason, tone: winner === 'draw' ? 'yellow' : winner }] };
}

function falseAlarms(played: PlayedGame): Block {
  const { results, blue, red } = played;
  if (!results || !blue) return { lines: [] };
  const explained = explainedFindings(results);
  const duplicates = new Map(
    results.duplicates.map(({ findingIndex, vulnerabilityId }) => [findingIndex, vulnerabilityId]),
  );
  const clean = new Set(cleanAlarms(played));
  // Alarms on untouched resources first: those are certainly wrong.
  const rank = (index: number) => (clean.has(index) ? 0 : duplicates.has(index) ? 2 : 1);
  const alarms = results.falseAlarms
    .filter((index) => !explained.has(index))
    .toSorted((a, b) => rank(a) - rank(b) || a - b);
  const isKnown = (red?.metadata.clean_resources.length ?? 0) > 0;
  const parts = [
    ...(isKnown ? [`${clean.size} on clean resources`] : []),
    ...(duplicates.size > 0 ? [`${duplicates.size} of a flaw that was found already`] : []),
  ];
  const isMixed = results.precisionUsed === 'twin' && duplicates.size > 0;
  const name = isMixed ? 'False alarms and duplicates' : 'False alarms';
  return {
    title: { text: `${name} (${alarms.length}${parts.length > 0 ? `: ${parts.join(', ')}` : ''})`, tone: 'yellow' },
    most: MOST_ITEMS,
    items: alarms.map((index) => {
      const finding = blue.findings[index];
      const note = clean.has(index) ? 'clean ' : duplicates.has(index) ? `again ${duplicates.get(index)} ` : '';
      return {
        symbol: { text: duplicates.has(index) ? '↻' : '○', tone: 'yellow' },
        text: `${index} ${note}${findingPlace(finding)} ${claimLine(finding)}`,
      };
    }),
  };
}

/** What the flaws caused besides their own findings. */
function consequences({ results, blue }: PlayedGame): Block {
  const all = blue ? (results?.consequences ?? []) : [];
  return {
    title: { text: `Consequences of a flaw, no false alarms (${all.length})`, tone: 'cyan' },
    most: MOST_ITEMS,
    items: all.map(({ findingIndex, vulnerabilityId, why }) => {
      const finding = blue?.findings[findingIndex];
      return {
        symbol: { text: '↳', tone: 'cyan' },
        text: `${findingIndex} ${findingPlace(finding)} ${claimLine(finding)}`,
        below: [{ text: `${vulnerabilityId}: ${why}`, tone: 'dim' }],
      };
    }),
  };
}

/** Which precision decides, and how to get the other one. */
function droppedNotes({ blue }: PlayedGame): string[] {
  const dropped = blue?.metadata.dropped ?? [];
  return dropped.map(({ reason, count }) => `Not among the findings: ${count}, because ${reason}.`);
}

function precisionNote({ results, red }: PlayedGame): string[] {
  if (!results || !red?.metadata.twin) return [];
  return results.precisionUsed === 'twin'
    ? [
        'Precision by the twin: Blue also looked at the same code without the flaws. What it reports there, too, is a false alarm; what only the flaws caused is none.',
      ]
    : ['Precision is the classic one: Blue did not look at the clean twin (option twin: always).'];
}

function entries({ gate }: PlayedGame, wanted: EntryStatus, title: string): Block {
  const selected = (gate?.entries ?? []).filter(({ status }) => status === wanted);
  const outcome = wanted === 'phantom' ? 'failed' : 'unchecked';
  return {
    title: { text: `${title} (${formatPlural(selected.length, 'flaw')})`, tone: 'magenta' },
    most: MOST_ITEMS,
    items: selected.map(({ vulnerability, checks }) => ({
      symbol: { text: '◌', tone: 'magenta' },
      text: `${vulnerability.id} ${claimLine(vulnerability)}`,
      below: [{ text: checks.find((check) => check.outcome === outcome)?.reason ?? '', tone: 'dim' }],
    })),
  };
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
