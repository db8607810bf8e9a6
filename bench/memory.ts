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
import { differences, learnValues, unusualLines, valueTokens } from './memory/remembering-blues.ts';

type Language = (typeof LANGUAGES)[number];

/** Games of one task that a Blue has seen before, and games that it is tested on. */
const SEEN = 100;
const TESTED = 40;
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
  const games = await Promise.all(allTemplates().map((one) => readGame(one.id, templateFiles(one), new Set())));
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
    `  learned values: AUC ${area(tested.flatMap(learned))}`,
  ];
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

const OFTEN = 20;

/** Tokens that occur in many resources, and only in flawed or only in innocent ones. */
function tokenLines(games: readonly MemoryGame[]): string[] {
  const counts = new Map<string, { guilty: number; innocent: number }>();
  const resources = games.flatMap((game) => game.resources);
  const base = resources.filter(({ isGuilty }) => isGuilty).length / resources.length;
  for (const { values, isGuilty } of resources) {
    for (const token of new Set([...values.values()].flatMap(valueTokens))) {
      const count = counts.get(token) ?? { guilty: 0, innocent: 0 };
      counts.set(token, isGuilty ? { ...count, guilty: count.guilty + 1 } : { ...count, innocent: count.innocent + 1 });
    }
  }
  const often = [...counts].filter(([, { guilty, innocent }]) => guilty + innocent >= OFTEN);
  const onlyGuilty = often.filter(([, { innocent }]) => innocent === 0);
  // With few occurrences, none is flawed by chance: a token counts if that has a probability below 1 in 1,000.
  const onlyInnocent = often.filter(([, { guilty, innocent }]) => guilty === 0 && (1 - base) ** innocent < 0.001);
  const list = (tokens: typeof often) =>
    tokens.length === 0 ? 'none' : tokens.map(([token, one]) => `${token} (${one.guilty + one.innocent})`).join(', ');
  return [
    `${often.length} tokens of values are in ${OFTEN} resources or more`,
    `  only in flawed resources: ${list(onlyGuilty)}`,
    `  only in innocent ones, more often than by chance: ${list(onlyInnocent)}`,
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)}%`;
}
