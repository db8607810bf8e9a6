import { attributePath } from './attribute-path.ts';
import { type Check, failed, passed } from './check.ts';
import { type Fact, isKnown, leadsThrough } from './code-facts.ts';
import type { GatedClaim } from './gated-claim.ts';
import type { GatedBlock } from './gated-code.ts';
import { plainWords, says } from './plain-words.ts';

const IN_THE_OPEN = [
  'hardcoded',
  'hard coded',
  'plaintext',
  'plain text',
  'cleartext',
  'clear text',
  'in the code',
  'embedded',
  'literal',
];
const SECRETS = ['password', 'secret', 'credential', 'token', 'api key', 'access key', 'private key'];
const SECRET_NAME = /password|passwd|secret|token|apikey|accesskey|credential|privatekey/;
const NO_SECRET = /arn$|id$|name$|tokens$|rotation|length|enabled|window|validity|managemaster/;

/** A claim that a secret stands in the code, held against the values. Null for other claims, or when it cannot be told. */
export function checkSecret(claim: GatedClaim, blocks: readonly GatedBlock[], facts: readonly Fact[]): Check | null {
  const words = plainWords(claim.text);
  if (!says(words, IN_THE_OPEN) || !says(words, SECRETS)) return null;
  const paths = claim.attributes.map((text) => attributePath(text, blocks)).filter((path) => path.length > 0);
  const meant = facts.filter(({ path, value }) => {
    if (typeof value !== 'string' || value === '') return false;
    if (paths.length > 0) return paths.some((names) => leadsThrough(path, names));
    const name = path.at(-1) ?? '';
    return SECRET_NAME.test(name) && !NO_SECRET.test(name);
  });
  const open = meant.find(
    ({ value }) => typeof value === 'string' && isKnown(value) && !value.startsWith('{{resolve:'),
  );
  if (open) return passed('attribute', `${open.path.join('.')} is a text in the code`);
  // A script with a variable in it may hold a secret all the same.
  const isScript = meant.some(
    ({ value }) => typeof value === 'string' && !/^(?:\$\{[^}]*\}|\{\{resolve:.*\}\})$/.test(value),
  );
  const [first] = meant;
  return first && !isScript
    ? failed('attribute', `${first.path.join('.')} is no text in the code, but ${first.value}`)
    : null;
}
