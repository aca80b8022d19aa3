/** Actions of a row: links, or buttons of the form around the list. */
import styles from './row-action.module.css';

/** Class of a small action, for links and buttons. */
export const rowActionClass = styles.row ?? '';

interface ActionLabel {
  label: string;
  /** Name of the row, for screen readers. */
  recordName: string;
  /** True for a destructive action. It is red and the last one in the menu. */
  danger?: boolean | undefined;
  /** True to place the action beside the first one instead of in the menu. */
  beside?: boolean | undefined;
}

interface ActionLink {
  href: string;
  intent?: undefined;
  /** Reason why the action is disabled. */
  fault?: string | null | undefined;
}

interface ActionButton {
  href?: undefined;
  intent: string;
  fault?: string | null | undefined;
}

/** An action that is disabled for every row. */
interface ActionRefused {
  href?: undefined;
  intent?: undefined;
  fault: string;
}

export type RowActionProps = ActionLabel & (ActionLink | ActionButton | ActionRefused);

export function RowAction({
  label,
  recordName,
  danger,
  href,
  intent,
  fault,
  main,
}: RowActionProps & { main?: boolean }) {
  const name = `${label}：${recordName}`;
  const look = main ? `${rowActionClass} ${styles.main}` : rowActionClass;
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
 * The actions of a row. The first one is the primary action. A second one is beside it; several are in a menu,
 * destructive ones last. A menu that has only disabled actions does not open.
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
      {inMenu.length > 0 && <Menu recordName={main.recordName} actions={inMenu} />}
    </div>
  );
}

function Menu({ recordName, actions }: { recordName: string; actions: RowActionProps[] }) {
  const label = `更多：${recordName}`;
  if (actions.every(({ fault }) => fault)) {
    const why = actions.map((one) => `${one.label}：${one.fault}`).join('；');
    return (
      <button type="button" className={`${rowActionClass} ${styles.sign}`} disabled title={why} aria-label={label} />
    );
  }
  return (
    // Menus with the same `name` close each other, where browsers support it. A click elsewhere closes the menu too
    // (row-action.module.css, menus.ts).
    <details className={styles.menu} name="menu">
      <summary className={`${rowActionClass} ${styles.sign}`} aria-label={label} title="更多" />
      <div>
        {actions.map((action) => (
          <RowAction key={action.label} {...action} />
        ))}
      </div>
    </details>
  );
}
