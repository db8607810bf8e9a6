import { fileURLToPath } from 'node:url';
import { JudgeAgent } from '../packages/salvo-arena/src/match/judge-agent.ts';
import { type GeneratedGame, generatedGame } from './generated-game.ts';
import { measureProcess, median } from './measure-process.ts';
import { naiveMatches } from './naive-judge.ts';

const LARGE_MATCH = fileURLToPath(new URL('./large-match.ts', import.meta.url));
const ROUNDS = 5;
const SMALL_GAMES = 10_000;
const THRESHOLD = 0.4;

/** Scores a large manifest, many small ones and a huge one; and the large one pair by pair from the texts. */
export async function benchMatch(): Promise<string[]> {
  const judge = new JudgeAgent({ matchThreshold: THRESHOLD });
  return [...benchLarge(judge), benchSmall(judge), await benchHuge(judge), ...benchEvidence()];
}

/** The matcher of `salvo score`, on the same games. */
function benchEvidence(): string[] {
  const judge = new JudgeAgent({ matcher: 'evidence' });
  const small = smallGames(SMALL_GAMES / 10);
  secondsFor(judge, small);
  const rate = small.length / secondsFor(judge, small);
  const [large, huge] = [1000, 10_000].map((claims) =>
    secondsFor(judge, [generatedGame({ vulnerabilities: claims, findings: claims, seed: 1 })]),
  );
  return [
    `matcher evidence: 1,000 x 1,000 in ${large?.toFixed(2)} s, 10,000 x 10,000 in ${huge?.toFixed(1)} s, games of 5 x 8: ${rate.toFixed(0)} a second`,
  ];
}

function smallGames(count: number): GeneratedGame[] {
  return Array.from({ length: count }, (_, seed) => generatedGame({ vulnerabilities: 5, findings: 8, seed }));
}

function benchLarge(judge: JudgeAgent): string[] {
  const game = generatedGame({ vulnerabilities: 1000, findings: 1000, seed: 1 });
  const first = secondsFor(judge, [game]);
  const ours = median(Array.from({ length: ROUNDS }, () => secondsFor(judge, [game])));
  const started = performance.now();
  naiveMatches(game, THRESHOLD);
  const naive = (performance.now() - started) / 1000;
  return [
    `1,000 x 1,000 in ${ours.toFixed(3)} s, the first time ${first.toFixed(3)} s (aim: 0.2 s)`,
    `the same, pair by pair from the texts, in ${naive.toFixed(1)} s: ours is ${(naive / ours).toFixed(0)}x as fast (aim: 50x)`,
  ];
}

function benchSmall(judge: JudgeAgent): string {
  const games = smallGames(SMALL_GAMES);
  const seconds = median(Array.from({ length: ROUNDS }, () => secondsFor(judge, games)));
  return `games of 5 x 8: ${(SMALL_GAMES / seconds).toFixed(0)} a second (aim: 10,000)`;
}

async function benchHuge(judge: JudgeAgent): Promise<string> {
  const seconds = secondsFor(judge, [generatedGame({ vulnerabilities: 10_000, findings: 10_000, seed: 1 })]);
  const { peakMegabytes } = await measureProcess([LARGE_MATCH], { usage: true });
  return `10,000 x 10,000 in ${seconds.toFixed(1)} s (aim: 10 s), peak ${peakMegabytes.toFixed(0)} MB (aim: 1,000 MB)`;
}

function secondsFor(judge: JudgeAgent, games: readonly GeneratedGame[]): number {
  const started = performance.now();
  for (const { manifest, findings } of games) judge.score(manifest, findings);
  return (performance.now() - started) / 1000;
}
