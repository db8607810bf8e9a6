import { DIFFICULTIES, type Difficulty } from '../packages/salvo-arena/src/tasks/game-settings.ts';
import { allTasks } from '../packages/salvo-arena/src/tasks/tasks.ts';
import { allTemplates, templateFiles } from '../packages/salvo-arena/src/templates/templates.ts';
import { areaInterval, areaUnderCurve, type ScoredUnit } from './handwriting/form-detector.ts';
import { LANGUAGES } from './handwriting.ts';
import {
  effectiveNumber,
  type MemoryGame,
  playMemoryGame,
  readGame,
  type SeenResource,
} from './memory/memory-games.ts';
import { differences, learnValues, unusualLines } from './memory/remembering-blues.ts';
import { tokenLines } from './memory/telling-tokens.ts';

type Language = (typeof LANGUAGES)[number];

/** Half as many games, and intervals that are wider by half. */
const isQuick = process.argv.includes('--quick');

/** Games of one task that a Blue has seen before, and games that it is tested on. */
const SEEN = isQuick ? 50 : 100;
const TESTED = isQuick ? 20 : 40;
const TASKS: Readonly<Record<Language, string>> = {
  terraform: 'tamper-proof-archive',
  cloudformation: 'patient-portal',
};
/** Games over all tasks, for values, sizes and structures. */
const VARIED = 126;

/** How far a Blue without knowledge of security gets that remembers the templates, or many other games. */
export async function benchMemory(): Promise<string[]> {
  const lines: string[] = [];
  const known = await knownResources();
  const all: MemoryGame[] = [];
  for (const language of LANGUAGES) {
    for (const difficulty of DIFFICULTIES) {
      for (const fixed of [true, false]) {
        const title = `${language} ${difficulty}, ${fixed ? 'fixed templates' : 'generated'}`;
        const games = await gamesOf(TASKS[language], language, difficulty, fixed);
        lines.push(...blueLines(title, games, known));
        if (!fixed) all.push(...(await variedGames(language, difficulty)));
      }
    }
  }
  return [...lines, ...varietyLines(all), ...tokenLines(all)];
}

async function knownResources(): Promise<Map<string, SeenResource[]>> {
  const games = await Promise.all(allTemplates().map((one) => readGame(one.id, templateFiles(one))));
  return Map.groupBy(
    games.flatMap(({ resources }) => resources),
    ({ type }) => type,
  );
}

async function gamesOf(task: string, language: Language, difficulty: Difficulty, fixed: boolean) {
  const games: MemoryGame[] = [];
  for (let seed = 1; seed <= SEEN + TESTED; seed += 1) {
    games.push(await playMemoryGame({ task, language, difficulty, seed }, fixed));
  }
  return games;
}

async function variedGames(language: Language, difficulty: Difficulty): Promise<MemoryGame[]> {
  const games: MemoryGame[] = [];
  for (const [at, { id }] of allTasks().slice(0, VARIED).entries()) {
    if (at % 3 !== DIFFICULTIES.indexOf(difficulty)) continue;
    games.push(await playMemoryGame({ task: id, language, difficulty, seed: 5000 + at }, false));
  }
  return games;
}

function blueLines(title: string, games: readonly MemoryGame[], known: ReadonlyMap<string, SeenResource[]>): string[] {
  const [seen, tested] = [games.slice(0, SEEN), games.slice(SEEN)];
  const reported = (isCareful: boolean) => tested.flatMap((game) => differences(known, game, isCareful));
  const [plain, careful] = [reported(false), reported(true)];
  const by = (kind: 'count' | 'share' | 'rarest') => tested.flatMap((game) => unusualLines(seen, game, kind));
  const learned = learnValues(seen);
  const base = plain.filter(({ isGuilty }) => isGuilty).length / plain.length;
  return [
    `${title}: ${percent(base)} of ${plain.length} resources are flawed`,
    `  diff Blue: ${precision(plain)}; AUC ${area(plain)}; without names and texts ${precision(careful)}, AUC ${area(careful)}`,
    `  unusual lines: AUC by count ${area(by('count'))}, by share ${area(by('share'))}, by the rarest ${area(by('rarest'))}`,
    `  learned values: AUC ${area(tested.flatMap(learned))}${relatedText(seen, tested)}`,
  ];
}

/** Where a hard flaw could be: in the relations, harmful or harmless. The rest of the code takes part in none. */
function relatedText(seen: readonly MemoryGame[], tested: readonly MemoryGame[]): string {
  if (!tested.some(({ name }) => name.includes(' hard '))) return '';
  const related = (game: MemoryGame) => ({ ...game, resources: game.resources.filter(({ isSite }) => isSite) });
  const share = tested.flatMap(({ resources }) => resources).filter(({ isSite }) => isSite);
  const learned = learnValues(seen.map(related));
  return `; of the ${share.length} resources in relations ${area(tested.map(related).flatMap(learned))}`;
}

function precision(units: readonly ScoredUnit[]): string {
  const reported = units.filter(({ score }) => score > 0);
  const right = reported.filter(({ isGuilty }) => isGuilty).length;
  const flawed = units.filter(({ isGuilty }) => isGuilty).length;
  return `precision ${percent(right / reported.length)}, recall ${percent(right / flawed)}`;
}

function area(units: readonly ScoredUnit[]): string {
  const [low, high] = areaInterval(units, areaUnderCurve);
  return `${(areaUnderCurve(units) ?? 0.5).toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

function varietyLines(games: readonly MemoryGame[]): string[] {
  const sizes = games.map(({ resources }) => resources.length).sort((a, b) => a - b);
  const densities = games
    .map(({ resources }) => resources.filter(({ isGuilty }) => isGuilty).length / resources.length)
    .sort((a, b) => a - b);
  const range = (values: readonly number[], show: (value: number) => string) =>
    [0.05, 0.5, 0.95].map((share) => show(values[Math.floor(share * values.length)] ?? 0)).join(', ');
  return [
    `${games.length} games over all tasks: ${effectiveNumber(games.map(({ structure }) => structure)).toFixed(0)} structures in effect`,
    `  resources (5%, median, 95%): ${range(sizes, String)}; flawed: ${range(densities, percent)}`,
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)}%`;
}
