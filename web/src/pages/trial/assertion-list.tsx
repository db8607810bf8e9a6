import type { TrialView } from '../../../../src/app/view/trial-view.ts';
import type { EvalResult } from '../../../../src/evaluators/eval-result.ts';
import { formatShare } from '../../format.ts';
import { AgentText } from '../../parts/agent-text.tsx';
import styles from './assertion-list.module.css';

/** What was demanded, and what was found. */
export function AssertionList({ view }: { view: TrialView }) {
  const results = view.result?.eval_results ?? [];
  return (
    <section aria-label="Assertions">
      <h2 className={styles.head}>Assertions</h2>
      {results.length === 0 && <p>None was evaluated.</p>}
      {results.map((result) => (
        <AssertionCard
          key={result.assertion_id}
          result={result}
          definition={view.assertions.find(({ id }) => id === result.assertion_id)?.definition ?? null}
        />
      ))}
      {view.row !== null && (
        <details className={styles.row}>
          <summary>The row of this case</summary>
          <AgentText text={view.row} isCode />
        </details>
      )}
    </section>
  );
}

function AssertionCard({ result, definition }: { result: EvalResult; definition: string | null }) {
  const look = result.status === 'unscored' ? 'unscored' : result.passed ? 'pass' : 'fail';
  const word = { unscored: 'not scored', pass: 'passed', fail: 'failed' }[look];
  return (
    <article className={`${styles.card} ${styles[look]}`}>
      <header className={styles.title}>
        <h3>{result.assertion_id}</h3>
        <span>
          {word}
          {result.required && ', required'} · {formatShare(result.status === 'unscored' ? null : result.score)}
        </span>
      </header>
      <AgentText text={result.details} />
      {definition !== null && (
        <details>
          <summary>What it demands</summary>
          <AgentText text={definition} isCode />
        </details>
      )}
    </article>
  );
}
