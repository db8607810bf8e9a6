import { resolve } from 'node:path';
import { adapterTypeOf, BUILT_IN_NAMES } from '../../adapters/adapter-name.ts';
import { registeredAdapters } from '../../adapters/registered-adapters.ts';
import { DEFAULT_MARGIN } from '../../run/compare/against-rule.ts';
import type { Baseline, BaselineCase } from '../../run/compare/baseline.ts';
import { baselineOfRun, scenarioHead } from '../../run/compare/baseline-of-run.ts';
import { compareUntilDecided } from '../../run/compare/until/until-decided.ts';
import { withEarlier } from '../../run/compare/until/until-watch.ts';
import { shortHash } from '../../run/compare/yardstick.ts';
import { SETTINGS } from '../../run/record/agent-files.ts';
import { plannedCases } from '../../run/record/planned-cases.ts';
import type { RunRecord, UntilDecided } from '../../run/record/run-record.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { formatCount, formatPlural, formatPointsSize } from '../../stats/format.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { openStoreIfAny } from '../project/open-project.ts';
import { isFile, readTextFile } from '../project/read-text-file.ts';
import { evidenceOfRun, readEvidence } from './evidence.ts';

const DEFAULT_MAX_TRIALS = 200;
/** Older runs are not looked through. */
const MOST_RUNS = 500;

interface Place {
  project: Project;
  cwd: string;
  env: Record<string, string | undefined>;
  baseline: Baseline;
  options: { maxTrials?: number | undefined; evidence?: string | undefined };
}

/** A run that goes on until it is decided: how many trials it may have, what it continues, and what it can show at all. */
export async function planUntil(run: RunRecord, place: Place) {
  const { maxTrials = DEFAULT_MAX_TRIALS } = place.options;
  const cases = run.scenarios.reduce((sum, { scenario }, index) => {
    const planned = plannedCases(scenario, { options: run.options, chosen: run.options.cases?.[index] ?? null });
    return sum + planned.filter(({ skip }) => skip === null).length;
  }, 0);
  const trials = Math.floor(maxTrials / Math.max(1, cases));
  if (trials < 1) {
    const message = `{option:maxTrials} ${maxTrials} is less than one trial of each of ${formatPlural(cases, 'case')}: give at least ${cases}, or fewer cases.`;
    throw new SalvoError('OPTIONS_INVALID', message);
  }
  const begun = await evidenceBefore(run, place);
  const until: UntilDecided = { ...begun, planned: begun.planned ?? trials };
  const against = { ...(run.options.against ?? { source: '', max_drop: null }), until };
  const planned = { ...run, options: { ...run.options, trials, against } };
  return { run: planned, trials, ...(await whatCanBeShown(planned, place.baseline, { trials, maxTrials })) };
}

/** The comparison that a run continues: of the same agent with the same baseline and cases. */
async function evidenceBefore(
  run: RunRecord,
  { baseline, options, project, cwd, env }: Place,
): Promise<Omit<UntilDecided, 'planned'> & { planned: number | null }> {
  const hash = shortHash(baseline);
  const process = processOf(run, hash, project);
  const named = { process, baseline: hash };
  const { evidence } = options;
  if (evidence !== undefined) {
    const file = resolve(cwd, evidence);
    const found = (await isFile(file)) ? readEvidence(await readTextFile(file, { cwd }), evidence) : null;
    const processes = found?.baseline === hash ? found.processes : [];
    const same = processes.find(({ id }) => id === process);
    const agents = processes.length + (same ? 0 : 1);
    return { ...named, agents, planned: same?.planned ?? null, earlier: same?.scenarios ?? [] };
  }
  await using opened = await openStoreIfAny(project, { env });
  const { store } = opened;
  const listed = (await store?.listRuns({ limit: MOST_RUNS })) ?? [];
  const others = listed.flatMap(({ run_id, status, options: { against } }) =>
    against?.until?.baseline === hash && status !== 'running' ? [{ run_id, until: against.until }] : [],
  );
  const agents = new Set([process, ...others.map(({ until }) => until.process)]).size;
  const last = others.find(({ until }) => until.process === process);
  const stored = last && (await store?.getRun(last.run_id));
  const earlier = store && stored ? await evidenceOfRun(store, stored) : [];
  return { ...named, agents, planned: last?.until.planned ?? null, earlier };
}

/**
 * Of the agent, the baseline, the cases, and what is decided: the same trials read by another gate would be a second
 * chance. An agent whose files are unknown is known by a clean commit, or not at all.
 */
function processOf(run: RunRecord, baseline: string, project: Project): string {
  const { options, git, run_id } = run;
  const isKnown = run.scenarios.every(({ adapter }) => isKnownAgent(adapter, { project, files: options.agent_files }));
  const agent = isKnown ? null : git && !git.dirty ? git.commit : run_id;
  const scenarios = run.scenarios.map((each) => ({ ...scenarioHead(each, run), scenario: each.scenario }));
  const { gate = 'either', max_drop = null } = options.against ?? {};
  const decided = { gate, max_drop };
  return shortHash({ agent, files: options.agent_files ?? null, baseline, scenarios, cases: options.cases, decided });
}

/** Salvo itself runs a model as the scenario says, so the scenario is the agent. */
const RUN_BY_SALVO: ReadonlySet<string> = new Set([...BUILT_IN_NAMES, 'ai-sdk', 'llama']);
/** What answers at an address may change unseen. */
const AT_AN_ADDRESS: ReadonlySet<string> = new Set(['http', 'a2a', 'ag-ui']);

function isKnownAgent(
  adapter: string,
  { project: { config }, files = {} }: { project: Project; files: RunRecord['options']['agent_files'] },
): boolean {
  const named = new Map(Object.entries(config.adapters).map(([name, { type }]) => [name, type]));
  const type = adapterTypeOf(adapter, { named, registered: new Set(registeredAdapters.keys()) });
  if (type === undefined || AT_AN_ADDRESS.has(type)) return false;
  return RUN_BY_SALVO.has(type) || Object.keys(files).some((each) => !each.startsWith(SETTINGS));
}

/** Whether baseline and cases can decide at all, before anything is paid for. Throws if they cannot. */
async function whatCanBeShown(
  run: RunRecord,
  baseline: Baseline,
  { trials, maxTrials }: { trials: number; maxTrials: number },
) {
  const { against } = run.options;
  if (!against?.until) throw new TypeError('The run is not planned until it is decided.');
  const { until, gate = 'either', max_drop: maxDrop, source } = against;
  const none = await baselineOfRun(run, noTrials(), { withPlanned: true });
  const next = withEarlier(none, until.earlier);
  /** What the run would show with these outcomes of its trials. */
  const shownBy = (outcomes: (scenario: number, caseIndex: number) => Pick<BaselineCase, 'trials' | 'identical'>) => {
    const scenarios = next.scenarios.map((each, scenario) => ({
      ...each,
      cases: each.cases.map((one, index) => {
        const { trials: own, identical } = outcomes(scenario, index);
        return { ...one, trials: one.trials + own, ...(identical && { identical }) };
      }),
    }));
    return compareUntilDecided(baseline, { ...next, scenarios }, { planned: until.planned, gate, maxDrop }).until;
  };
  const ifAll = (outcome: '0' | '1') => shownBy(() => ({ trials: outcome.repeat(trials) }));
  const already = shownBy(() => ({ trials: '' }));
  const [worst, best] = [ifAll('0'), ifAll('1')];
  const margin = formatPointsSize(maxDrop ?? DEFAULT_MARGIN);
  const isWorse = worst.decided === 'worse';
  if (!isWorse && best.decided === null) {
    const message = `${source} cannot decide: with ${formatCount(maxTrials)} trials, not even a run that fails all of them would be called worse, and none would be shown not to be worse by more than ${margin}. Set a baseline with more trials of each case or with more cases, or give a larger {option:maxTrials}.`;
    throw new SalvoError('OPTIONS_INVALID', message);
  }
  const shown = (what: string, found: typeof worst, isShown: boolean) =>
    isShown ? `${what} after ${formatPlural(found.trials, 'trial')} at the earliest` : `${what} not at all`;
  const words = already.decided?.replace('_', ' ');
  const notes = [
    `Until decided: at most ${formatPlural(maxTrials, 'trial')}. ${source} can show a drop ${shown('', worst, isWorse).trim()}, and that nothing fell by more than ${margin} ${shown('', best, best.decided !== null).trim()}.`,
    ...(until.earlier.length > 0 ? ['It continues the comparison of an earlier run of this agent.'] : []),
  ];
  const before = [
    `Until decided: earlier runs of this agent have decided it after ${formatPlural(already.trials, 'trial')}: ${words}. No more trials are needed.`,
  ];
  const earliest = (found: typeof worst, isShown: boolean) => (isShown ? found.trials : null);
  return {
    ...{ notes: already.decided ? before : notes, decided: already.decided, next, shownBy },
    earliest: { worse: earliest(worst, isWorse), not_worse: earliest(best, best.decided !== null) },
  };
}

async function* noTrials() {}
