import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { viewProject } from '../packages/salvo/src/app/view/viewed-project.ts';
import { viewerApi } from '../packages/salvo/src/server/viewer-app.ts';
import { CLI, median } from './measure-process.ts';

const RUNS = 5000;
const SCENARIOS = 4;
const ROUNDS = 3;

/** The first page of the list of 5,000 runs, in a viewer that has just been started. */
export async function benchRunList(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'salvo-bench-list-'));
  try {
    writeFileSync(join(dir, 'salvo.yaml'), '');
    for (let index = 0; index < SCENARIOS; index += 1) {
      const script = {
        variants: [
          { weight: 9, turns: [{ content: 'yes' }] },
          { weight: 1, turns: [{ content: 'no' }] },
        ],
      };
      const assertions = [{ type: 'output_contains', value: 'yes' }];
      const scenario = { prompt: 'Is it?', adapter: 'scripted', assertions, script, min_pass_rate: 0.1 };
      writeFileSync(join(dir, `scenario-${index}.yaml`), JSON.stringify(scenario));
    }
    execFileSync(process.execPath, [CLI, 'run', '--quiet', '-n', '20', '.'], { cwd: dir });
    using database = new DatabaseSync(join(dir, '.salvo', 'salvo.db'));
    copyRun(database, RUNS - 1);
    const first: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await using viewed = await viewProject({ cwd: dir, env: {}, readOnly: true });
      const api = viewerApi(viewed, { rights: [] });
      first.push(await secondsOf(async () => (await api.request('/runs')).text()));
      bare.push(await secondsOf(() => bareList(database)));
    }
    const [ours, theirs] = [median(first), median(bare)];
    return `list of ${RUNS} runs with ${SCENARIOS} scenarios each: first page in ${ours.toFixed(2)} s (aim: 0.5 s); bare reading and parsing of the same rows ${theirs.toFixed(2)} s: ${(ours / theirs).toFixed(1)}x`;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function copyRun(database: DatabaseSync, times: number): void {
  const runId = String(database.prepare('SELECT run_id FROM runs').get()?.run_id);
  const copies = ['runs', 'run_scenarios', 'scenario_figures'].map((table) => {
    const names = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
    const own = names.flatMap(({ name }) => (name === 'seq' || name === 'run_id' ? [] : [`"${name}"`])).join(', ');
    return database.prepare(`INSERT INTO ${table} (run_id, ${own}) SELECT ?, ${own} FROM ${table} WHERE run_id = ?`);
  });
  database.exec('BEGIN');
  for (let copy = 0; copy < times; copy += 1) {
    for (const statement of copies) statement.run(`copy-${copy}`, runId);
  }
  database.exec('COMMIT');
}

/** What any list of runs has to read. */
function bareList(database: DatabaseSync): number {
  database.prepare('SELECT * FROM runs').all();
  const figures = database.prepare('SELECT figures FROM scenario_figures').all();
  return figures.map((row) => JSON.parse(String(row.figures))).length;
}

async function secondsOf(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
