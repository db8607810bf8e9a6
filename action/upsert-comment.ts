import { type GitHubApi, GitHubUnavailable } from './github-api.ts';

export type CommentOutcome = 'created' | 'updated' | 'not allowed';

export interface CommentTarget {
  /** `owner/name` */
  repository: string;
  pullRequest: number;
  /** Begins every comment of this job. It is not shown. */
  marker: string;
}

const PAGE = 100;
const MOST_PAGES = 100;
const MOST_ATTEMPTS = 3;

/** Updates the comment of this job on a pull request, or creates it. */
export async function upsertComment(api: GitHubApi, target: CommentTarget, body: string): Promise<CommentOutcome> {
  for (let made = 1; ; made += 1) {
    try {
      const existing = await findComment(api, target);
      const issues = `/repos/${target.repository}/issues`;
      const answer =
        existing === null
          ? await api.request('POST', `${issues}/${target.pullRequest}/comments`, { body })
          : await api.request('PATCH', `${issues}/comments/${existing}`, { body });
      if (answer.status === 201) return 'created';
      if (answer.status === 200) return 'updated';
      // Somebody deleted it meanwhile.
      if (answer.status === 404 && existing !== null && made < MOST_ATTEMPTS) continue;
      return refused(answer.status);
    } catch (error) {
      // The comment may have been created although the answer got lost: it is looked for again.
      if (!(error instanceof GitHubUnavailable) || made === MOST_ATTEMPTS) throw error;
    }
  }
}

function refused(status: number): CommentOutcome {
  // 401 and 403: the token may only read. 404: it may not even see that.
  if (status === 401 || status === 403 || status === 404) return 'not allowed';
  throw new Error(`GitHub refused the comment with status ${status}.`);
}

/** Only of the same author: anybody can write a comment that begins with the marker. */
async function findComment(api: GitHubApi, target: CommentTarget): Promise<number | null> {
  const author = await ownLogin(api);
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const path = `/repos/${target.repository}/issues/${target.pullRequest}/comments?per_page=${PAGE}&page=${page}`;
    const { status, body } = await api.request('GET', path);
    if (status !== 200 || !Array.isArray(body)) return null;
    const found = body.map(readComment).find((comment) => {
      const isOurs = author === null ? comment.isBot : comment.login === author;
      return isOurs && comment.body.startsWith(target.marker);
    });
    if (found) return found.id;
    if (body.length < PAGE) return null;
  }
  return null;
}

/** The login of a personal token; null for the token of a workflow or an app, which has no user: it writes as a bot. */
async function ownLogin(api: GitHubApi): Promise<string | null> {
  const { status, body } = await api.request('GET', '/user');
  const login = status === 200 ? field(body, 'login') : null;
  return typeof login === 'string' ? login : null;
}

function readComment(value: unknown) {
  const [id, body, user] = [field(value, 'id'), field(value, 'body'), field(value, 'user')];
  return {
    id: typeof id === 'number' ? id : -1,
    body: typeof body === 'string' ? body : '',
    login: field(user, 'login'),
    isBot: field(user, 'type') === 'Bot',
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
