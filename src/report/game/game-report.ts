import { cleanAlarms } from '../../arena/game/clean-alarms.ts';
import type { PlayedGame } from '../../arena/game/played-game.ts';
import { decideWinner } from '../../arena/game/winner.ts';
import type { EntryStatus } from '../../arena/gate/gate-result.ts';
import { safeLine } from '../../text/safe-text.ts';
import { claimLine, findingPlace } from '../score/claim-words.ts';
import { scoreMetrics } from '../score/score-metrics.ts';
import { plainSigns } from '../terminal/ascii.ts';
import { bar } from '../terminal/bar.ts';
import { formatPercent } from '../terminal/format.ts';
import { joinBlocks } from '../terminal/join-blocks.ts';
import { createStyle, type Style } from '../terminal/style.ts';
import { renderTable } from '../terminal/table.ts';
import { wrap } from '../terminal/wrap.ts';
import { renderGameTable } from './game-table.ts';
import { flaws, gameFootnote, taskTitle } from './game-words.ts';

const WIDEST = 140;
const NARROWEST = 40;
const MOST_LINES = 12;

interface Look {
  width: number;
  style: Style;
}

/** The scoreboard of a game: who won and why, what became of every flaw, false alarms and phantoms. */
export function renderGame(
  played: PlayedGame,
  options: { width: number; color: boolean; ascii?: boolean | undefined; messages?: readonly string[] },
): string {
  const style = createStyle(options.color);
  const look = { width: Math.max(NARROWEST, Math.min(WIDEST, options.width)), style };
  const blocks = [
    headline(played, look),
    verdict(played, look),
    figures(played, look),
    renderGameTable(played, look),
    alarms(played, look),
    entries(played, 'phantom', 'Phantoms: claimed by Red, but not in the code, and not scored', look),
    entries(played, 'unchecked', 'Not checked, and not scored', look),
    (options.messages ?? []).flatMap((message) => wrap(safeLine(`✖ ${message}`), look.width).map(style.red)),
    [style.dim(safeLine(gameFootnote(played.game), look.width))],
  ];
  const text = joinBlocks(blocks);
  return options.ascii ? plainSigns(text) : text;
}

function headline({ game }: PlayedGame, { width, style }: Look): string[] {
  const { red, blue, difficulty, language, strategy } = game;
  const setting = [difficulty, language, strategy, ...(game.template === null ? [] : [`template ${game.template}`])];
  return [
    style.bold(safeLine(`Red ${red} against Blue ${blue}`, width)),
    ...wrap(safeLine(taskTitle(game), 400), width),
    style.dim(safeLine(setting.join(', '), width)),
  ];
}

function verdict({ game }: PlayedGame, { width, style }: Look): string[] {
  if (!game.scores) {
    const who = { red: 'Red failed', gate: 'Red’s manifest failed', blue: 'Blue failed', judge: 'The Judge failed' };
    const lost = game.failed_stage === null ? 'The game failed' : who[game.failed_stage];
    return wrap(safeLine(`◌ ${lost}, and nothing was scored: ${game.error ?? ''}`), width).map(style.magenta);
  }
  const { winner, reason } = decideWinner(game.scores);
  const paint = { red: style.red, blue: style.blue, draw: style.yellow }[winner];
  return wrap(reason, width).map((line) => paint(line));
}

function figures({ results }: PlayedGame, { width, style }: Look): string[] {
  if (!results) return [];
  return renderTable({
    columns: [
      { key: 'name', header: '', priority: 5 },
      { key: 'value', header: '', align: 'right', priority: 6 },
      { key: 'bar', header: '', priority: 1 },
      { key: 'of', header: '', priority: 4 },
      { key: 'interval', header: '', priority: 3 },
      { key: 'note', header: '', priority: 2, min: 12 },
    ],
    rows: scoreMetrics(results).map(({ name, value, of, interval, note, main }) => ({
      name: { text: name },
      value: { text: formatPercent(value), paint: main ? style.bold : (text) => text },
      bar: { text: main && value !== null ? bar(value, 16) : '', paint: style.cyan },
      of: { text: of },
      interval: { text: interval, paint: style.dim },
      note: { text: note, paint: style.dim },
    })),
    width,
    paintHeader: style.dim,
  }).lines.slice(1);
}

function alarms(played: PlayedGame, { width, style }: Look): string[] {
  const { results, blue, red } = played;
  if (!results || !blue || results.falseAlarms.length === 0) return [];
  const again = new Map(results.duplicates.map(({ findingIndex, vulnerabilityId }) => [findingIndex, vulnerabilityId]));
  const clean = new Set(cleanAlarms(played));
  const isKnown = (red?.metadata.clean_resources.length ?? 0) > 0;
  const parts = [
    ...(isKnown ? [`${clean.size} on clean resources`] : []),
    ...(again.size > 0 ? [`${again.size} of a flaw that was found already`] : []),
  ];
  const head = `False alarms (${results.falseAlarms.length}${parts.length > 0 ? `: ${parts.join(', ')}` : ''})`;
  // What nobody touched comes first: there Blue can only be wrong.
  const rank = (index: number) => (clean.has(index) ? 0 : again.has(index) ? 2 : 1);
  const lines = results.falseAlarms
    .toSorted((a, b) => rank(a) - rank(b) || a - b)
    .map((index) => {
      const finding = blue.findings[index];
      const note = clean.has(index) ? 'clean ' : again.has(index) ? `again ${again.get(index)} ` : '';
      const text = `${index} ${note}${findingPlace(finding)} ${claimLine(finding)}`;
      return `  ${style.yellow(again.has(index) ? '↻' : '○')} ${safeLine(text, width - 4)}`;
    });
  return [...wrap(head, width).map(style.yellow), ...shortened(lines, style)];
}

function entries({ gate }: PlayedGame, wanted: EntryStatus, title: string, { width, style }: Look): string[] {
  const those = (gate?.entries ?? []).filter(({ status }) => status === wanted);
  if (those.length === 0) return [];
  const outcome = wanted === 'phantom' ? 'failed' : 'unchecked';
  const lines = those.map(({ vulnerability, checks }) => {
    const reason = checks.find((check) => check.outcome === outcome)?.reason ?? '';
    const claim = `  ${style.magenta('◌')} ${safeLine(`${vulnerability.id} ${claimLine(vulnerability)}`, width - 4)}`;
    return reason === '' ? claim : `${claim}\n    ${style.dim(safeLine(reason, width - 4))}`;
  });
  return [...wrap(`${title} (${flaws(those.length)})`, width).map(style.magenta), ...shortened(lines, style)];
}

function shortened(lines: readonly string[], style: Style): string[] {
  const rest = lines.length - MOST_LINES;
  if (rest <= 1) return [...lines];
  return [...lines.slice(0, MOST_LINES), style.dim(`  and ${rest} more (--json lists all)`)];
}
