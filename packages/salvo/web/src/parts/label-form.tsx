import { type RefObject, useState } from 'react';
import type { HumanLabel } from '../../../src/judge/calibration/human-label.ts';
import { visibleText } from '../visible-text.ts';
import styles from './label-form.module.css';

export interface GivenVerdict {
  criterion: string | null;
  verdict: boolean | number;
  note: string;
}

const STEPS = [0, 0.25, 0.5, 0.75, 1];

interface LabelFormProps {
  labels: readonly HumanLabel[];
  criteria: readonly { name: string; description?: string }[];
  onGive: (given: GivenVerdict) => void;
  /** When the note of a verdict was changed afterwards. */
  onNote: (given: GivenVerdict) => void;
  noteField?: RefObject<HTMLTextAreaElement | null>;
  /** Whether the keys 1 and 2 work, so that they are shown. */
  keys?: boolean;
}

/** Pass or fail, a score for each criterion, and a note. `labels` are those of this person. */
export function LabelForm({ labels, criteria, onGive, onNote, noteField, keys = false }: LabelFormProps) {
  const whole = labels.find(({ criterion }) => criterion === null);
  const [note, setNote] = useState(whole?.note ?? '');
  const ownNote = note.trim();
  return (
    <div className={styles.form}>
      <fieldset className={styles.verdicts}>
        <legend className="visually-hidden">Your verdict</legend>
        {[true, false].map((verdict) => (
          <button
            key={String(verdict)}
            type="button"
            aria-pressed={whole?.passed === verdict}
            aria-keyshortcuts={keys ? (verdict ? '1' : '2') : undefined}
            className={verdict ? 'tone-pass' : 'tone-fail'}
            onClick={() => onGive({ criterion: null, verdict, note: ownNote })}
          >
            <span aria-hidden="true">{verdict ? '✓' : '✕'}</span> {verdict ? 'Pass' : 'Fail'}
            {keys && <kbd>{verdict ? '1' : '2'}</kbd>}
          </button>
        ))}
      </fieldset>
      {criteria.map(({ name, description }) => (
        <fieldset key={name} className={styles.criterion}>
          <legend title={description === undefined ? undefined : visibleText(description)}>{visibleText(name)}</legend>
          {description !== undefined && <p className="soft small anywhere">{visibleText(description)}</p>}
          <div className={styles.steps}>
            {STEPS.map((score) => {
              const given = labels.find((label) => label.criterion === name);
              const isChosen = given !== undefined && (given.score ?? Number(given.passed)) === score;
              return (
                <button
                  key={score}
                  type="button"
                  className="tone-running"
                  aria-pressed={isChosen}
                  aria-label={`${name}: ${score}`}
                  onClick={() => onGive({ criterion: name, verdict: score, note: '' })}
                >
                  {score}
                </button>
              );
            })}
          </div>
        </fieldset>
      ))}
      <label className={styles.note}>
        <span>Note {keys && <kbd>n</kbd>}</span>
        <textarea
          ref={noteField}
          rows={3}
          maxLength={10_000}
          value={note}
          onChange={({ target }) => setNote(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
          onBlur={() => {
            if (whole && whole.note !== ownNote) onNote({ criterion: null, verdict: whole.passed, note: ownNote });
          }}
        />
      </label>
    </div>
  );
}

/** What people said, one line each. */
export function LabelList({ labels, name }: { labels: readonly HumanLabel[]; name: string }) {
  if (labels.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={name}>
      {labels.map((label) => (
        <li key={label.label_id}>
          <strong>{visibleText(label.labelled_by)}</strong>
          {label.criterion !== null && ` on ${visibleText(label.criterion)}`}:{' '}
          {label.score === null ? (label.passed ? '✓ pass' : '✕ fail') : label.score}
          {label.note !== '' && <span className={styles.said}> {visibleText(label.note)}</span>}
        </li>
      ))}
    </ul>
  );
}
