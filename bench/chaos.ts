import { parseArgs } from 'node:util';
import { CONCURRENCY } from './workers/arrangements.ts';
import { type ChaosCheck, checkGames, checkTrials } from './workers/chaos-checks.ts';
import { chaosGames, chaosTrials } from './workers/chaos-project.ts';
import { type ChaosOptions, type ChaosRun, runChaos } from './workers/chaos-run.ts';

const USAGE =
  'npm run bench chaos -- --trials=20000 --faults=60 --games=300 --game-faults=30 --workers=4 --seed=1 --minutes=60';

/**
 * A run and an experiment by workers, while processes are killed and paused for longer than a lease, PostgreSQL is
 * restarted and connections are cut. The exit code is 1 if anything is lost or doubled.
 */
export async function benchChaos(): Promise<string[]> {
  const { trials, faults, games, gameFaults, ...given } = chaosOptions(process.argv.slice(2));
  const common = { ...given, concurrency: CONCURRENCY };
  const project = chaosTrials(trials);
  const ofTrials = { ...common, project, units: trials, faults };
  const ofGames = { ...common, project: chaosGames(games), units: games, faults: gameFaults };
  return [
    ...(await linesOf('trials', ofTrials, (run) => checkTrials(run, { trials, passing: project.passing }))),
    ...(await linesOf('games', ofGames, (run) => checkGames(run, games))),
  ];
}

function linesOf(
  what: string,
  options: ChaosOptions,
  check: (run: ChaosRun) => Promise<ChaosCheck[]>,
): Promise<string[]> {
  const onFault = (number: number, fault: string): void => console.error(`  ${what} ${number}: ${fault}`);
  return runChaos({ ...options, onFault }, async (run) => {
    const checks = await check(run);
    if (checks.some(({ found }) => found !== null)) process.exitCode = 1;
    const { units, workers, seed } = options;
    const faults = [...run.faults].sort().map(([fault, count]) => `${count} x ${fault}`);
    return [
      `${units.toLocaleString('en')} ${what} by ${workers} workers, seed ${seed}: ${run.seconds.toFixed(0)} s`,
      `  faults: ${faults.join(', ')}; the run was followed anew ${run.attached} times`,
      ...checks.map(({ what: rule, found }) =>
        found === null ? `  ok: ${rule}` : `  FAILED: ${rule}. Found: ${found}`,
      ),
    ];
  });
}

function chaosOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      trials: { type: 'string', default: '20000' },
      faults: { type: 'string', default: '60' },
      games: { type: 'string', default: '300' },
      'game-faults': { type: 'string', default: '30' },
      workers: { type: 'string', default: '4' },
      seed: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '60' },
    },
  });
  const number = (text: string): number => {
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < 1) throw new Error(USAGE);
    return value;
  };
  return {
    trials: number(values.trials),
    faults: number(values.faults),
    games: number(values.games),
    gameFaults: number(values['game-faults']),
    workers: number(values.workers),
    seed: number(values.seed),
    minutes: number(values.minutes),
  };
}
