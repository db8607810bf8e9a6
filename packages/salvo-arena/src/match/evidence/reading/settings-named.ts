const FLAG_QUOTED = /\b(?:flag|parameter)\s["'`]([^"'`]{3,60})["'`]/gi;
const QUOTED_FLAG = /["'`]([^"'`]{3,60})["'`]\s(?:flag|parameter)\b/gi;
const FLAG_BARE = /\b(?:flag|parameter)\s([a-z][\w.-]{5,60})\sis\b/gi;
const LONGEST_TEXT = 1000;

/**
 * The settings that a title calls a flag or a parameter: `the flag 'log_hostname'`. Titles about two settings of one
 * database differ in nothing else. Written without the marks between words, which not all authors keep.
 */
export function settingsNamed(title: string): string[] {
  const text = title.slice(0, LONGEST_TEXT);
  const names = [FLAG_QUOTED, QUOTED_FLAG, FLAG_BARE].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, name = '']) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')),
  );
  return [...new Set(names)].filter((name) => name !== '');
}

/** Whether both sides name settings, and none that could be the same. One side may give only a part of the name. */
export function settingsDiffer(a: readonly string[], b: readonly string[]): boolean {
  if (a.length === 0 || b.length === 0) return false;
  return !a.some((one) => b.some((other) => one.includes(other) || other.includes(one)));
}
