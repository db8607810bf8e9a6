import { assertionIds } from '../../evaluators/assertion-ids.ts';
import { scenarioJudges } from '../../judge/scenario-judges.ts';
import type { Baseline } from '../../run/compare/baseline.ts';
import { plannedResults } from '../../run/compare/baseline-of-run.ts';
import { compareResults, type RunComparison } from '../../run/compare/compare-runs.ts';
import { type AgainstOutcome, couldDecide, judgeAgainst, judgedSummaries } from '../../run/compare/judge-against.ts';
import type { ScenarioSummary } from '../../run/record/run-document.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { asStored } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { projectSecrets } from '../project/open-project.ts';
import { openResultsReader, resultsOf } from './run-source.ts';

export interface AgainstOptions {
  /** A baseline that the run is compared with when it ends: a file, `git:REF` or a run. Worse than it is failed. */
  against?: string | undefined;
  /** A drop of the pass rate that is tolerated, even if it is more than luck. */
  maxDrop?: number | undefined;
}

type RunsStore = Pick<Store, 'trials' | 'getRun'>;

/** What a run does with its baseline: before its first trial, and when it ended. */
export interface Against extends AgainstEnd {
  baseline: Baseline;
  /** Refuses scenarios that the baseline measured differently. Notes which scenarios it judges. */
  plan(run: RunRecord): RunRecord;
}

/** What a run does with its baseline when it ended. */
export interface AgainstEnd {
  /** The summaries of a run that ends, with the verdicts that the baseline gives. Its trials are stored. */
  judge(store: RunsStore, runId: string, summaries: ScenarioSummary[]): Promise<ScenarioSummary[]>;
  /** What the comparison says of a run that has ended. */
  outcome(store: RunsStore, run: RunRecord): Promise<AgainstOutcome | null>;
}

/** Reads the baseline before anything is paid for. A resumed run has the one that it was begun with. */
export async function openAgainst(
  options: AgainstOptions & { earlyStop?: boolean | undefined; recordOnly?: boolean | undefined },
  place: { project: Project; cwd: string; env: Record<string, string | undefined>; earlier: RunRecord | undefined },
): Promise<Against> {
  const { project, env, earlier } = place;
  const source = options.against ?? earlier?.options.against?.source;
  const maxDrop = options.maxDrop ?? earlier?.options.against?.max_drop ?? null;
  if (source === undefined) {
    throw new SalvoError('MAX_DROP_ALONE', '--max-drop needs a baseline: give --against as well.');
  }
  const conflict = options.earlyStop ? '--early-stop' : options.recordOnly ? '--record-only' : null;
  if (conflict !== null) {
    throw new SalvoError('AGAINST_OPTIONS', `--against needs the results of all trials: leave out ${conflict}.`);
  }
  await using reader = openResultsReader(project, place);
  const { baseline } = await reader.read(source);
  return {
    baseline,
    ...againstBaseline(baseline),
    plan(run) {
      const stored = asStored(project, run, { secrets: projectSecrets(project, env) });
      const comparison = compareResults(baseline, plannedResults(stored), { sameTask: true });
      refuseDifferences(comparison, source, judgeProblems(baseline, run, project));
      const earlierGates = earlier?.options.against?.instead_of_gates;
      const insteadOfGates = earlierGates ?? judgedByBaseline(run, comparison);
      const replaced = new Set(insteadOfGates);
      return {
        ...run,
        options: { ...run.options, against: { source, max_drop: maxDrop, instead_of_gates: insteadOfGates } },
        scenarios: run.scenarios.map((each, index) =>
          replaced.has(index) ? { ...each, scenario: { ...each.scenario, min_pass_rate: 0 } } : each,
        ),
      };
    },
  };
}

/** Compares a run that ended with its baseline. */
export function againstBaseline(baseline: Baseline): AgainstEnd {
  let compared: AgainstOutcome | null = null;
  async function compare(store: RunsStore, run: RunRecord): Promise<AgainstOutcome> {
    const { baseline: next } = await resultsOf(store, run);
    const how = run.options.against ?? { source: '', max_drop: null, instead_of_gates: [] };
    compared = judgeAgainst(baseline, next, how, run);
    return compared;
  }
  return {
    async judge(store, runId, summaries) {
      // As it is stored, because the baseline has hashes of redacted texts.
      const run = await store.getRun(runId);
      if (!run?.options.against) return summaries;
      const ended = run.scenarios.map((each, index) => ({ ...each, summary: summaries[index] ?? null }));
      return judgedSummaries(await compare(store, { ...run, scenarios: ended }), summaries, run);
    },
    outcome: async (store, run) => (run.options.against ? (compared ?? (await compare(store, run))) : null),
  };
}

/** Scenarios without a `min_pass_rate`, if a drop could be found in their trials. Else all trials must pass. */
function judgedByBaseline(run: RunRecord, comparison: RunComparison): number[] {
  if (run.options.min_pass_rate !== null) return [];
  return run.scenarios.flatMap(({ name, file, adapter, model, scenario }, index) => {
    const compared = comparison.scenarios.find(
      (each) => each.name === name && each.file === file && each.next_adapter === adapter && each.next_model === model,
    );
    return scenario.min_pass_rate === undefined && compared && couldDecide(compared, comparison) ? [index] : [];
  });
}

function refuseDifferences(comparison: RunComparison, source: string, judges: readonly string[]): void {
  const differing = comparison.scenarios.filter(({ not_comparable_because }) => not_comparable_because.length > 0);
  const problems = [
    ...differing.map(({ name, not_comparable_because }) => `${name}: ${not_comparable_because.join('; ')}`),
    ...judges,
  ];
  if (problems.length > 0) {
    throw new SalvoError(
      'BASELINE_DIFFERS',
      `${source} was measured in another way, so this run cannot be compared with it:${problems
        .map((problem) => `\n  ${problem}`)
        .join('')}\nSet a new baseline: run without --against, then \`salvo baseline set\`. Or undo the change.`,
    );
  }
  if (comparison.scenarios.length === 0) {
    const message = `${source} has none of these scenarios. Set a new baseline: run without --against, then \`salvo baseline set\`.`;
    throw new SalvoError('BASELINE_DIFFERS', message);
  }
}

/** Judges that are other models than those of the baseline. What else differs of a judge is known when it was asked. */
function judgeProblems(baseline: Baseline, run: RunRecord, project: Project): string[] {
  return run.scenarios.flatMap(({ name, file, scenario }) => {
    const before = baseline.scenarios.find((each) => each.name === name && each.file === file);
    const judgesBefore = new Map(Object.entries(before?.yardstick.judges ?? {}));
    const ids = assertionIds(scenario.assertions);
    return scenarioJudges(scenario, project.config.judge).flatMap(({ index, judges }) => {
      const [judge, ...panel] = judges;
      const id = ids[index] ?? '';
      const earlier = judgesBefore.get(id)?.model;
      if (earlier === undefined || !judge || panel.length > 0 || earlier === judge.model) return [];
      return [`${name}: the judge ${id} was ${earlier}, and is ${judge.model}`];
    });
  });
}
