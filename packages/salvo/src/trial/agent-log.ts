import { stripVTControlCharacters } from 'node:util';
import { cutMiddle } from '../text/words/cut-text.ts';

const MAX_CHARACTERS = 64 * 1024;

/** What an agent prints in one trial: its beginning and its end, if it is long. */
export function createAgentLog(max = MAX_CHARACTERS) {
  const half = Math.floor(max / 2);
  let start = '';
  let end = '';
  let left = 0;
  return {
    add(text: string): void {
      const room = half - start.length;
      start += text.slice(0, room);
      end += text.slice(Math.max(0, room));
      if (end.length <= half * 2) return;
      left += end.length - half;
      end = end.slice(-half);
    },
    /** Empty if nothing was printed. */
    text(): string {
      if (start === '') return '';
      const all = left === 0 ? start + end : `${start}\n[... ${left} characters left out ...]\n${end}`;
      return stripVTControlCharacters(left === 0 ? cutMiddle(all, max) : all).toWellFormed();
    },
  };
}
