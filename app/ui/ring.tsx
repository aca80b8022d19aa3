/** A percentage as a ring with its number, rendered on the server. */
import styles from './ring.analysis.module.css';

interface RingProps {
  label: string;
  /** Whole percent. Null if there is nothing to count. */
  percent: number | null;
  /** The counts behind the percentage, such as `24/30`. */
  detail: string;
  tone?: 'accent' | 'good';
}

const radius = 40;
const length = 2 * Math.PI * radius;

export function Ring({ label, percent, detail, tone = 'accent' }: RingProps) {
  const shown = percent === null ? '-' : `${percent}%`;
  return (
    <div className={styles.ring} data-tone={tone} title={`${label} ${shown}（${detail}）`}>
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <circle className={styles.track} cx="50" cy="50" r={radius} />
        <circle
          className={styles.share}
          cx="50"
          cy="50"
          r={radius}
          strokeDasharray={`${(length * (percent ?? 0)) / 100} ${length}`}
          transform="rotate(-90 50 50)"
        />
      </svg>
      <p>
        <strong>{shown}</strong>
        <span>{label}</span>
      </p>
    </div>
  );
}
