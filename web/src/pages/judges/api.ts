import { useQuery } from '@tanstack/react-query';
import type { JudgeLine, JudgeView } from '../../../../src/app/view/judges/judge-view.ts';
import { getJson } from '../../api.ts';

export function useJudges() {
  return useQuery({ queryKey: ['judges'], queryFn: ({ signal }) => getJson<JudgeLine[]>('/judges', signal) });
}

export function useJudge(judgeHash: string) {
  const path = `/judges/${encodeURIComponent(judgeHash)}`;
  return useQuery({ queryKey: ['judge', path], queryFn: ({ signal }) => getJson<JudgeView>(path, signal) });
}
