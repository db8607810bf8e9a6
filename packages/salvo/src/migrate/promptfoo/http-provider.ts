import type { LocatedValue } from '../../scenario/diagnostics/located-value.ts';
import { isSecretName } from '../../secrets/secret-names.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import { MigrationGap } from '../notes.ts';
import { childOf, entriesOf, textOf } from '../source/located.ts';

/** `json.data[0].text`: a path that JMESPath has, too. */
const PATH = /^(?:\(?json(?:, ?text)?\)? ?=> ?)?json((?:\??\.[A-Za-z_]\w{0,100}|\[\d{1,6}\]|\['\w{1,100}'\]){1,50});?$/;

interface HttpForm {
  /** An adapter of the type `http`. */
  options?: Record<string, unknown>;
  /** What a module is given that asks the server, if the adapter cannot do it. */
  words?: Record<string, unknown>;
}

/** The provider `http` of promptfoo as an adapter of the same name, or as a module if it has code or conditions. */
export function httpProvider(id: string, config: LocatedValue | undefined, node: LocatedValue): HttpForm {
  const url = textOf(childOf(config, 'url')) ?? id;
  const gap = (why: string) => new MigrationGap('http', why, node);
  if (childOf(config, 'request'))
    throw gap('a raw request is not translated: write `url`, `method`, `headers` and `body`');
  const parsed = /\{\{/.test(url) ? undefined : URL.parse(url);
  if (parsed === null || (parsed && (parsed.username !== '' || parsed.password !== ''))) {
    throw gap('the address has a password in it, or is none: write an adapter of the type http in salvo.yaml');
  }
  const method = (textOf(childOf(config, 'method')) ?? 'POST').toUpperCase();
  if (!['POST', 'GET', 'PUT', 'PATCH'].includes(method)) throw gap(`the method ${method} is not translated`);
  const body = childOf(config, method === 'GET' ? 'queryParams' : 'body')?.value;
  const transform = childOf(config, 'transformResponse') ?? childOf(config, 'responseParser');
  const headers = headersOf(childOf(config, 'headers'));
  const given = Object.keys(headers).length > 0 && { headers };
  const request = typeof body === 'string' ? jsonOrUndefined(body) : body;
  const response = responseOf(transform);
  if (parsed && (body === undefined || request !== undefined) && (!transform || response !== undefined)) {
    const filled = request === undefined ? undefined : placeholders(request, gap);
    return {
      options: {
        ...{ type: 'http', url },
        ...(method !== 'POST' && { method }),
        ...(isRecord(filled) && { request: filled }),
        ...given,
        ...(response !== undefined && { response }),
      },
    };
  }
  const code = textOf(transform)?.trim().replace(/;$/, '');
  if (transform && (code === undefined || code.startsWith('file://')))
    throw gap('transformResponse is in a file: write its code, or an adapter of the type http with `response`');
  if (method === 'GET' && body !== undefined)
    throw gap('queryParams with code are not translated: write them in the url');
  if (hasOtherTemplates(url) || hasOtherTemplates(JSON.stringify(body ?? '')))
    throw gap('the request has a template that is not translated: use {{name}} and {% if name %}');
  return {
    words: {
      url,
      method,
      ...given,
      ...(body !== undefined && { body }),
      ...(code !== undefined && { transform: code }),
    },
  };
}

/** Whether there is more than `{{name}}`, `{{name | dump}}` and `{% if name %}` without `else`. */
function hasOtherTemplates(text: string): boolean {
  const rest = text
    .replaceAll(/\{\{-?\s{0,20}[\w.]{1,200}(?:\s{0,20}\|\s{0,20}dump)?\s{0,20}-?\}\}/g, '')
    .replaceAll(/\{%-?\s{0,20}(?:if\s{1,20}[\w.]{1,200}|endif)\s{0,20}-?%\}/g, '');
  return /\{[{%]/.test(rest);
}

/** `{{prompt}}` is `{{message}}` here, and a variable is a column of the row. */
function placeholders(value: unknown, gap: (why: string) => MigrationGap): unknown {
  if (Array.isArray(value)) return value.map((part) => placeholders(part, gap));
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, placeholders(part, gap)]));
  if (typeof value !== 'string') return value;
  return value.replaceAll(/\{\{([^{}]{0,200})\}\}/g, (_, inner: string) => {
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

/** Undefined if it is code. */
function responseOf(node: LocatedValue | undefined): string | undefined {
  const [, path] = PATH.exec(textOf(node)?.trim() ?? '') ?? [];
  return path
    ?.replaceAll('?.', '.')
    .replaceAll(/\['(\w+)'\]/g, '.$1')
    .replace(/^\./, '');
}
