import { useEffect, useEffectEvent } from 'react';

/** Calls `act` when the key is pressed, except while something is typed into a field. */
export function useKey(key: string, act: () => void): void {
  const onKey = useEffectEvent(act);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (key.startsWith('Arrow') && isScrolling(event.target)) return;
      event.preventDefault();
      onKey();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [key]);
}

/** The arrows scroll a region that has the focus. */
function isScrolling(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('section[tabindex]');
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
