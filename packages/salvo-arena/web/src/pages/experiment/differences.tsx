import { useState } from 'react';
import { visibleText } from 'salvo/viewer-parts';
import { differenceSentences } from '../../../../src/app/view/difference-sentences.ts';
import type { ExperimentResults } from '../../../../src/experiment/results/experiment-results.ts';
import styles from './experiment-page.module.css';

const FIRST_SHOWN = 5;

/** Which Blues differ by more than luck, in words. */
export function Differences({ results: { comparisons } }: { results: ExperimentResults }) {
  const [isOpen, setOpen] = useState(false);
  if (comparisons.length === 0) return null;
  const sentences = differenceSentences(comparisons);
  return (
    <section>
      <h2 className="heading">Which Blue is better?</h2>
      <ul className={styles.list}>
        {sentences.slice(0, isOpen ? sentences.length : FIRST_SHOWN).map((sentence) => (
          <li key={sentence}>{visibleText(sentence)}</li>
        ))}
      </ul>
      {sentences.length > FIRST_SHOWN && (
        <button type="button" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? 'Show fewer' : `Show all ${sentences.length}`}
        </button>
      )}
      <p className={styles.note}>
        Recall: exact McNemar test over flaws, which treats flaws as independent. F1: permutation test that swaps whole
        clusters. Both are corrected for all pairs (Holm). p below 0.05 is more than luck.
      </p>
    </section>
  );
}
