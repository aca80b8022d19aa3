/** One thing that can be done with a row: a link, or a button of the form that the list stands in. */
import { rowAction } from './button.tsx';

export interface RowActionProps {
  label: string;
  /** What it is done to, for those who do not see the row. */
  of?: string;
  href?: string;
  /** Of a button that sends the form, where it is no link. */
  intent?: string;
  /** Why it cannot be done. */
  fault?: string | null | undefined;
}

export function RowAction({ label, of, href, intent, fault }: RowActionProps) {
  const name = of === undefined ? undefined : `${label}：${of}`;
  if (fault) {
    return (
      <button type="button" className={rowAction} disabled title={fault}>
        {label}
      </button>
    );
  }
  if (intent) {
    return (
      <button type="submit" className={rowAction} name="intent" value={intent} aria-label={name}>
        {label}
      </button>
    );
  }
  return (
    <a className={rowAction} href={href} aria-label={name}>
      {label}
    </a>
  );
}
