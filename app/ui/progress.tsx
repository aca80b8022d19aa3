import styles from './progress.module.css';

/** Progress bar that shows `done` of `all`. */
export const Progress = ({ done, all }: { done: number; all: number }) => (
  <span className={styles.progress}>
    <progress value={done} max={all} aria-hidden="true" />
    {done}/{all}
  </span>
);
