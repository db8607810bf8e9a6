import { caseLabel, rowBeginning } from '../../report/run/words/case-label.ts';
import { scenarioTitles } from '../../report/run/words/scenario-handles.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import type { Store } from '../../store/store.ts';
import { resultOf } from './choose-trial.ts';

/** What the trials of one case answered. Equal answers are one. */
export interface OutputsOfCase {
  scenario: string;
  /** Null without data. */
  case: string | null;
  /** What was asked first; null if the store has no text. */
  input: string | null;
  outputs: Output[];
}

interface Output {
  /** Null if there was no answer. */
  text: string | null;
  trials: number;
  /** How many of them passed, failed, and could not be scored. */
  passed: number;
  failed: number;
  /** The mean score; null if nothing was judged. */
  score: number | null;
  /** Why the first of them has no answer or no score; null if that is not known. */
  error: string | null;
}

/** The answers of a run, case by case: of at most so many cases. `left` is how many more there are. */
export async function outputsOfRun(
  store: Store,
  run: RunRecord,
  { mostCases }: { mostCases: number },
): Promise<{ cases: OutputsOfCase[]; left: number }> {
  const titles = scenarioTitles(run.scenarios);
  const cases: OutputsOfCase[] = [];
  let left = 0;
  for (const [index, { scenario }] of run.scenarios.entries()) {
    const byCase = new Map<number, { found: OutputsOfCase; outputs: Map<string, Output & { scores: number[] }> }>();
    const others = new Set<number>();
    for await (const trial of store.trials(run.run_id, { scenarioIndex: index })) {
      const { case_index, case: name, trace_id } = trial;
      if (!byCase.has(case_index) && cases.length + byCase.size >= mostCases) {
        others.add(case_index);
        continue;
      }
      const trace = trace_id === null ? null : await store.getTrace(trace_id);
      const result = resultOf(run, trial);
      const row = scenario.data?.[case_index];
      const beginning = row ? rowBeginning(row, case_index) : null;
      const entry = byCase.get(case_index) ?? {
        found: {
          scenario: titles[index] ?? '',
          case: name === null ? null : caseLabel(name, beginning ?? undefined),
          input: trace?.messages.find(({ role }) => role === 'user')?.content ?? null,
          outputs: [],
        },
        outputs: new Map(),
      };
      byCase.set(case_index, entry);
      const text = trace?.final_content ?? null;
      const key = JSON.stringify(text);
      const output = entry.outputs.get(key) ?? {
        ...{ text, trials: 0, passed: 0, failed: 0, score: null, scores: [] },
        error: trace?.error ?? result?.error_message ?? null,
      };
      output.trials += 1;
      if (result?.status === 'passed') output.passed += 1;
      else if (result && result.status !== 'unscored') output.failed += 1;
      if (result?.score != null) output.scores.push(result.score);
      entry.outputs.set(key, output);
    }
    for (const { found, outputs } of byCase.values()) {
      cases.push({
        ...found,
        outputs: [...outputs.values()].map(({ scores, ...each }) => ({ ...each, score: mean(scores) })),
      });
    }
    left += others.size;
  }
  return { cases, left };
}

function mean(scores: readonly number[]): number | null {
  return scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
