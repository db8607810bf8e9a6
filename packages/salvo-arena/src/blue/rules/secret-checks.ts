import { isPlainSecret, isSecretName, secretInScript, secretShapeIn } from 'salvo/kit/secrets';
import type { Json } from '../../iac/evaluate/value.ts';
import { plainPath, readPath } from '../../iac/read/attribute-path.ts';
import { type CodeNode, firstChild } from '../../iac/read/code-node.ts';
import { knownViews } from './companions.ts';
import type { CustomCheck, Subject } from './subject.ts';
import { allAt, allOf, badAt, GOOD, UNKNOWN, type Verdict } from './verdict.ts';

export const SECRET_CHECKS: Readonly<Record<string, CustomCheck>> = {
  'access-key-text': judgeText,
  'environment-secret': judgeEnvironment,
  'parameter-secret': judgeParameter,
  'plain-secret': judgePlainSecret,
  'sent-secret': judgeRequest,
  'stack-credentials': judgeStackCredentials,
  'user-data-secret': judgeUserData,
};

/** A password, token or key, or a list of them, as the value of an attribute that is made for one. */
function judgePlainSecret({ node }: Subject, path = 'password'): Verdict {
  const attribute = plainPath(path);
  return allAt(node, path, (found) => {
    const secret = found.items().find((item) => {
      const { known, json } = item;
      return known && (typeof json === 'object' ? hasSecret(item) : isPlainSecret(json));
    });
    return secret ? badAt(secret, attribute, `${attribute} is written in the code`) : GOOD;
  });
}

/** `jsonencode({ username = ..., password = "..." })`. */
function hasSecret(map: CodeNode): boolean {
  return map
    .names()
    .some((name) => isSecretName(name) && map.children(name).some(({ known, json }) => known && isPlainSecret(json)));
}

/** Variables for a process: a map, or a list of names with values. */
function judgeEnvironment({ node }: Subject, path = 'environment'): Verdict {
  const attribute = plainPath(path);
  return allAt(node, path, (variables) =>
    allOf(
      variablesOf(variables).map(({ name, value }) => {
        const { json, known } = value;
        const isSecret = known && typeof json !== 'object' && isSecretIn(name, String(json));
        return isSecret ? badAt(value, `${attribute}.${name}`, `${name} holds a secret`) : GOOD;
      }),
    ),
  );
}

function isSecretIn(name: string, value: string): boolean {
  return secretShapeIn(value) !== null || (isSecretName(name) && isPlainSecret(value)) || isAccessKey(name, value);
}

/** An access key in a variable with such a name. The example key of AWS's documentation counts here, too. */
function isAccessKey(name: string, value: string): boolean {
  return /access_?key/i.test(name) && /^(?:AKIA|ASIA)[A-Z0-9]{16}$/.test(value);
}

function variablesOf(variables: CodeNode): { name: string; value: CodeNode }[] {
  return variables.items().flatMap((item) => {
    const name = firstChild(item, 'name', 'Name');
    const value = firstChild(item, 'value', 'Value');
    if (name && value && item.names().length <= 2) return [{ name: String(name.json), value }];
    return item.names().flatMap((key) => item.children(key).map((child) => ({ name: key, value: child })));
  });
}

function judgeUserData({ node, surroundings }: Subject, path = 'user_data'): Verdict {
  const attribute = plainPath(path);
  return allOf(
    readPath(node, path).map(({ state, node: found }): Verdict => {
      if (state === 'missing' || typeof found.json !== 'string') return GOOD;
      // A script with an unknown part can still contain a secret elsewhere.
      const secret = secretInScript(decoded(found.json));
      if (secret === null) return state === 'unknown' ? UNKNOWN : GOOD;
      const spot = surroundings.lineIn(found.spot, secret);
      return { result: 'bad', spot, attribute, detail: `${attribute} holds a secret` };
    }),
  );
}

function decoded(text: string): string {
  if (!/^[A-Za-z0-9+/\s]{40,}={0,2}$/.test(text.trimEnd())) return text;
  return Buffer.from(text, 'base64').toString('utf8');
}

/** A parameter that is stored unencrypted, although its name says that it is a secret. */
function judgeParameter({ node }: Subject): Verdict {
  const type = firstChild(node, 'type', 'Type');
  const name = firstChild(node, 'name', 'Name');
  if (!type?.known || !/^string/i.test(String(type.json)) || !name || typeof name.json !== 'string') return GOOD;
  const last = name.json.split('/').at(-1) ?? '';
  return isSecretName(last) ? badAt(type, 'type', `type is ${String(type.json)}`) : GOOD;
}

/** Keys and tokens that can be recognised by their shape, anywhere in a block. */
function judgeText({ block, file, surroundings }: Subject): Verdict {
  const text = surroundings.textOf(block, file);
  const secret = secretShapeIn(text);
  if (secret === null) return GOOD;
  const spot = surroundings.lineIn({ file, line: block.line, end_line: block.end_line, text }, secret);
  const attribute = /^\s*["']?([\w.-]+)["']?\s*[:=]/.exec(spot.text)?.[1] ?? null;
  return { result: 'bad', spot, attribute, detail: 'a key or token is written in the code' };
}

const CREDENTIALS = ['accessKeyId', 'secretKey', 'password'];

/** Credentials in the metadata of an instance, which everyone who may read the stack can read. */
function judgeStackCredentials({ view, block, file, surroundings }: Subject): Verdict {
  const metadata = view?.setting('Metadata')?.value;
  const sources = entryOf(metadata?.known ? metadata.value : metadata?.partial, 'AWS::CloudFormation::Authentication');
  const name = CREDENTIALS.find((one) => Object.values(sources ?? {}).some((source) => entryOf(source, one) !== null));
  if (name === undefined) return GOOD;
  const text = surroundings.textOf(block, file);
  const spot = surroundings.lineIn({ file, line: block.line, end_line: block.end_line, text }, name);
  return { result: 'bad', spot, attribute: name, detail: `the metadata has ${name}` };
}

function entryOf(map: Json | undefined, name: string): Json {
  return typeof map === 'object' && map !== null && !Array.isArray(map) ? (map[name] ?? null) : null;
}

const SECRET_REFERENCE =
  /(?<![\w.])(?:data\.)?aws_(?:ssm_parameter\.[\w-]+\.(?:insecure_)?value|secretsmanager_secret_version\.[\w-]+\.secret_string)(?!\w)/;
/** In `aws_ssm_parameter.db["main"].value`. */
const INDEX = /\[[^\][]{1,200}\]/g;

/** A request of a `data "http"` that contains a secret of the account. A parameter of type String is no secret. */
function judgeRequest({ node, view, surroundings: { companions, nodeOf } }: Subject): Verdict {
  for (const name of ['url', 'request_body', 'request_headers']) {
    const named = view ? knownViews(companions.namedBy(view, { types: ['aws_ssm_parameter'], link: name })) : [];
    const plain = named.filter((other) =>
      nodeOf(other)
        .children('type')
        .some(({ json }) => json === 'String'),
    );
    const sent = node.children(name).find(({ spot: { text } }) => {
      const secrets = plain.reduce(
        (rest, { type, name: own }) => rest.replaceAll(`${type}.${own}.value`, ''),
        text.replaceAll(INDEX, ''),
      );
      return SECRET_REFERENCE.test(secrets);
    });
    if (sent) return badAt(sent, name, `${name} contains a secret`);
  }
  return GOOD;
}
