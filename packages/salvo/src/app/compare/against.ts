import type { Baseline } from '../../run/compare/baseline.ts';
import type { Gate } from '../../run/compare/compare-together.ts';
import { type AgainstOutcome, judgeAgainst } from '../../run/compare/judge-against.ts';
import { judgedSummaries } from '../../run/compare/judged-summaries.ts';
import type { ScenarioSummary } from '../../run/record/run-document.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { openResultsReader, resultsOf } from './run-source.ts';

export interface AgainstOptions {
  /** A baseline that the run is compared with when it ends: a file, `git:REF` or a run. Worse than it is failed. */
  against?: string | undefined;
  /** A drop of the pass rate that is tolerated, even if it is more than luck. */
  maxDrop?: number | undefined;
  /** How scenarios are judged that the comparison does not decide: by what was observed, or as not scored. */
  undecided?: 'observed' | 'fail' | undefined;
  /** Which *worse* fails the run: that of all scenarios together, of each of them, or either (default). */
  gate?: Gate | undefined;
  /** `decided`: trials are added until the comparison is decided, or until `maxTrials` or the budget ends it. */
  until?: 'decided' | undefined;
  /** The most trials of such a run, over all cases. 200 if missing. */
  maxTrials?: number | undefined;
  /** A file that keeps what such runs have shown, so that the next one of the same agent continues. */
  evidence?: string | undefined;
}

type RunsStore = Pick<Store, 'trials' | 'getRun'>;

/** What a run does with its baseline when it ended. */
export type AgainstEnd = ReturnType<typeof againstBaseline>;

/** Reads the baseline before anything is paid for. A resumed run has the one that it was begun with. */
export async function openAgainst(
  options: AgainstOptions & {
    earlyStop?: boolean | undefined;
    recordOnly?: boolean | undefined;
    trials?: number | undefined;
  },
  place: { project: Project; cwd: string; env: Record<string, string | undefined>; earlier: RunRecord | undefined },
) {
  const { project, earlier } = place;
  const begun = earlier?.options.against;
  const source = options.against ?? begun?.source;
  if (source === undefined) {
    const option = AGAINST_OPTIONS.find((each) => options[each] !== undefined) ?? 'undecided';
    throw new SalvoError('OPTIONS_INVALID', `{option:${option}} needs a baseline: give {option:against} as well.`);
  }
  const conflict = options.earlyStop ? 'earlyStop' : options.recordOnly ? 'recordOnly' : null;
  if (conflict !== null) {
    throw new SalvoError(
      'OPTIONS_INVALID',
      `{option:against} needs the results of all trials: leave out {option:${conflict}}.`,
    );
  }
  const until = options.until ?? (begun?.until && 'decided');
  const needsUntil = (['maxTrials', 'evidence'] as const).find((each) => options[each] !== undefined);
  if (needsUntil && !until) {
    throw new SalvoError('OPTIONS_INVALID', `{option:${needsUntil}} needs {option:until} decided.`);
  }
  if (until && options.trials !== undefined) {
    throw new SalvoError(
      'OPTIONS_INVALID',
      '{option:until} decided has no fixed number of trials: give {option:maxTrials} instead of {option:trials}.',
    );
  }
  await using reader = openResultsReader(project, place);
  const { baseline } = await reader.read(source);
  const against = {
    ...begun,
    source,
    max_drop: options.maxDrop ?? begun?.max_drop ?? null,
    undecided: options.undecided ?? begun?.undecided ?? 'observed',
    ...((options.gate ?? begun?.gate) && { gate: options.gate ?? begun?.gate }),
  };
  let notes: string[] = [];
  /** Notes what the run is compared with, and how far it may go. */
  const plan = async (run: RunRecord): Promise<RunRecord> => {
    const planned = { ...run, options: { ...run.options, against } };
    if (!until || begun) return planned;
    const { planUntil } = await import('./until.ts');
    const found = await planUntil(planned, { ...place, baseline, options });
    ({ notes } = found);
    return found.run;
  };
  return { baseline, ...againstBaseline(baseline), plan, notes: () => notes };
}

const AGAINST_OPTIONS = ['maxDrop', 'undecided', 'gate', 'until', 'maxTrials', 'evidence'] as const;

/** Compares a run that ended with its baseline. */
export function againstBaseline(baseline: Baseline) {
  let compared: AgainstOutcome | null = null;
  async function compare(store: RunsStore, run: RunRecord): Promise<AgainstOutcome> {
    const against = run.options.against ?? { source: '', max_drop: null };
    if (against.until) {
      const { compareSoFar } = await import('../../run/compare/until/until-watch.ts');
      const found = await compareSoFar(baseline, run, store.trials(run.run_id));
      if (found) {
        compared = judgeAgainst(baseline, found.next, against, run, found);
        return compared;
      }
    }
    const { baseline: next } = await resultsOf(store, run);
    compared = judgeAgainst(baseline, next, against, run);
    return compared;
  }
  return {
    /** Looks at the run while it goes on; null if the number of its trials is fixed. */
    async watch(store: RunsStore, { run_id, options }: RunRecord) {
      if (!options.against?.until) return null;
      const { UntilWatch } = await import('../../run/compare/until/until-watch.ts');
      return new UntilWatch(baseline, () => store.getRun(run_id));
    },
    /** The summaries of a run that ends, with the verdicts that the baseline gives. Its trials are stored. */
    async judge(store: RunsStore, runId: string, summaries: ScenarioSummary[]): Promise<ScenarioSummary[]> {
      // As it is stored, because the baseline has hashes of redacted texts.
      const run = await store.getRun(runId);
      if (!run?.options.against) return summaries;
      const ended = run.scenarios.map((each, index) => ({ ...each, summary: summaries[index] ?? null }));
      return judgedSummaries(await compare(store, { ...run, scenarios: ended }), summaries);
    },
    /** What the comparison says of a run that has ended. */
    outcome: async (store: RunsStore, run: RunRecord) =>
      run.options.against ? (compared ?? (await compare(store, run))) : null,
  };
}
