import { compareResults, type RunComparison } from '../../run/compare/compare-runs.ts';
import { loadSettings } from '../../scenario/load-project.ts';
import type { Workplace } from '../project/open-project.ts';
import { openResultsReader } from './run-source.ts';

export interface CompareRunsOptions extends Workplace {
  /** A run, a file or `git:REF`; if missing, the run before `next` that has one of its scenarios. */
  base?: string | undefined;
  /** The same; `latest` if missing. */
  next?: string | undefined;
  /** Compare also scenarios whose assertions, judges or threshold differ. */
  anyway?: boolean | undefined;
}

/** Whether a run is better or worse than an earlier one, scenario by scenario. */
export async function compareRuns(options: CompareRunsOptions = {}): Promise<RunComparison> {
  const { cwd = process.cwd(), env = process.env, anyway } = options;
  const project = await loadSettings(cwd);
  await using reader = openResultsReader(project, { cwd, env });
  const next = await reader.read(options.next ?? 'latest');
  const base = options.base === undefined ? await reader.readBefore(next) : await reader.read(options.base);
  return compareResults(base.baseline, next.baseline, { anyway });
}
