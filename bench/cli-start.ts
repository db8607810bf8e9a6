import { CLI, measureProcess, median } from './measure-process.ts';

const ROUNDS = 15;

/** How long `salvo --version` takes, against Node itself doing nothing. */
export async function benchCliStart(): Promise<string[]> {
  const salvo: number[] = [];
  const bare: number[] = [];
  await measureProcess([CLI, '--version']);
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push((await measureProcess(['-e', '0'])).seconds);
    salvo.push((await measureProcess([CLI, '--version'])).seconds);
  }
  const [ours, theirs] = [median(salvo), median(bare)];
  return [
    `salvo --version ${(ours * 1000).toFixed(0)} ms, node -e 0 ${(theirs * 1000).toFixed(0)} ms: ${(ours / theirs).toFixed(2)}x (aim: under 150 ms)`,
  ];
}
