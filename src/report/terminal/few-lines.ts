import { safeLine, shorten } from '../../text/safe-text.ts';
import { wrap } from './wrap.ts';

/** The beginning of an untrusted text, in as many lines as a reader takes in at a glance. */
export function fewLines(text: string, width: number): string[] {
  const most = width >= 50 ? 2 : 3;
  const lines = wrap(safeLine(text, width * (most + 1)), width);
  if (lines.length <= most) return lines.filter((line) => line !== '');
  return [...lines.slice(0, most - 1), shorten(`${lines[most - 1]} …`, width)];
}
