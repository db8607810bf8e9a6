import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { idOfHash } from '../../queue/new-id.ts';
import type { RunOutcome } from '../../run/conduct/run-request.ts';
import { mergeRun } from '../../run/merge-run.ts';
import { agentDifferences } from '../../run/record/agent-files.ts';
import type { PlannedCase } from '../../run/record/planned-cases.ts';
import type { ScenarioSummary } from '../../run/record/run-document.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import { shardName } from '../../run/record/shard.ts';
import { loadSettings } from '../../scenario/load-project.ts';
import { judgesOf } from '../../store/judge-tables.ts';
import { PART_FILE, type PartTrial, planDifference, plannedInPart } from '../../store/parts/part-document.ts';
import { type Part, readPart } from '../../store/parts/read-part.ts';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { contentHash } from '../../text/json/canonical-json.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { openResources } from '../../text/open-resources.ts';
import type { AgainstOptions } from '../compare/against.ts';
import { openProjectStore, type Workplace } from '../project/open-project.ts';
import { trialsOf as storedTrials } from '../results/open-run.ts';
import { changedAgent, mixture } from '../selection/mixed-run.ts';
import { openBaseline } from './plan-run.ts';
import type { FinishedRun } from './run.ts';

export interface MergePartsOptions extends Workplace, AgainstOptions {
  /** Parts, or folders with parts in them or in their folders. */
  paths: string[];
  /** Parts of different agents may be merged. The reports say so. */
  mixed?: boolean | undefined;
}

export interface MergedRun extends FinishedRun {
  /** Shards whose part is missing, such as `2/4`. Without them there is no verdict. */
  missing: string[];
}

/**
 * One run of the parts that the shards of a run wrote: trial by trial what one machine would have stored. It has the
 * same id whenever the same parts are merged, so that merging twice gives one run.
 */
export async function mergeParts(options: MergePartsOptions): Promise<MergedRun> {
  const { cwd = process.cwd(), env = process.env } = options;
  const project = await loadSettings(cwd);
  const parts = await readParts(options.paths, cwd);
  const [first] = parts;
  if (!first) throw noParts(options.paths);
  const missing = missingShards(parts);
  const baseline = await openBaseline(
    { ...options, recordOnly: first.header.run.options.record_only },
    { project, cwd, env, earlier: undefined },
  );
  const whole = wholeRun(first, parts, agentChanges(parts, options));
  const run = withId((await baseline?.plan(whole)) ?? whole, parts);
  // Only now: wrong input must not leave an empty store behind.
  await using resources = openResources();
  const store = resources.adopt(await openProjectStore(project, { env }), (each) => each.close());
  const stored = await store.getRun(run.run_id);
  if (stored?.verdict == null) {
    await mergeRun({
      run,
      scenarios: run.scenarios.map((_, index) => plannedScenario(index, parts)),
      trials: trialsOf(parts),
      summariesOf: (index) => summariesOf(index, parts),
      calibrationOf: judgesOf(store).getCalibration,
      isIncomplete: missing.length > 0,
      finishedAt: latest(parts),
      ...(baseline && { judgeSummaries: (own) => baseline.judge(store, run.run_id, own) }),
      recorder: store,
    });
  }
  const merged = (await store.getRun(run.run_id)) ?? run;
  const outcome = endedRun(merged);
  const against = (await baseline?.outcome(store, merged)) ?? null;
  // The missing trials may have been run meanwhile, with --resume.
  const lacking = merged.status === 'finished' ? [] : missing;
  const notes = lacking.map((shard) => `The part of shard ${shard} is missing: this is no verdict.`);
  const trials = () => storedTrials(store, merged);
  return resources.keepFor({ outcome, against, run: merged, store, project, notes, missing, trials });
}

function endedRun({ run_id, verdict, exit_code, scenarios }: RunRecord): RunOutcome {
  return {
    runId: run_id,
    verdict: verdict ?? 'UNSCORED',
    exitCode: exit_code ?? 3,
    scenarios: scenarios.flatMap(({ summary }) => (summary ? [{ summary }] : [])),
    budgetRefusal: null,
    earlierTrials: 0,
    warnings: [],
  };
}

/** Each shard's part once, in order of shards. Throws if they are not parts of one run. */
async function readParts(paths: readonly string[], cwd: string): Promise<Part[]> {
  const files = (await Promise.all(paths.map((path) => partFiles(resolve(cwd, path), path)))).flat();
  const parts = new Map<number, Part>();
  for (const file of new Set(files)) {
    const part = await readPart(file);
    const { index } = part.header.shard;
    const [first = part] = parts.values();
    const shown = (each: Part) => relative(cwd, each.file) || each.file;
    const difference = planDifference(first.header, part.header);
    if (difference !== null) {
      throw new SalvoError(
        'PARTS_DIFFER',
        `${shown(first)} and ${shown(part)} are not parts of the same run. They differ in ${difference}.`,
      );
    }
    const other = parts.get(index);
    if (other && other.sha256 !== part.sha256) {
      throw new SalvoError(
        'PARTS_DIFFER',
        `${shown(other)} and ${shown(part)} are both shard ${shardName(part.header.shard)}, with different results. Keep one of them.`,
      );
    }
    parts.set(index, other ?? part);
  }
  return [...parts.values()].sort((a, b) => a.header.shard.index - b.header.shard.index);
}

/** CI systems download each part into a folder of its own, and some put these into another one. */
const DEEPEST_FOLDER = 3;

async function partFiles(path: string, asGiven: string, depth = 0): Promise<string[]> {
  const stats = await stat(path).catch((cause) => {
    throw new SalvoError('FILE_UNREADABLE', `Could not read ${asGiven}: ${errorMessage(cause)}.`, { cause });
  });
  if (!stats.isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true });
  const found = await Promise.all(
    entries.map((entry) => {
      const inside = join(path, entry.name);
      if (entry.isDirectory()) return depth < DEEPEST_FOLDER ? partFiles(inside, asGiven, depth + 1) : [];
      return entry.isFile() && PART_FILE.test(entry.name) ? [inside] : [];
    }),
  );
  return found.flat().sort();
}

function noParts(paths: readonly string[]): SalvoError {
  return new SalvoError(
    'PARTS_MISSING',
    `There is no part in ${paths.join(', ')}. \`salvo run --shard 1/4 --out DIR\` writes one when it ends.`,
    { outcome: 'unscored' },
  );
}

function missingShards(parts: readonly Part[]): string[] {
  const count = parts[0]?.header.shard.count ?? 0;
  const there = new Set(parts.map(({ header }) => header.shard.index));
  const all = Array.from({ length: count }, (_, at) => ({ index: at + 1, count }));
  return all.filter(({ index }) => !there.has(index)).map(shardName);
}

/** In what the agents of the parts differ. Throws unless they may. */
function agentChanges(parts: readonly Part[], { mixed, cwd = process.cwd() }: MergePartsOptions): string[] {
  const [first, ...others] = parts;
  if (!first) return [];
  const earlier = parts.flatMap(({ header }) => header.run.options.mixed ?? []);
  const found = others.flatMap((part) => {
    const changes = agentDifferences(first.header.run.options.agent_files, part.header.run.options.agent_files);
    if (changes.length > 0 && !mixed) {
      const [one, other] = [first, part].map(({ file }) => relative(cwd, file) || file);
      throw changedAgent(`${one} and ${other} are of different agents`, changes);
    }
    return changes;
  });
  return [...earlier, ...found];
}

function wholeRun({ header }: Part, parts: readonly Part[], changes: readonly string[]): RunRecord {
  const { shard: _, ...options } = header.run.options;
  return {
    ...header.run,
    run_id: '',
    created_at: parts.map((part) => part.header.run.created_at).sort()[0] ?? header.run.created_at,
    finished_at: null,
    status: 'running',
    verdict: null,
    exit_code: null,
    options: { ...options, ...mixture(changes) },
    scenarios: header.run.scenarios.map((each) => ({ ...each, summary: null })),
  };
}

/** The same for the same parts and the same rules, so that merging again adds no second run. */
function withId(run: RunRecord, parts: readonly Part[]): RunRecord {
  const { against = null } = run.options;
  return { ...run, run_id: idOfHash(contentHash([parts.map(({ sha256 }) => sha256), against])) };
}

function latest(parts: readonly Part[]): string {
  const times = parts.map(({ header: { run } }) => run.finished_at ?? run.created_at);
  return times.sort().at(-1) ?? '';
}

async function* trialsOf(parts: readonly Part[]): AsyncGenerator<PartTrial> {
  for (const part of parts) yield* part.trials();
}

function summariesOf(index: number, parts: readonly Part[]): ScenarioSummary[] {
  return parts.flatMap(({ header }) => header.run.scenarios[index]?.summary ?? []);
}

/** Its cases by the plan, named as the parts and the snapshot name them; of a skipped scenario its summary. */
function plannedScenario(index: number, parts: readonly Part[]): PlannedCase[] | ScenarioSummary {
  const header = parts[0]?.header;
  const planned = header && plannedInPart(header)[index];
  const summaries = summariesOf(index, parts);
  if (!header || !planned) return summaries[0] ?? [];
  const known = new Map(summaries.flatMap(({ cases }) => cases.map((each) => [each.case_index, each] as const)));
  const rows: unknown = header.run.scenarios[index]?.scenario.data;
  // A snapshot without texts has no rows.
  const hasData = rows !== undefined || known.size > 0 || planned.length > 1;
  const nameOf = (at: number): string | null => {
    if (!hasData) return null;
    const row: unknown = Array.isArray(rows) ? rows[at] : null;
    const written = isRecord(row) && typeof row.name === 'string' ? row.name : String(at + 1);
    return known.get(at)?.case ?? written;
  };
  const ofScenario = summaries.find(({ quarantine }) => quarantine !== null)?.quarantine ?? null;
  return planned.map((each) => {
    const { skipped = null, quarantine = ofScenario } = known.get(each.index) ?? {};
    return { ...each, name: nameOf(each.index), skip: skipped, quarantine };
  });
}
