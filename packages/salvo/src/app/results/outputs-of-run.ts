import type { ShownOutput } from '../../report/run/terminal/outputs-report.ts';
import { caseLabel, rowBeginning } from '../../report/run/words/case-label.ts';
import { candidateLabels, nameWithoutPrompt, scenarioKey } from '../../run/record/candidate-labels.ts';
import { plannedCases } from '../../run/record/planned-cases.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import type { Store } from '../../store/store.ts';
import { resultOf } from './choose-trial.ts';

/** A scenario of a run with all prompts and models that it ran with: the rows and columns of a grid of answers. */
export interface OutputGroup {
  name: string;
  columns: { scenario_index: number; label: string }[];
  cases: { case_index: number; name: string | null; label: string | null }[];
}

/** What the trials of a case answered in one column. */
interface OutputCell {
  scenario_index: number;
  label: string;
  outputs: Output[];
}

export interface Output extends ShownOutput {
  /** The number of the first trial. */
  trial_number: number;
}

export interface OutputRow {
  case_index: number;
  /** Null without data. */
  case: string | null;
  /** What was asked first, as the first column has it; null if its text is not stored. */
  input: string | null;
  cells: OutputCell[];
}

export function outputGroups(run: RunRecord): OutputGroup[] {
  const labels = candidateLabels(run.scenarios);
  const groups = Map.groupBy(run.scenarios.entries(), ([, entry]) => scenarioKey(entry));
  return [...groups.values()].map((entries) => {
    const cases = new Map<number, OutputGroup['cases'][number]>();
    for (const [index, { scenario }] of entries) {
      for (const each of plannedCases(scenario, { options: run.options, chosen: run.options.cases?.[index] ?? null })) {
        const row = scenario.data?.[each.index];
        const beginning = (row && rowBeginning(row, each.index)) ?? undefined;
        const label = each.name === null ? null : caseLabel(each.name, beginning);
        if (each.skip === null) cases.set(each.index, { case_index: each.index, name: each.name, label });
      }
    }
    const [first] = entries;
    return {
      name: first ? nameWithoutPrompt(first[1]) : '',
      columns: entries.map(([index]) => ({ scenario_index: index, label: labels[index] ?? '' })),
      cases: [...cases.values()].toSorted((a, b) => a.case_index - b.case_index),
    };
  });
}

/** The answers of some cases of a group, in all its columns. */
export async function outputRows(
  store: Store,
  run: RunRecord,
  { columns, cases }: Pick<OutputGroup, 'columns' | 'cases'>,
): Promise<OutputRow[]> {
  const rows: OutputRow[] = [];
  for (const { case_index, name, label } of cases) {
    const cells: OutputCell[] = [];
    let input: string | null = null;
    for (const column of columns) {
      const found = await cellOf(store, run, { ...column, name });
      input ??= found.input;
      if (found.outputs.length > 0) cells.push({ ...column, outputs: found.outputs });
    }
    rows.push({ case_index, case: label, input, cells });
  }
  return rows;
}

async function cellOf(
  store: Store,
  run: RunRecord,
  { scenario_index: scenarioIndex, name }: { scenario_index: number; name: string | null },
): Promise<{ input: string | null; outputs: Output[] }> {
  const outputs = new Map<string, Output & { scores: number[] }>();
  let input: string | null = null;
  const ofCase = { scenarioIndex, ...(name !== null && { caseName: name }) };
  for await (const trial of store.trials(run.run_id, ofCase)) {
    const trace = trial.trace_id === null ? null : await store.getTrace(trial.trace_id);
    const result = resultOf(run, trial);
    input ??= trace?.messages.find(({ role }) => role === 'user')?.content ?? null;
    const text = trace?.final_content ?? null;
    const key = JSON.stringify(text);
    const output = outputs.get(key) ?? {
      ...{ text, trials: 0, passed: 0, failed: 0, score: null, scores: [], trial_number: trial.trial_number },
      error: trace?.error ?? result?.error_message ?? null,
    };
    output.trials += 1;
    if (result?.status === 'passed') output.passed += 1;
    else if (result && result.status !== 'unscored') output.failed += 1;
    if (result?.score != null) output.scores.push(result.score);
    outputs.set(key, output);
  }
  return { input, outputs: [...outputs.values()].map(({ scores, ...each }) => ({ ...each, score: mean(scores) })) };
}

function mean(scores: readonly number[]): number | null {
  return scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
