import { setTimeout as sleep } from 'node:timers/promises';

export interface GitHubApi {
  /** `body` is parsed JSON; null if there is none. Other statuses than 2xx are returned as well, except after retries. */
  request(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<{ status: number; body: unknown }>;
}

/** GitHub could not be reached, or did not answer in time, after several attempts. */
export class GitHubUnavailable extends Error {}

const MOST_ATTEMPTS = 4;
const LONGEST_WAIT_SECONDS = 60;
const TIMEOUT_MS = 30_000;

/** GitHub's REST API. Server errors and rate limits are tried again; a POST only if it had no effect. */
export function openGitHub(options: {
  url: string;
  token: string;
  wait?: (seconds: number) => Promise<void>;
}): GitHubApi {
  const { url, token, wait = async (seconds) => void (await sleep(seconds * 1000)) } = options;
  async function attempt(method: string, path: string, body: object | undefined) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'user-agent': 'salvo-action',
        'x-github-api-version': '2022-11-28',
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(text) };
  }
  return {
    async request(method, path, body) {
      for (let made = 1; ; made += 1) {
        const answer = await attempt(method, path, body).catch((error: unknown) => {
          return { status: 0, headers: new Headers(), body: String(error) };
        });
        const seconds = secondsToWait(answer, made);
        if (seconds === null) return { status: answer.status, body: answer.body };
        // A request that got no clear answer may have been carried out: whoever asks has to look first.
        if (method === 'POST' && !isRateLimit(answer)) throw new GitHubUnavailable(reason(answer.status));
        if (made === MOST_ATTEMPTS || seconds > LONGEST_WAIT_SECONDS)
          throw new GitHubUnavailable(reason(answer.status));
        await wait(seconds);
      }
    },
  };
}

interface Answer {
  status: number;
  headers: Headers;
}

/** Null if the answer is final. */
function secondsToWait(answer: Answer, attempts: number): number | null {
  const isTemporary = answer.status === 0 || answer.status >= 500 || isRateLimit(answer);
  if (!isTemporary) return null;
  const after = Number(answer.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(after) && after >= 0 ? after : 2 ** (attempts - 1);
}

function isRateLimit({ status, headers }: Answer): boolean {
  if (status === 429) return true;
  return status === 403 && (headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0');
}

function reason(status: number): string {
  return status === 0 ? 'GitHub could not be reached' : `GitHub answered with status ${status}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
