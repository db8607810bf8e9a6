import { readBlockPath } from '../block-path.ts';
import { asLine, asText } from '../loose-value.ts';

/**
 * Reads what the author of a rule says about a failed check. The rules of AWS have a label before each part:
 * `[CT.KMS.PR.3]: …`, which is an id, and `[FIX]: …`; or `Violation: …` and `Fix: …`.
 */
export function readGuardText(message: string) {
  const ids: string[] = [];
  const parts: Record<'title' | 'fix', string[]> = { title: [], fix: [] };
  let part: 'title' | 'fix' = 'title';
  for (const line of beginningOf(message).split('\n')) {
    const [, bracketed, word, rest = line] = LABEL.exec(line.trim()) ?? [];
    const label = (bracketed ?? word)?.toLowerCase();
    if (label === 'fix') part = 'fix';
    else if (bracketed !== undefined) ids.push(bracketed);
    parts[part].push(rest.trim());
  }
  const text = (lines: string[]) => asText(lines.join(' '));
  return { ids, title: text(parts.title), fix: text(parts.fix) };
}

/** What follows is a value that the message quotes. */
function beginningOf(message: string): string {
  return message.slice(0, 10_000);
}

const LABEL = /^(?:\[([A-Za-z][\w.-]{1,60})\]|(Violation|Fix))\s?: ?(.*)$/;

/** The rules of AWS Control Tower are those of AWS Config with `_check` after the name, in lower case. */
export function configRuleId(rule: string): string | undefined {
  return /^(\w{3,200})_check$/i.exec(rule)?.[1]?.toUpperCase();
}

/**
 * The first place inside a resource that an error message names: `[Path=/Resources/A/Properties/B[L:4,C:6] Value=…`.
 * Lines are counted from 0 in these messages.
 */
export function guardPlace(error: string) {
  const [, path = '', line = ''] = PLACE.exec(beginningOf(error)) ?? [];
  const place = readBlockPath(path);
  // A clause about the type of a resource asks whether the template has such a resource at all.
  if (!place || place.attribute === 'Type') return null;
  return { resource: place.resource, attribute: place.attribute, line: asLine(Number(line) + 1) };
}

const PLACE = /(\/Resources\/[^[\]\s]{1,500})\[L:(\d{1,9}),C:\d{1,9}\]/;

/** The property that an error message says is missing, below the place that it names. */
export function missingProperty(error: string): string | undefined {
  return /^Check was not compliant as property \[([A-Za-z][^\]/]{0,200})\]/.exec(beginningOf(error))?.[1];
}

/** An error message without the values that it quotes from the template; undefined when nothing else is in it. */
export function withoutValues(error: string): string | undefined {
  const start = beginningOf(error);
  const end = start.search(/ Value traversed to |\(resolved, Path=| ?\[Path=| ?\[\/?[^\]]{0,500}\[L:/);
  const text = end < 0 ? start : start.slice(0, end).replace(/\[$/, '').trim();
  // What is left when the first thing that it quotes is a value.
  return /^Check was not compliant as property(?: value)?$/.test(text) ? undefined : asText(text);
}
