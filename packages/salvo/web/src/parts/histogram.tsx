import styles from './histogram.module.css';

const [WIDTH, HEIGHT, BINS] = [320, 80, 20];

interface HistogramProps {
  name: string;
  values: number[];
  format: (value: number) => string;
  range?: [number, number];
}

/** How often values occur. The range is theirs unless one is given. */
export function Histogram({ name, values, format, range }: HistogramProps) {
  const [low, high] = range ?? [smallest(values), largest(values)];
  const counts = Array.from({ length: BINS }, () => 0);
  for (const value of values) {
    const bin = high === low ? 0 : Math.min(BINS - 1, Math.floor(((value - low) / (high - low)) * BINS));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const most = largest(counts);
  const width = WIDTH / BINS;
  return (
    <figure className={styles.figure}>
      <figcaption className="soft fine">{name}</figcaption>
      {values.length === 0 ? (
        <p className="soft">unknown</p>
      ) : (
        <>
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            role="img"
            aria-label={`${name}: ${values.length} values from ${format(low)} to ${format(high)}`}
          >
            {counts.map((count, bin) => {
              const height = most === 0 ? 0 : (count / most) * (HEIGHT - 2);
              const x = bin * width + 1;
              return (
                <rect key={x} x={x} width={width - 2} y={HEIGHT - height} height={height} className={styles.bar} />
              );
            })}
            <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className={styles.axis} />
          </svg>
          <div className="ends soft fine">
            <span>{format(low)}</span>
            <span>{format(high)}</span>
          </div>
        </>
      )}
    </figure>
  );
}

function smallest(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), values[0] ?? 0);
}

function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), values[0] ?? 0);
}
