import type { RunningViewer } from '../packages/salvo/src/server/serve-viewer.ts';
import { median } from './measure-process.ts';

const IDLE_REQUESTS = 20;

/**
 * Whether a viewer goes on answering while it compares its two newest runs. Other requests are sent one after
 * the other until the comparison is there; the longest of them is compared with the same request to an idle viewer.
 */
export async function benchComparisonBeside(viewer: RunningViewer): Promise<string> {
  const entered = await fetch(viewer.url, { redirect: 'manual' });
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const timeOf = async (path: string): Promise<number> => {
    const started = performance.now();
    const response = await fetch(`${viewer.origin}/api${path}`, { headers: { cookie } });
    if (!response.ok) throw new Error(`The viewer answered ${response.status} to ${path}.`);
    await response.arrayBuffer();
    return performance.now() - started;
  };
  const listed = await fetch(`${viewer.origin}/api/runs`, { headers: { cookie } });
  const [next, base] = ((await listed.json()) as { runs: { run_id: string }[] }).runs.map(({ run_id }) => run_id);
  const other = `/runs/${next}/outcomes?limit=20`;
  const idle: number[] = [];
  for (let count = 0; count < IDLE_REQUESTS; count += 1) idle.push(await timeOf(other));
  let isDone = false;
  const comparison = timeOf(`/compare?run=${base}&run=${next}`).finally(() => {
    isDone = true;
  });
  const beside: number[] = [];
  while (!isDone) beside.push(await timeOf(other));
  const compared = await comparison;
  const again = await timeOf(`/compare?run=${base}&run=${next}`);
  const ratio = Math.max(...beside) / median(idle);
  return `a comparison of 10000 with 2000 trials takes ${(compared / 1000).toFixed(2)} s, and ${again.toFixed(0)} ms the second time; meanwhile ${beside.length} other requests are answered, the longest in ${Math.max(...beside).toFixed(0)} ms: ${ratio.toFixed(1)} times the median of an idle viewer (${median(idle).toFixed(1)} ms)`;
}
