import type { LocatedValue } from '../../scenario/diagnostics/located-value.ts';
import { isSecretName } from '../../secrets/secret-names.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import { MigrationGap } from '../notes.ts';
import { childOf, entriesOf, textOf } from '../source/located.ts';

/** `json.data[0].text`: a path that JMESPath has, too. */
const PATH = /^(?:\(?json\)?\s*(?:,\s*text\s*\)?)?\s*=>\s*)?json((?:\??\.[A-Za-z_]\w*|\[\d+\]|\['\w+'\])+);?$/;

/** The provider `http` of promptfoo as an adapter of the same name. */
export function httpAdapter(id: string, config: LocatedValue | undefined, node: LocatedValue): Record<string, unknown> {
  const url = textOf(childOf(config, 'url')) ?? id;
  const gap = (why: string) => new MigrationGap('http', why, node);
  if (childOf(config, 'request'))
    throw gap('a raw request is not translated: write `url`, `method`, `headers` and `body`');
  const parsed = /\{\{/.test(url) ? null : URL.parse(url);
  if (parsed?.username !== '' || parsed.password !== '') {
    throw gap('the address has a template or a password in it: write an adapter of the type http in salvo.yaml');
  }
  const method = (textOf(childOf(config, 'method')) ?? 'POST').toUpperCase();
  if (!['POST', 'GET', 'PUT', 'PATCH'].includes(method)) throw gap(`the method ${method} is not translated`);
  const body = childOf(config, method === 'GET' ? 'queryParams' : 'body');
  const request = requestOf(body?.value, gap);
  const headers = headersOf(childOf(config, 'headers'));
  const response = responseOf(childOf(config, 'transformResponse') ?? childOf(config, 'responseParser'), gap);
  return {
    ...{ type: 'http', url },
    ...(method !== 'POST' && { method }),
    ...(request && { request }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(response !== undefined && { response }),
  };
}

function requestOf(body: unknown, gap: (why: string) => MigrationGap): Record<string, unknown> | undefined {
  const value = typeof body === 'string' ? jsonOrUndefined(body) : body;
  if (value === undefined) {
    if (body !== undefined) throw gap('the body is no JSON');
    return undefined;
  }
  const request = placeholders(value, gap);
  return isRecord(request) ? request : undefined;
}

/** `{{prompt}}` is `{{message}}` here, and a variable is a column of the row. */
function placeholders(value: unknown, gap: (why: string) => MigrationGap): unknown {
  if (Array.isArray(value)) return value.map((part) => placeholders(part, gap));
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, placeholders(part, gap)]));
  if (typeof value !== 'string') return value;
  return value.replaceAll(/\{\{([^}]*)\}\}/g, (_, inner: string) => {
    const name = inner.trim();
    if (!/^[A-Za-z_][\w.]*$/.test(name) || name.startsWith('env.'))
      throw gap(`{{${name}}} in the body is not translated`);
    return name === 'prompt' ? '{{message}}' : `{{row.${name}}}`;
  });
}

/** What may be a secret is read from the environment. */
function headersOf(node: LocatedValue | undefined): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of entriesOf(node)) {
    const text = String(value.value);
    const variable = /\{\{\s*env(?:\.(\w+)|\[['"](\w+)['"]\])\s*\}\}/.exec(text);
    if (variable) found[name] = text.replace(variable[0], `\${${variable[1] ?? variable[2]}}`);
    else if (isSecretName(name) || /^authorization$/i.test(name))
      found[name] = `\${${name.toUpperCase().replaceAll(/\W/g, '_')}}`;
    else if (!text.includes('{{')) found[name] = text;
  }
  return found;
}

function responseOf(node: LocatedValue | undefined, gap: (why: string) => MigrationGap): string | undefined {
  if (!node) return undefined;
  const [, path] = PATH.exec(textOf(node)?.trim() ?? '') ?? [];
  if (path === undefined)
    throw gap('transformResponse is code: write an adapter of the type http with `response`, a JMESPath expression');
  return path
    .replaceAll('?.', '.')
    .replaceAll(/\['(\w+)'\]/g, '.$1')
    .replace(/^\./, '');
}
