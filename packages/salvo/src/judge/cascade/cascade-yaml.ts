import type { CalibratedStage } from './cascade-calibration.ts';

/** The cascade to paste into an assertion. Null if fewer than two stages are left. */
export function cascadeYaml(stages: readonly CalibratedStage[], people: boolean): string | null {
  const lines = stages.flatMap(({ judge_adapter, judge_model, mode, k, sure }) => {
    if (sure === 'none' || sure === null) return [];
    const fields = [
      ['adapter', plain(judge_adapter)],
      ['model', plain(judge_model)],
      mode === 'decide' ? ['mode', mode] : ['k', String(k)],
      ...(sure === 'all' ? [] : [['sure', String(sure)]]),
    ];
    return [fields.map(([key, value]) => `${key}: ${value}`).join(', ')];
  });
  const all = [...lines, ...(people ? ['people: true'] : [])];
  return all.length < 2 ? null : ['cascade:', ...all.map((line) => `  - { ${line} }`)].join('\n');
}

/** In quotes unless it can't be mistaken for anything else. */
function plain(text: string): string {
  return /^[A-Za-z][\w./-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
