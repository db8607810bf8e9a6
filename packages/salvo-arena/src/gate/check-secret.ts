import { isSecretName, secretShapeIn } from 'salvo/kit/secrets';
import { isKnownThroughout } from '../iac/evaluate/value.ts';
import { plainWords, says } from './claim-words.ts';
import { type Fact, leadsThrough } from './code-facts.ts';
import { type Check, failed, passed } from './gate-result.ts';
import type { GatedClaim } from './gated-claim.ts';
import type { GatedBlock } from './gated-code.ts';
import { claimedPaths } from './named-attributes.ts';

const IN_THE_OPEN =
  / (?:hard ?coded|plain ?text|clear ?text|embedded|literal|inline|baked|exposed|in (?:the )?(?:code|source|clear|open|configuration|template|script|user ?data|(?:\w+ ){0,2}environment)|(?:stored|written|kept|placed|passed|sits?|contains?|holds?) )/;
const IN_TRANSIT = / (?:tls|ssl|https?|in transit|connections?|traffic|unencrypted|encryption) /;
const SECRETS = ['password', 'secret', 'credential', 'token', 'api key', 'access key', 'private key'];
/** A name, a type, a version or an address. A secret does not look like this, unless its attribute is named as one. */
const NO_SECRET_TEXT =
  /^(?:arn:\S*|\$\{[^}]*\.(?:arn|id|name|function_name)\}|[A-Za-z]{0,20}|[\d.:/-]*|[a-z0-9]{1,17}(?:[._:/ -][a-z0-9*]{0,17})+)$/;
/** Resources that hold a secret, whatever the name of the attribute. */
const VAULTS = /secret|ssm_?parameter/i;

/** Compares a claim that a secret is in the code with the values. Null for other claims, or if it is undecidable. */
export function checkSecret(claim: GatedClaim, blocks: readonly GatedBlock[], facts: readonly Fact[]): Check | null {
  const words = plainWords(claim.text);
  if (!IN_THE_OPEN.test(words) || !says(words, SECRETS)) return null;
  // "Credentials cross the network in clear text": what is wrong is the connection.
  const name = plainWords(claim.name);
  if (IN_TRANSIT.test(name) && !says(name, SECRETS)) return null;
  const paths = claimedPaths(claim, blocks);
  const meant = facts.filter(({ path, value }) => {
    if (typeof value !== 'string' || value === '') return false;
    if (paths.length > 0) return paths.some((names) => leadsThrough(path, names));
    const name = path.at(-1) ?? '';
    // `manage_master_user_password` is a switch.
    return (isSecretName(name) && !name.startsWith('manage')) || secretShapeIn(value) !== null;
  });
  const open = meant.find(
    ({ value }) => typeof value === 'string' && isKnownThroughout(value) && !value.startsWith('{{resolve:'),
  );
  if (open) return passed('attribute', `${open.path.join('.')} is a text in the code`);
  // A script with a variable in it may still contain a secret.
  const isScript = meant.some(
    ({ value }) => typeof value === 'string' && !/^(?:\$\{[^}]*\}|\{\{resolve:.*\}\})$/.test(value),
  );
  const [first] = meant;
  if (first)
    return isScript ? null : failed('attribute', `${first.path.join('.')} is no text in the code, but ${first.value}`);
  const isBare =
    paths.length === 0 && blocks.length > 0 && !blocks.some(({ type }) => VAULTS.test(type)) && facts.every(isNoSecret);
  return isBare ? failed('attribute', `no value of ${blocks[0]?.address} is or reads like a secret`) : null;
}

function isNoSecret({ value }: Fact): boolean {
  return typeof value !== 'string' || (NO_SECRET_TEXT.test(value) && secretShapeIn(value) === null);
}
