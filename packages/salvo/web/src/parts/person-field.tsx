import { useState } from 'react';
import { usePersonName } from '../pages/labels/api.ts';
import { remember, remembered } from '../remembered.ts';

const KEY = 'salvo-person';

export interface Person {
  name: string;
  /** False while the server is asked for it. */
  isKnown: boolean;
  rename: (name: string) => void;
}

/** Who gives labels: remembered by the browser; at first the name that the server knows. */
export function usePerson(): Person {
  const known = usePersonName();
  const [own, setOwn] = useState(() => remembered(KEY));
  return {
    name: own ?? known.data?.name ?? '',
    isKnown: own !== null || !known.isPending,
    rename(name) {
      setOwn(name);
      remember(KEY, name);
    },
  };
}

/** Not to be edited until the name is known: it would replace what is typed meanwhile. */
export function PersonField({ person: { name, isKnown, rename } }: { person: Person }) {
  const [draft, setDraft] = useState<string | null>(null);
  const finish = () => {
    if (draft !== null) rename(draft.trim());
    setDraft(null);
  };
  return (
    <label>
      Labels by{' '}
      <input
        value={draft ?? name}
        disabled={!isKnown}
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
