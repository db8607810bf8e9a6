import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLI, measureProcess, median } from './measure-process.ts';
import { EITHER_VERDICT, scriptedProject } from './scripted-project.ts';

interface Row {
  name: string;
  /** Of Node's own start in the same run; null if nothing was promised. */
  aim: number | null;
  rounds: number;
  args: readonly string[];
  delayMs?: number;
  /** Rows of a table, which a function of the project checks. */
  table?: number;
}

const ROWS: readonly Row[] = [
  { name: '--version', aim: 2, rounds: 9, args: ['--version'] },
  { name: '--help', aim: 2, rounds: 9, args: ['--help'] },
  { name: 'run of one trial', aim: 6, rounds: 5, args: ['run', 'scenario.yaml', '-q', '-n', '1'] },
  { name: '1,000 stored trials', aim: 17, rounds: 3, args: ['run', 'scenario.yaml', '-q', '-n', '1000'] },
  {
    name: '1,000 trials of 50 ms, 100 at once',
    aim: null,
    rounds: 3,
    args: ['run', 'scenario.yaml', '-q', '-n', '1000', '-c', '100'],
    delayMs: 50,
  },
  { name: '5,000 stored trials', aim: 43, rounds: 3, args: ['run', 'scenario.yaml', '-q', '-n', '5000'] },
  { name: '50,000 stored trials', aim: 300, rounds: 1, args: ['run', 'scenario.yaml', '-q', '-n', '50000'] },
  ...[1000, 5000, 20_000].map((table) => ({
    name: `a table of ${table.toLocaleString('en')} rows, own function`,
    aim: table === 1000 ? 25 : null,
    rounds: 1,
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
    const cells = [row.name, time.toFixed(2), `${(time / start).toFixed(1)}x`, row.aim === null ? '-' : `${row.aim}x`];
    lines.push(`| ${[...cells, peakMegabytes.toFixed(0)].join(' | ')} |`);
  }
  return lines;
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
