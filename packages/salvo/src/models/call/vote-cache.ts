import { createHash, createHmac, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Cost } from '../../stats/cost.ts';
import { atLeastSchema } from '../../trace/cost-fields.ts';

const cachedVoteSchema = z.object({
  scores: z.record(
    z.string(),
    z.object({
      score: z.number().min(0).max(1),
      reasoning: z.string(),
      probabilities: z
        .array(z.object({ label: z.string(), score: z.number().min(0).max(1), probability: z.number().min(0).max(1) }))
        .optional(),
    }),
  ),
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  repaired: z.boolean(),
  /** What a simulated user said, which has no scores. `sha256` shows whether the text was redacted. */
  said: z.object({ text: z.string(), sha256: z.string() }).optional(),
  cost_usd: z.number().nullish(),
  cost_at_least: atLeastSchema.optional(),
  /** The run that paid for it. */
  paid_by: z.string().nullish(),
});

const voteFileSchema = z.object({ mac: z.string(), vote: z.unknown() });

export interface CachedVote extends z.infer<typeof cachedVoteSchema> {
  /** What the vote cost, if it has to be on the bill of the caller. Never stored. */
  unbilled?: Cost;
}

/** Cached votes, and messages of simulated users. A lost one only costs money, so the cache never fails: it only misses. */
export interface VoteCache {
  get(key: string): Promise<CachedVote | null>;
  set(key: string, vote: CachedVote): Promise<void>;
}

/** The key of a vote: of what is judged, of everything that could change the answer, and the number of the vote. */
export function voteKey(parts: Record<string, unknown>): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * The cache as one run sees it. A vote that the run paid for before its process was killed is on no bill yet. Votes of
 * other runs are free, and so are those that this process has cast.
 */
export function votesOfRun(cache: VoteCache, runId: string): VoteCache {
  const billed = new Set<string>();
  return {
    async get(key) {
      const vote = await cache.get(key);
      if (!vote || vote.paid_by !== runId || billed.has(key)) return vote;
      billed.add(key);
      return { ...vote, unbilled: { usd: vote.cost_usd ?? null, at_least: vote.cost_at_least } };
    },
    async set(key, vote) {
      billed.add(key);
      await cache.set(key, { ...vote, paid_by: runId });
    },
  };
}

/**
 * A cache in a folder, with one file for each vote. Any number of processes can share it. Each file is authenticated
 * with the user's key: a vote that somebody else wrote, such as in a pull request, is a miss.
 */
export function createVoteCache(options: {
  dir: string;
  withoutSecrets: <T>(value: T) => T;
  userKey: () => Promise<string>;
}): VoteCache {
  let userKey: Promise<string> | undefined;
  const fileOf = (key: string): string => join(options.dir, key.slice(0, 2), `${key.slice(2)}.json`);

  async function macOf(key: string, vote: unknown): Promise<string> {
    userKey ??= options.userKey();
    return createHmac('sha256', await userKey)
      .update(JSON.stringify([key, vote]))
      .digest('hex');
  }

  return {
    async get(key) {
      try {
        const file = voteFileSchema.parse(JSON.parse(await readFile(fileOf(key), 'utf8')));
        if (file.mac !== (await macOf(key, file.vote))) return null;
        return cachedVoteSchema.parse(file.vote);
      } catch {
        return null;
      }
    },
    async set(key, given) {
      const file = fileOf(key);
      const draft = `${file}.${randomBytes(4).toString('hex')}.tmp`;
      try {
        const created = await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        if (created !== undefined) await ignoreInGit(options.dir);
        const vote = options.withoutSecrets(given);
        await writeFile(draft, JSON.stringify({ mac: await macOf(key, vote), vote }));
        await rename(draft, file);
      } catch {
        // A full disk must not lose the vote that was just paid for.
        await rm(draft, { force: true }).catch(() => {});
      }
    },
  };
}

async function ignoreInGit(folder: string): Promise<void> {
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch(() => {});
}
