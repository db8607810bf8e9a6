import { type AdapterOptions, type SentVariable, sentVariables } from 'salvo/kit/adapters';
import { SalvoError } from 'salvo/kit/text';

/**
 * What the owner of a worker lets runs send, besides the usual keys of providers to the providers themselves: all, or
 * `NAME` for programs and packages of providers, and `NAME=HOST` for a server.
 */
export type GrantedVariables = 'all' | readonly string[];

/**
 * Throws if an adapter or a scenario of a run would send a variable of this worker elsewhere than its owner allowed. Both
 * may come from anybody who can write to the database.
 */
export function refuseUngranted(
  { adapters, ofScenarios }: { adapters: Record<string, AdapterOptions>; ofScenarios: readonly SentVariable[] },
  { granted, env }: { granted: GrantedVariables; env: Record<string, string | undefined> },
): void {
  if (granted === 'all') return;
  const ofAdapters = Object.entries(adapters).flatMap(([name, options]) =>
    sentVariables(options, env).map((sent) => ({ by: `adapter ${name}`, ...sent })),
  );
  const all = [...ofAdapters, ...ofScenarios.map((sent) => ({ by: 'a scenario', ...sent }))];
  const refused = all.filter((sent) => sent.variable === null || !granted.includes(grantOf(sent)));
  if (refused.length === 0) return;
  const list = refused.slice(0, 20).map(({ by, variable, host }) => {
    const where = host === null ? '' : ` to ${host}`;
    if (variable !== null) return `  ${by}: the variable ${variable}${where}`;
    return `  ${by}: an unnamed key${where}; name its variable with api_key_env in salvo.yaml`;
  });
  const more = refused.length > list.length ? [`  and ${refused.length - list.length} more`] : [];
  const grants = [...new Set(refused.filter(({ variable }) => variable !== null).map(grantOf))].slice(0, 20);
  const start = grants.length === 0 ? '' : ` with \`salvo worker --env ${grants.join(' ')}\`, or`;
  throw new SalvoError(
    'VARIABLES_NOT_ALLOWED',
    [
      'The run sends variables that the owner of this worker did not allow:',
      ...[...list, ...more],
      `If that is right, start the worker${start} with \`salvo worker --env\` for all variables and servers.`,
    ].join('\n'),
  );
}

function grantOf({ variable, host }: SentVariable): string {
  return host === null ? `${variable}` : `${variable}=${host}`;
}
