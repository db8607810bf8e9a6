import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';

const TYPING_PAUSE_MS = 250;

/**
 * The text of a field that is a part of the address, so that a link and the way back keep it. It is written there after a
 * pause in typing, without a new entry in the history.
 */
export function useTypedAddress(inAddress: string, hrefOf: (text: string) => string) {
  const [text, setText] = useState(inAddress);
  const [, navigate] = useLocation();
  const sent = useRef(inAddress);
  const write = useEffectEvent(() => {
    sent.current = text;
    navigate(hrefOf(text), { replace: true });
  });
  useEffect(() => {
    // The address was changed by a link or by going back, and not by typing.
    if (inAddress !== sent.current) {
      sent.current = inAddress;
      setText(inAddress);
      return;
    }
    if (text === inAddress) return;
    const timer = setTimeout(write, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, inAddress]);
  return [text, setText] as const;
}
