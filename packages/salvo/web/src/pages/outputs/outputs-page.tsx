import { Link } from 'wouter';
import { at } from '../../../../src/app/view/address-parts.ts';
import { outputsHref, runHref, trialHref } from '../../../../src/app/view/page-hrefs.ts';
import type { OutputsView } from '../../../../src/app/view/runs/outputs-view.ts';
import { formatScore } from '../../../../src/stats/format.ts';
import { useAnswer } from '../../api.ts';
import { api } from '../../client.ts';
import text from '../../parts/agent-text.module.css';
import { Crumbs } from '../../parts/crumbs.tsx';
import { LoadState } from '../../parts/load-state.tsx';
import { usePageTitle } from '../../use-page-title.ts';
import { visibleText } from '../../visible-text.ts';
import { DifferingText } from '../compare/compared-message.tsx';
import styles from './outputs-page.module.css';

const ROWS = 25;

type Row = OutputsView['rows'][number];
type Cell = Row['cells'][number];
type Shown = Cell['outputs'][number];

/** The answers of a run side by side: a row for each case, a column for each prompt and model. */
export function OutputsPage({ run, group, offset }: { run: string; group: number; offset: number }) {
  const query = { group: String(group), offset: String(offset), limit: String(ROWS) };
  const view = useAnswer(['outputs', run, group, offset], (options) =>
    api.runs[':run'].outputs.$get({ ...at({ run }), query }, options),
  );
  usePageTitle(`Answers of run ${run}`);
  return (
    <div className="page">
      <Crumbs above={[{ href: runHref(run), name: `Run ${run}` }]} />
      <h1>Answers</h1>
      <LoadState query={view}>{(loaded) => <Loaded view={loaded} />}</LoadState>
    </div>
  );
}

function Loaded({ view }: { view: OutputsView }) {
  const columns = view.groups[view.group]?.columns ?? 1;
  return (
    <>
      {view.groups.length > 1 && (
        <nav aria-label="Scenarios" className={styles.groups}>
          {view.groups.map(({ name, rows }, index) => (
            <Link
              key={name}
              href={outputsHref(view.run_id, index)}
              aria-current={index === view.group ? 'page' : undefined}
            >
              {visibleText(name)} ({rows})
            </Link>
          ))}
        </nav>
      )}
      {columns > 1 && <p className="soft small">Marked words are not in the first answer of the row.</p>}
      {view.rows.map((row) => (
        <OutputRow key={row.case_index} row={row} run={view.run_id} />
      ))}
      <Pages view={view} />
    </>
  );
}

function Pages({ view: { run_id, group, offset, limit, total } }: { view: OutputsView }) {
  if (total <= limit) return null;
  return (
    <nav aria-label="Pages" className={styles.pages}>
      {offset > 0 && <Link href={outputsHref(run_id, group, Math.max(0, offset - limit))}>Previous</Link>}
      <span className="soft">
        {offset + 1} to {Math.min(total, offset + limit)} of {total}
      </span>
      {offset + limit < total && <Link href={outputsHref(run_id, group, offset + limit)}>Next</Link>}
    </nav>
  );
}

function OutputRow({ row, run }: { row: Row; run: string }) {
  const [first] = row.cells;
  return (
    <article className={styles.row} aria-label={row.case === null ? 'Answers' : `Case ${visibleText(row.case)}`}>
      <header className={styles.input}>
        {row.case !== null && <h2 className={styles.case}>{visibleText(row.case)}</h2>}
        {row.input !== null && <pre className={text.prose}>{visibleText(row.input)}</pre>}
      </header>
      <div className={styles.cells}>
        {row.cells.map((cell) => (
          <OutputCell
            key={cell.scenario_index}
            cell={cell}
            base={cell === first ? null : (first?.outputs[0]?.text ?? null)}
            href={(trial) => trialHref({ run_id: run, ...cell, case_index: row.case_index, trial_number: trial })}
          />
        ))}
        {row.cells.length === 0 && <p className="soft">No trial of it has run.</p>}
      </div>
    </article>
  );
}

function OutputCell({ cell, base, href }: { cell: Cell; base: string | null; href: (trial: number) => string }) {
  return (
    <section className={styles.cell} aria-label={visibleText(cell.label)}>
      <h3 className={styles.label}>{visibleText(cell.label)}</h3>
      {cell.outputs.map((output) => (
        <div key={output.trial_number} className={styles.output}>
          <OutputText output={output} base={base} />
          <p className="soft fine">
            <Link href={href(output.trial_number)}>{scoreWords(output)}</Link>
            {output.is_cut && ' · shortened here'}
          </p>
        </div>
      ))}
      {cell.more > 0 && <p className="soft fine">{cell.more} other answers</p>}
    </section>
  );
}

function OutputText({ output, base }: { output: Shown; base: string | null }) {
  const { text: own, error } = output;
  if (own === null || own === '') return <p className="soft">{error === null ? 'no text' : visibleText(error)}</p>;
  if (base === null) return <pre className={text.prose}>{visibleText(own)}</pre>;
  if (base === own) {
    return (
      <>
        <p className="soft fine">the same as the first</p>
        <pre className={text.prose}>{visibleText(own)}</pre>
      </>
    );
  }
  return <DifferingText own={own} other={base} side="next" />;
}

function scoreWords({ trials, passed, failed, score }: Shown): string {
  const ofTrials = trials === 1 ? '' : ` · ${passed} of ${trials} trials passed`;
  if (passed + failed === 0) return trials === 1 ? 'not judged' : `not judged · ${trials} trials`;
  const word = failed === 0 ? '✔ passed' : passed === 0 ? '✖ failed' : '◐ partly passed';
  return `${word}${score === null ? '' : ` · score ${formatScore(score)}`}${ofTrials}`;
}
