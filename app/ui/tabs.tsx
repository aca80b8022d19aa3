/** Tabs as links. The address says which tab is open. */
import styles from './tabs.module.css';

export interface Tab {
  key: string;
  label: string;
  href: string;
  /** Number beside the label, such as the pending ones. */
  count?: number | undefined;
}

export function Tabs({ label, tabs, current }: { label: string; tabs: Tab[]; current: string }) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map(({ key, label: text, href, count }) => (
        <a key={key} href={href} aria-current={key === current ? 'page' : undefined}>
          {text}
          {count !== undefined && count > 0 && <span className={styles.count}>{count > 999 ? '999+' : count}</span>}
        </a>
      ))}
    </nav>
  );
}
