import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLI, measureProcess, median } from './measure-process.ts';
import { EITHER_VERDICT, scriptedProject } from './scripted-project.ts';

interface Row {
  name: string;
  aim: Aim;
  rounds: number;
  args: readonly string[];
  delayMs?: number;
  /** Rows of a table, which a function of the project checks. */
  table?: number;
}

interface Aim {
  /** Of Node's own start in the same run. */
  times?: number;
  megabytes?: number;
  /** The seconds that the agents take at least: with a run of one trial in the same run, and a fifth more, it is the aim. */
  waiting?: number;
}

const ONE_TRIAL = 'run of one trial';
const ROWS: readonly Row[] = [
  { name: '--version', aim: { times: 2 }, rounds: 9, args: ['--version'] },
  { name: '--help', aim: { times: 2 }, rounds: 9, args: ['--help'] },
  { name: ONE_TRIAL, aim: { times: 6 }, rounds: 5, args: ['run', 'scenario.yaml', '-q', '-n', '1'] },
  {
    name: '1,000 stored trials',
    aim: { times: 17, megabytes: 120 },
    rounds: 3,
    args: ['run', 'scenario.yaml', '-q', '-n', '1000'],
  },
  {
    name: '1,000 trials of 50 ms, 100 at once',
    aim: { waiting: 0.5 },
    rounds: 3,
    args: ['run', 'scenario.yaml', '-q', '-n', '1000', '-c', '100'],
    delayMs: 50,
  },
  { name: '5,000 stored trials', aim: { times: 43 }, rounds: 3, args: ['run', 'scenario.yaml', '-q', '-n', '5000'] },
  { name: '50,000 stored trials', aim: { times: 300 }, rounds: 1, args: ['run', 'scenario.yaml', '-q', '-n', '50000'] },
  ...[
    { table: 1000, aim: { times: 25 } },
    { table: 5000, aim: {} },
    { table: 20_000, aim: { megabytes: 220 } },
  ].map(({ table, aim }) => ({
    name: `a table of ${table.toLocaleString('en')} rows, own function`,
    aim,
    rounds: table === 1000 ? 3 : 1,
    args: ['run', 'table.ts', '-q', '-n', '1'],
    table,
  })),
];

/** The rows that users feel, as multiples of the start of Node itself: these compare on any machine. */
export async function benchStarts(): Promise<string[]> {
  const bare: number[] = [];
  for (let round = 0; round < 9; round += 1) bare.push((await measureProcess(['-e', '0'])).seconds);
  const start = median(bare);
  const lines = [`| | seconds | times Node's start (${start.toFixed(3)} s) | aim | MB |`, '|---|---|---|---|---|'];
  let oneTrial = Number.NaN;
  for (const row of ROWS) {
    using project = scriptedProject(row.delayMs === undefined ? {} : { delayMs: row.delayMs });
    if (row.table !== undefined) writeTable(project.dir, row.table);
    const options = { cwd: project.dir, expect: EITHER_VERDICT };
    const seconds: number[] = [];
    for (let round = 0; round < row.rounds; round += 1) {
      seconds.push((await measureProcess([CLI, ...row.args], options)).seconds);
    }
    const { peakMegabytes } = await measureProcess([CLI, ...row.args], { ...options, usage: true });
    const time = median(seconds);
    if (row.name === ONE_TRIAL) oneTrial = time;
    const cells = [row.name, time.toFixed(2), `${(time / start).toFixed(1)}x`, aimText(row.aim, oneTrial)];
    lines.push(`| ${[...cells, peakMegabytes.toFixed(0)].join(' | ')} |`);
  }
  return lines;
}

function aimText({ times, megabytes, waiting }: Aim, oneTrial: number): string {
  const parts = [
    times !== undefined && `${times}x`,
    megabytes !== undefined && `${megabytes} MB`,
    waiting !== undefined && `1.2 times (${waiting} s + a run of one) = ${(1.2 * (waiting + oneTrial)).toFixed(2)} s`,
  ];
  return parts.filter((part) => part !== false).join(', ') || '-';
}

function writeTable(dir: string, rows: number): void {
  const data = Array.from({ length: rows }, (_, index) => ({
    question: `What is ${index} + 1?`,
    answer: String(index + 1),
  }));
  writeFileSync(join(dir, 'rows.json'), JSON.stringify(data));
  writeFileSync(
    join(dir, 'table.ts'),
    `import { readFileSync } from 'node:fs';
export default {
  name: 'table',
  prompt: '{{question}}',
  data: JSON.parse(readFileSync(new URL('./rows.json', import.meta.url), 'utf8')),
  agent: async ({ row }) => ({ content: String(Number(/\\d+/.exec(row.question)[0]) + 1) }),
  assertions: [({ output, row }) => output === row.answer],
};
`,
  );
}
