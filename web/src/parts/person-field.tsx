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
  return (
    <label>
      Labels by <input value={name} size={14} maxLength={200} onChange={({ target }) => onRename(target.value)} />
    </label>
  );
}
