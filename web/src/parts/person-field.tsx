import { useState } from 'react';
import { usePersonName } from '../pages/labels/api.ts';

const KEY = 'salvo-person';

/** Who gives labels: remembered by the browser; at first the name that the server knows. */
export function usePerson(): { name: string; rename: (name: string) => void } {
  const known = usePersonName();
  const [own, setOwn] = useState<string | null>(storedName);
  return {
    name: own ?? known.data?.name ?? '',
    rename(name) {
      setOwn(name);
      try {
        localStorage.setItem(KEY, name);
      } catch {
        // The name holds for this page, then.
      }
    },
  };
}

function storedName(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function PersonField({ name, onRename }: { name: string; onRename: (name: string) => void }) {
  const [draft, setDraft] = useState<string | null>(null);
  const finish = () => {
    if (draft !== null) onRename(draft.trim());
    setDraft(null);
  };
  return (
    <label>
      Labels by{' '}
      <input
        value={draft ?? name}
        size={14}
        maxLength={200}
        onChange={({ target }) => setDraft(target.value)}
        onBlur={finish}
        onKeyDown={({ key }) => {
          if (key === 'Enter') finish();
        }}
      />
    </label>
  );
}
