import { useRef } from 'react';
import { Link } from 'wouter';
import { PAGE, whereHref } from '../../../../src/app/view/page-hrefs.ts';
import { RUN_FIELDS } from '../../../../src/app/view/runs/run-filter.ts';
import { useKey } from '../../use-key.ts';
import { useTypedAddress } from '../../use-typed-address.ts';
import styles from './filter-field.module.css';

const EXAMPLES = ['verdict ~ fail', 'status = running', 'age < 1d', 'cost > 0.1', 'pass_rate < 90%'];

/** The expression is part of the address, so that it can be passed on. `problem` says what is wrong with it. */
export function FilterField({ filter, problem }: { filter: string; problem: string | null }) {
  const [text, setText] = useTypedAddress(filter, hrefOf);
  const field = useRef<HTMLInputElement>(null);
  useKey('/', () => field.current?.focus());
  return (
    <div className={styles.filter}>
      <input
        ref={field}
        type="search"
        aria-label="Filter"
        aria-keyshortcuts="/"
        aria-describedby="filter-error filter-help"
        aria-invalid={problem !== null}
        placeholder="verdict = fail and model ~ gpt and cost > 0.1"
        spellCheck={false}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div id="filter-error" role="alert" className={styles.error}>
        {problem}
      </div>
      <div className={styles.examples}>
        {EXAMPLES.map((example) => (
          <Link key={example} href={hrefOf(example)}>
            {example}
          </Link>
        ))}
        <details>
          <summary>How to filter</summary>
          <p id="filter-help">
            A word is searched in names, models and ids. Compare fields by <code>= != ~ !~ &lt; &lt;= &gt; &gt;=</code>,
            and join comparisons by <code>and</code>, <code>or</code>, <code>not</code> and parentheses. <code>~</code>{' '}
            means contains. Values with spaces need quotes. Units: <code>90%</code>, <code>$0.10</code>,{' '}
            <code>30s</code>, <code>5min</code>, <code>2h</code>, <code>7d</code>. Dates:{' '}
            <code>date &gt; 2026-01-31</code>. Fields: {RUN_FIELDS.join(', ')}.
          </p>
        </details>
      </div>
    </div>
  );
}

function hrefOf(filter: string): string {
  return whereHref(PAGE.runs, encodeURIComponent(filter));
}
