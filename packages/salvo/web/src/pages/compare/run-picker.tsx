import { formatPercent } from '../../../../src/stats/format.ts';
import { useRuns } from '../../api.ts';
import { formatTime } from '../../format-time.ts';

interface RunPickerProps {
  name: string;
  value: string;
  onChoose: (run: string) => void;
}

/** A choice of stored runs. A value that is not among the newest ones is kept. */
export function RunPicker({ name, value, onChoose }: RunPickerProps) {
  const runs = useRuns({ filter: '', sort: 'created', order: 'descending' });
  const lines = runs.data?.pages.flatMap((page) => page.runs) ?? [];
  const models = (source: string) => [
    ...new Set(lines.find(({ run_id }) => run_id === source)?.scenarios.map(({ model }) => model)),
  ];
  const [run = ''] = value.split('@');
  const choices = lines.flatMap((line) => {
    const names = [...new Set(line.scenarios.map((each) => each.name))];
    const what = `${line.run_id.slice(0, 10)} · ${formatTime(line.created_at)} · ${formatPercent(line.pass_rate)} · ${names.slice(0, 2).join(', ')}${names.length > 2 ? ', …' : ''}`;
    const own = models(line.run_id);
    const ofModels =
      own.length > 1 ? own.map((model) => ({ value: `${line.run_id}@${model}`, text: `${what} · only ${model}` })) : [];
    return [{ value: line.run_id, text: what }, ...ofModels];
  });
  const isListed = choices.some((choice) => choice.value === value);
  return (
    <label>
      <span className="visually-hidden">{name}</span>
      <select value={value} onChange={({ target }) => onChoose(target.value)} title={run}>
        {!isListed && <option value={value}>{value}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.text}
          </option>
        ))}
      </select>
    </label>
  );
}
