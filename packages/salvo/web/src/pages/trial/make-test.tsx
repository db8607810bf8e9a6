import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { at } from '../../../../src/app/view/address-parts.ts';
import type { ScenarioView } from '../../../../src/app/view/trial/scenario-view.ts';
import { useProject, useRight } from '../../api.ts';
import { api } from '../../client.ts';
import { LoadState } from '../../parts/load-state.tsx';
import { visibleText } from '../../visible-text.ts';
import { useScenario } from './api.ts';
import styles from './make-test.module.css';

/** A button that shows the scenario which a trial becomes, to copy, to save, or to write to the project. */
export function MakeTest({ traceId, hasPassed }: { traceId: string; hasPassed: boolean }) {
  const { data: project } = useProject();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  // An HTML file has no server that could make it.
  if (!project?.live) return null;
  const open = () => {
    setOpen(true);
    dialog.current?.showModal();
  };
  return (
    <>
      <button type="button" onClick={open}>
        Make a test of it
      </button>
      <dialog ref={dialog} className={styles.dialog} aria-labelledby="make-test" onClose={() => setOpen(false)}>
        <h2 id="make-test">A test of this trial</h2>
        {isOpen && <TestForm traceId={traceId} hasPassed={hasPassed} onClose={() => dialog.current?.close()} />}
      </dialog>
    </>
  );
}

function TestForm({ traceId, hasPassed, onClose }: { traceId: string; hasPassed: boolean; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [why, setWhy] = useState('');
  const scenario = useScenario(traceId, why);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setWhy(typed.trim());
  };
  return (
    <>
      <form className={styles.why} onSubmit={onSubmit}>
        <label htmlFor="what-was-wrong">
          What was wrong? <span className="soft">{hasPassed ? 'Leave it empty if nothing was.' : ''}</span>
        </label>
        <textarea
          id="what-was-wrong"
          rows={2}
          maxLength={2000}
          placeholder="refunded 59.90 instead of 49.90"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <div>
          <button type="submit" disabled={typed.trim() === why}>
            Make it a test of this
          </button>
        </div>
      </form>
      <LoadState query={scenario}>
        {(view) => <MadeTest key={view.text} view={view} traceId={traceId} why={why} />}
      </LoadState>
      <div className={styles.actions}>
        <button type="button" className={styles.close} onClick={onClose}>
          Close
        </button>
      </div>
    </>
  );
}

const VERDICTS = {
  passed: { tone: 'tone-pass', text: '✓ passes' },
  failed: { tone: 'tone-fail', text: '✕ fails' },
  'not tried': { tone: 'tone-unscored', text: '· not tried' },
};

function MadeTest({ view, traceId, why }: { view: ScenarioView; traceId: string; why: string }) {
  const { assertions, notes, text, path } = view;
  return (
    <>
      <ul className={styles.checks} aria-label="Assertions of the test, tried on this trial">
        {assertions.map(({ why: reason, verdict, demand }) => (
          <li key={`${demand} ${reason}`}>
            <span className={`${styles.verdict} ${VERDICTS[verdict].tone}`}>{VERDICTS[verdict].text}</span>
            <span>
              <code>{visibleText(demand)}</code> <span className="soft">{visibleText(reason)}</span>
            </span>
          </li>
        ))}
      </ul>
      {notes.length > 0 && (
        <ul className={styles.notes} aria-label="Notes">
          {notes.map((note) => (
            <li key={note}>{visibleText(note)}</li>
          ))}
        </ul>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard cannot scroll the region. */}
      <section className={styles.text} tabIndex={0} aria-label={path}>
        <pre>{visibleText(text)}</pre>
      </section>
      <TestActions view={view} traceId={traceId} why={why} />
    </>
  );
}

function TestActions({ view, traceId, why }: { view: ScenarioView; traceId: string; why: string }) {
  const mayWrite = useRight('write');
  const copying = useMutation({ mutationFn: () => navigator.clipboard.writeText(view.text) });
  const writing = useMutation({
    mutationFn: async () => {
      const json = why === '' ? {} : { failed: why };
      return (await api.traces[':trace'].scenario.$post({ ...at({ trace: traceId }), json })).json();
    },
  });
  const problem = writing.error?.message ?? (copying.error ? 'This browser does not allow it: save the file.' : null);
  return (
    <div className={styles.actions}>
      <button type="button" onClick={() => copying.mutate()}>
        {copying.isSuccess ? 'Copied' : 'Copy'}
      </button>
      <button type="button" onClick={() => save(view)}>
        Save as {view.file_name}
      </button>
      {mayWrite && (
        <button type="button" disabled={writing.isPending || writing.isSuccess} onClick={() => writing.mutate()}>
          {writing.isSuccess ? `Wrote ${view.path}` : `Write ${view.path}`}
        </button>
      )}
      {problem !== null && (
        <span role="alert" className={styles.problem}>
          {problem}
        </span>
      )}
    </div>
  );
}

function save({ text, file_name }: ScenarioView): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/yaml' }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = file_name;
  anchor.click();
  URL.revokeObjectURL(address);
}
