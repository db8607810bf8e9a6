import { isRecord } from '../../text/json/is-record.ts';
import { PLACEHOLDER, type RequestValue } from './server-form-schema.ts';

export type RequestValues = { [Name in RequestValue]?: unknown };

/**
 * Fills in a template. A text that is nothing but a placeholder becomes the value itself, with its type; a field whose
 * value is missing is left out. Within a longer text, a value is written as text. `onMissing` is called for columns of the
 * row and shared values that are not there.
 */
export function renderTemplate(template: unknown, values: RequestValues, onMissing: (name: string) => never): unknown {
  if (Array.isArray(template)) {
    const parts: unknown[] = template;
    return parts.map((part) => renderTemplate(part, values, onMissing)).filter((part) => part !== undefined);
  }
  if (isRecord(template)) {
    const entries = Object.entries(template).map(([key, part]) => [key, renderTemplate(part, values, onMissing)]);
    return Object.fromEntries(entries.filter(([, part]) => part !== undefined));
  }
  if (typeof template !== 'string') return template;
  const named = (name: string): unknown => {
    const value = valueAt(values, name.split('.'));
    return value === undefined && /^(?:row|share)\b/.test(name) ? onMissing(name) : value;
  };
  const [whole] = template.matchAll(PLACEHOLDER);
  if (whole?.[0] === template) return named(whole[1] ?? '');
  return template.replaceAll(PLACEHOLDER, (_, name: string) => asText(named(name)));
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, first);
  return isThere ? valueAt(Reflect.get(value, first), rest) : undefined;
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The fields of a filled-in template as a query: a list is a parameter for each entry, and a map is written as JSON. */
export function withQuery(url: URL, request: unknown): URL {
  const result = new URL(url);
  for (const [name, value] of Object.entries(Object(request))) {
    result.searchParams.delete(name);
    for (const each of [value ?? []].flat()) result.searchParams.append(name, asText(each));
  }
  return result;
}
