/** What can be done with a row: a link, or a button of the form that the list stands in. */
import styles from './row-action.module.css';

/** Look of a small action, for links and buttons. */
export const rowAction = styles.row ?? '';

interface ActionLabel {
  label: string;
  /** What it is done to, for those who do not see the row. */
  of: string;
  /** It takes something away: the last of a menu, and red. */
  danger?: boolean | undefined;
  /** Stands beside the first, not in the menu. */
  beside?: boolean | undefined;
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

export function RowAction({ label, of, danger, href, intent, fault, main }: RowActionProps & { main?: boolean }) {
  const name = `${label}：${of}`;
  const look = main ? `${rowAction} ${styles.main}` : rowAction;
  if (fault) {
    return (
      <button type="button" className={look} disabled title={fault} aria-label={name}>
        {label}
      </button>
    );
  }
  if (intent) {
    return (
      <button type="submit" className={look} name="intent" value={intent} aria-label={name} data-danger={danger}>
        {label}
      </button>
    );
  }
  return (
    <a className={look} href={href} aria-label={name} data-danger={danger}>
      {label}
    </a>
  );
}

/**
 * The first is the one that most people come for. One more stands beside it, several in a menu, dangerous ones last. A menu
 * of nothing that can be done does not open.
 */
export function RowActions({ actions }: { actions: RowActionProps[] }) {
  const [main, ...others] = [...actions].sort((one, other) => Number(one.danger ?? 0) - Number(other.danger ?? 0));
  if (!main) return null;
  const beside = others.length === 1 ? others[0] : others.find((one) => one.beside);
  const inMenu = others.filter((one) => one !== beside);
  return (
    <div className={styles.actions}>
      <RowAction {...main} main />
      {beside && <RowAction {...beside} />}
      {inMenu.length > 0 && <Menu of={main.of} actions={inMenu} />}
    </div>
  );
}

function Menu({ of, actions }: { of: string; actions: RowActionProps[] }) {
  const label = `更多：${of}`;
  if (actions.every(({ fault }) => fault)) {
    const why = actions.map((one) => `${one.label}：${one.fault}`).join('；');
    return <button type="button" className={`${rowAction} ${styles.sign}`} disabled title={why} aria-label={label} />;
  }
  return (
    // One menu at a time where the browser knows how; a click beside it closes it (row-action.module.css, menus.ts).
    <details className={styles.menu} name="menu">
      <summary className={`${rowAction} ${styles.sign}`} aria-label={label} title="更多" />
      <div>
        {actions.map((action) => (
          <RowAction key={action.label} {...action} />
        ))}
      </div>
    </details>
  );
}
