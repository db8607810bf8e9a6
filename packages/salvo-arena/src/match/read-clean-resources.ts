import { isRecord } from 'salvo/kit/text';
import { JudgeError } from './claims/judge-error.ts';

/**
 * Reads the resources that are known to be clean: a JSON list of addresses or of objects with a `resource`, the same
 * under `clean_resources` or `resources`, or a plain text with one address per line.
 */
export function readCleanResources(text: string, { name }: { name?: string | undefined } = {}): string[] {
  const trimmed = text.replace(/^\ufeff/, '').trim();
  if (!/^[[{"]/.test(trimmed)) {
    const lines = trimmed.split(/\r?\n/).map((line) => line.trim());
    return lines.filter((line) => line !== '' && !line.startsWith('#'));
  }
  const value = parse(trimmed, name);
  const list = isRecord(value) ? (value.clean_resources ?? value.resources) : value;
  if (!Array.isArray(list)) throw unreadable(name, 'it has no list of resources');
  return list.map((item: unknown, index) => {
    const resource = isRecord(item) ? item.resource : item;
    if (typeof resource === 'string' && resource !== '') return resource;
    throw unreadable(name, `entry ${index + 1} is not the address of a resource`);
  });
}

function parse(text: string, name: string | undefined): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(name, 'it starts like JSON, but is not', cause);
  }
}

function unreadable(name: string | undefined, what: string, cause?: unknown): JudgeError {
  return new JudgeError(
    'OPTIONS_INVALID',
    `${name ?? 'The clean resources'}: ${what}. Give a JSON list such as ["aws_s3_bucket.logs"], or one address per line.`,
    { cause },
  );
}
