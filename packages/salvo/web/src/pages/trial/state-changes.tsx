import type { StateView } from '../../../../src/app/view/trial/state-view.ts';
import { formatCount } from '../../../../src/stats/format.ts';
import { visibleText } from '../../visible-text.ts';
import styles from './workspace.module.css';

/** What the tools changed in the state of the trial. */
export function StateChanges({ view: { changes, changed, reported } }: { view: StateView }) {
  return (
    <section aria-labelledby="state-heading" className={styles.workspace}>
      <h2 id="state-heading">State</h2>
      <p className="soft small">
        {reported?.agree === 'none' ? 'The state at the end is not known' : changesText(changed, changes.length)}
        {reported !== null &&
          '. The agent reported calls that Salvo did not answer. They were played into a fresh state'}
        {reported !== null &&
          (reported.difference === undefined ? ', with the same answers' : `: ${visibleText(reported.difference)}`)}
      </p>
      {changes.length > 0 && (
        <pre className={styles.diff}>
          {changes.map(({ path, before, after }) => (
            <span key={path}>
              <span className={styles.place}>{visibleText(path === '' ? 'the whole state' : path)}</span>
              {'\n'}
              {before !== null && <span className={styles.removed}>{`-${visibleText(before)}\n`}</span>}
              {after !== null && <span className={styles.added}>{`+${visibleText(after)}\n`}</span>}
            </span>
          ))}
        </pre>
      )}
    </section>
  );
}

function changesText(changed: number, shown: number): string {
  if (changed === 0) return 'No tool changed it';
  return `${formatCount(changed)} changed${shown < changed ? `, ${formatCount(shown)} shown` : ''}`;
}
