import styles from './progress.module.css';

/** How far something is: `done` of `all`. */
export const Progress = ({ done, all }: { done: number; all: number }) => (
  <span className={styles.progress}>
    <progress value={done} max={all} aria-hidden="true" />
    {done}/{all}
  </span>
);
