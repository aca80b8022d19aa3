/** One thing that can be done with a row: a link, or a button of the form that the list stands in. */
import { rowAction } from './native-look.ts';

interface ActionLabel {
  label: string;
  /** What it is done to, for those who do not see the row. */
  of: string;
}

interface ActionLink {
  href: string;
  intent?: undefined;
  /** Why it cannot be done. */
  fault?: string | null | undefined;
}

interface ActionButton {
  href?: undefined;
  /** What the form is told that it sends. */
  intent: string;
  fault?: string | null | undefined;
}

/** What cannot be done whatever the row. */
interface ActionRefused {
  href?: undefined;
  intent?: undefined;
  fault: string;
}

export type RowActionProps = ActionLabel & (ActionLink | ActionButton | ActionRefused);

export function RowAction({ label, of, href, intent, fault }: RowActionProps) {
  const name = `${label}：${of}`;
  if (fault) {
    return (
      <button type="button" className={rowAction} disabled title={fault} aria-label={name}>
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
