import { existsSync, readFileSync } from 'node:fs';
import { commentBody, commentMarker } from './comment-body.ts';
import { openGitHub } from './github-api.ts';
import { readEventFile } from './pull-request.ts';
import { upsertComment } from './upsert-comment.ts';
import { addToSummary, annotate } from './workflow-output.ts';

/** Comments on the pull request. Whatever happens here, the verdict stays what it is. */
const { env } = process;

try {
  await main();
} catch (error) {
  annotate('warning', `The pull request has no comment: ${error instanceof Error ? error.message : String(error)}`);
}

async function main(): Promise<void> {
  const event = readEventFile(env.GITHUB_EVENT_PATH);
  if (event.pullRequest === null) {
    process.stdout.write(`No comment: the event ${env.GITHUB_EVENT_NAME ?? ''} has no pull request.\n`);
    return;
  }
  const marker = commentMarker(env.SALVO_COMMENT_KEY || `${env.GITHUB_WORKFLOW ?? ''}/${env.GITHUB_JOB ?? ''}`);
  const summary = env.SALVO_SUMMARY && existsSync(env.SALVO_SUMMARY) ? readFileSync(env.SALVO_SUMMARY, 'utf8') : null;
  const body = commentBody({ marker, summary, ...context() });
  const api = openGitHub({
    url: env.GITHUB_API_URL ?? 'https://api.github.com',
    token: env.SALVO_GITHUB_TOKEN ?? '',
  });
  const target = { repository: env.GITHUB_REPOSITORY ?? '', pullRequest: event.pullRequest, marker };
  const outcome = await upsertComment(api, target, body);
  if (outcome !== 'not allowed') {
    process.stdout.write(`The comment was ${outcome}.\n`);
    return;
  }
  const why = event.isFork
    ? 'The pull request comes from a fork, whose token may not write comments'
    : 'The token may not write comments (permission pull-requests: write)';
  annotate('notice', `${why}. The result is in the summary of the workflow run.`);
  addToSummary(`_${why}, so the result is only here._`, env);
}

function context() {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID, GITHUB_SHA = '' } = env;
  return {
    command: env.SALVO_COMMAND || 'run',
    exitCode: env.SALVO_EXIT_CODE || '3',
    runUrl: `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`,
    sha: GITHUB_SHA,
  };
}
