import { z } from 'zod';

export interface NameQuestion {
  name: string;
  /** The address of the npm registry. */
  registry: string;
  /** Who would publish: the name of the account, if somebody is logged in. */
  user: string | null;
  /** The `repository` of package.json, if there is one. */
  repository: string | null;
}

export interface NameAnswer {
  status: 'free' | 'ours' | 'taken' | 'unknown';
  message: string;
}

const repositorySchema = z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]);

const packageSchema = z.object({
  maintainers: z.array(z.object({ name: z.string() })).default([]),
  repository: repositorySchema.nullable().catch(null).default(null),
});

/** Asks the registry whether a package of this name can be published by us. What cannot be known is not called free. */
export async function askForPackageName({ name, registry, user, repository }: NameQuestion): Promise<NameAnswer> {
  const address = `${registry.replace(/\/$/, '')}/${name.replace('/', '%2F')}`;
  const unknown = (why: string): NameAnswer => ({
    status: 'unknown',
    message: `Whether the package name "${name}" is free could not be found out: ${why}. Nothing should be published before that is known.`,
  });
  let document: z.infer<typeof packageSchema>;
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(30_000) });
    if (response.status === 404) {
      const caution = name.startsWith('@')
        ? 'The scope must be an organisation or an account of yours.'
        : 'npm may still refuse a name that is too similar to another one, and somebody else may take it first.';
      return { status: 'free', message: `"${name}" is free on ${registry}. ${caution}` };
    }
    if (!response.ok) return unknown(`${address} answered ${response.status}`);
    const parsed = packageSchema.safeParse(await response.json());
    if (!parsed.success) return unknown(`${address} did not answer with a package`);
    document = parsed.data;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return unknown(`${address}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  const maintainers = document.maintainers.map((maintainer) => maintainer.name);
  if (user !== null && maintainers.includes(user)) {
    return { status: 'ours', message: `"${name}" is ours: ${user} is a maintainer.` };
  }
  if (repository !== null && document.repository !== null && sameRepository(repository, document.repository)) {
    return { status: 'ours', message: `"${name}" is ours: it is published from ${repository}.` };
  }
  return {
    status: 'taken',
    message: `"${name}" belongs to somebody else (${maintainers.join(', ') || 'nobody is named'}). Log in with \`npm login\` if that is you. Otherwise publish under a scope of your own, such as @salvo-eval/salvo: docs/decisions/0021-the-package-name.md says what to change.`,
  };
}

function sameRepository(one: string, other: string): boolean {
  const place = (url: string): string =>
    url
      .replace(/^git\+/, '')
      .replace(/^(?:https?|git|ssh):\/\/(?:[^@/]+@)?/, '')
      .replace(/^git@([^:]+):/, '$1/')
      .replace(/(?:\.git)?\/?$/, '')
      .toLowerCase();
  return place(one) === place(other);
}
