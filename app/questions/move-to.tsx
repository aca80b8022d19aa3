/** Moves a question of a draft to a typed number. Works without client JS, as a button of the form around it. */
import { controlClass } from '../ui/control.ts';
import { rowActionClass } from '../ui/row-action.tsx';
import styles from './move-to.work.module.css';

interface MoveToProps {
  /** Name of the field with the number. */
  field: string;
  /** Value of the button. */
  intent: string;
  /** Number of the question now, such as `3`. */
  number: string;
  /** Address to which the form is sent. */
  here?: string | undefined;
  error?: string | undefined;
}

export const MoveTo = ({ field, intent, number, here, error }: MoveToProps) => (
  <details className={styles.move} open={error !== undefined}>
    <summary className={rowActionClass} aria-label={`移到：第${number}题`}>
      移到
    </summary>
    <span className={styles.place}>
      第
      <input
        type="text"
        inputMode="numeric"
        name={field}
        autoComplete="off"
        aria-label={`第${number}题移到第几题`}
        aria-invalid={error ? true : undefined}
        className={controlClass}
      />
      题
      <button
        type="submit"
        name="intent"
        value={intent}
        formAction={here}
        data-op={intent}
        className={rowActionClass}
        aria-label={`移动第${number}题到所填的位置`}
      >
        移动
      </button>
      {error && <span className={styles.error}>{error}</span>}
    </span>
  </details>
);
