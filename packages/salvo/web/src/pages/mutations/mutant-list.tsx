import type { ListedMutant } from '../../../../src/mutate/mutate-document.ts';
import { visibleText } from '../../visible-text.ts';
import styles from './mutations.module.css';

interface MutantListProps {
  name: string;
  mutants: readonly (ListedMutant & { failed_by?: { id: string; details: string }[] })[];
  /** How many more there are. */
  more: number;
  /** Keys of those that did not survive before. */
  fresh?: readonly string[];
}

/** Mutants, each with what was changed. */
export function MutantList({ name, mutants, more, fresh = [] }: MutantListProps) {
  if (mutants.length === 0) return null;
  return (
    <section>
      <h2 className="heading">{name}</h2>
      <div className={styles.list}>
        {mutants.map((mutant) => (
          <article key={`${mutant.key} ${mutant.trial_number} ${mutant.diff}`} className="card panel">
            <header className={styles.head}>
              <h3>
                {visibleText(mutant.scenario)}
                {mutant.case !== null && ` · ${visibleText(mutant.case)}`}
              </h3>
              <code>{mutant.operator}</code>
              <span>{visibleText(mutant.note)}</span>
              {fresh.includes(mutant.key) && <strong className="tone-fail">new</strong>}
            </header>
            {mutant.failed_by?.map(({ id, details }) => (
              <p key={id} className="soft small">
                Failed by {visibleText(id)}: {visibleText(details)}
              </p>
            ))}
            <Diff text={mutant.diff} />
          </article>
        ))}
      </div>
      {more > 0 && <p className="soft">{more} more are not listed.</p>}
    </section>
  );
}

function Diff({ text }: { text: string }) {
  const lines = text.split('\n').filter((line) => !line.startsWith('@@'));
  return (
    <pre className={styles.diff}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines may repeat, and never move
        <span key={index} className={line.startsWith('+') ? styles.added : line.startsWith('-') ? styles.removed : ''}>
          {visibleText(line)}
        </span>
      ))}
    </pre>
  );
}
