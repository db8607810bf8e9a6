import { Link, useLocation } from 'wouter';
import type { ComparedRunView, CompareView } from '../../../../src/app/view/compare/compare-view.ts';
import { compareHref, runHref } from '../../../../src/app/view/page-hrefs.ts';
import type { RunLines } from '../../../../src/app/view/runs/run-lines.ts';
import { useProject, useRuns } from '../../api.ts';
import { formatTime } from '../../format-time.ts';
import { ConclusionBadge } from '../../parts/badge.tsx';
import { LoadState } from '../../parts/load-state.tsx';
import { usePageTitle } from '../../use-page-title.ts';
import { visibleText } from '../../visible-text.ts';
import { useComparison } from './api.ts';
import styles from './compare-page.module.css';
import { CompareTable } from './compare-table.tsx';
import { RunPicker } from './run-picker.tsx';

/** Without runs in the address: the newest one with the one before it. */
export function ComparePage({ sources: asked }: { sources: string[] }) {
  usePageTitle('Compare');
  const project = useProject();
  const stored = useRuns({ filter: '', sort: 'created', order: 'descending' });
  const sources = asked.length === 0 ? newestPair(stored.data?.pages[0]?.runs ?? []) : withPrevious(asked);
  const isEmpty = sources.length === 0;
  const comparison = useComparison(sources);
  if (isEmpty) {
    return (
      <div className="page">
        <h1>Compare</h1>
        <p>{stored.isPending ? 'Loading…' : 'Two runs are needed, and fewer are stored.'}</p>
      </div>
    );
  }
  return (
    <div className="page">
      <header className={styles.head}>
        <h1>Compare</h1>
        {project.data?.live && <Choices sources={sources} runs={comparison.data?.runs ?? []} />}
      </header>
      <LoadState query={comparison}>{(view) => <Loaded view={view} />}</LoadState>
    </div>
  );
}

/** The newest run, and the one before it that has one of its scenarios. */
function newestPair(lines: RunLines['runs']): string[] {
  const [newest, ...earlier] = lines;
  const names = new Set(newest?.scenarios.map(({ name }) => name));
  const before = earlier.find(({ scenarios }) => scenarios.some(({ name }) => names.has(name))) ?? earlier[0];
  return newest && before ? [before.run_id, newest.run_id] : [];
}

function withPrevious(asked: string[]): string[] {
  return asked.length === 1 ? ['previous', ...asked] : asked;
}

function Loaded({ view }: { view: CompareView }) {
  const [base, ...others] = view.runs;
  return (
    <>
      <ul className={styles.conclusions} aria-label="Conclusions">
        {others.map((run) => (
          <Sentence key={run.source} run={run} base={base} />
        ))}
      </ul>
      {view.rows.length > 0 && <CompareTable view={view} />}
    </>
  );
}

function Sentence({ run, base }: { run: ComparedRunView; base: ComparedRunView | undefined }) {
  const only = [
    ...(run.only_base.length > 0 ? [`Only in the first: ${run.only_base.join(', ')}.`] : []),
    ...(run.only_next.length > 0 ? [`Only in the second: ${run.only_next.join(', ')}.`] : []),
  ];
  return (
    <li className={styles.conclusion}>
      {run.conclusion && <ConclusionBadge conclusion={run.conclusion} />}
      <p className={styles.sentence}>{visibleText(run.sentence ?? '')}</p>
      <p className="soft small anywhere">
        <RunLink run={run} /> against {base && <RunLink run={base} />}
      </p>
      {only.map((line) => (
        <p key={line} className="soft small anywhere">
          {visibleText(line)}
        </p>
      ))}
    </li>
  );
}

function RunLink({ run }: { run: ComparedRunView }) {
  return (
    <>
      <Link href={runHref(run.run_id)}>{run.run_id}</Link>
      {run.model !== null && ` with ${run.model}`} of {formatTime(run.created_at)}
      {run.commit !== null && ` at ${run.commit.slice(0, 10)}`}
    </>
  );
}

const MOST_RUNS = 6;

function Choices({ sources, runs }: { sources: readonly string[]; runs: readonly ComparedRunView[] }) {
  const [, navigate] = useLocation();
  const go = (next: readonly string[]) => navigate(compareHref(next));
  const sourceAt = (index: number) => runs[index]?.source ?? sources[index] ?? '';
  const resolved = sources.map((_, index) => sourceAt(index));
  return (
    <div className={styles.choices}>
      {resolved.map((source, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same run may be chosen twice.
        <span key={index} className={styles.choice}>
          {index > 0 && <span className="soft small anywhere">{index === 1 ? 'with' : 'and'}</span>}
          <RunPicker
            name={index === 0 ? 'The first run' : `Run ${index + 1}`}
            value={source}
            onChoose={(run) => go(resolved.map((each, at) => (at === index ? run : each)))}
          />
          {resolved.length > 2 && index > 0 && (
            <button
              type="button"
              aria-label={`Leave out run ${index + 1}`}
              onClick={() => go(resolved.filter((_, at) => at !== index))}
            >
              ✕
            </button>
          )}
        </span>
      ))}
      {resolved.length === 2 && (
        <button type="button" onClick={() => go(resolved.toReversed())}>
          Swap
        </button>
      )}
      {resolved.length < MOST_RUNS && (
        <button type="button" onClick={() => go([...resolved, resolved.at(-1) ?? 'latest'])}>
          Add a run
        </button>
      )}
    </div>
  );
}
