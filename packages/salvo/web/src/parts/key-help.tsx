import { useRef } from 'react';
import { useKey } from '../use-key.ts';
import styles from './key-help.module.css';

/** A button, and the key `?`, that show the keys of a page. */
export function KeyHelp({ keys }: { keys: readonly { keys: readonly string[]; does: string }[] }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const toggle = () => (dialog.current?.open ? dialog.current.close() : dialog.current?.showModal());
  useKey('?', toggle);
  return (
    <>
      <button type="button" aria-keyshortcuts="?" onClick={toggle}>
        Keys <kbd>?</kbd>
      </button>
      <dialog ref={dialog} className={styles.dialog} aria-labelledby="keys">
        <h2 id="keys">Keys</h2>
        <dl className={styles.keys}>
          {[...keys, { keys: ['?'], does: 'Show or hide these keys' }].map(({ keys: names, does }) => (
            <div key={does}>
              <dt>
                {names.map((name) => (
                  <kbd key={name}>{name}</kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <button type="button" onClick={toggle}>
          Close
        </button>
      </dialog>
    </>
  );
}
