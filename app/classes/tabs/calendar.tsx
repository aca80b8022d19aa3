import type { loadCalendarTab } from './calendar.server.ts';
import type { TabViewProps } from './tab.ts';
import styles from './tabs.module.css';

export function CalendarTab(_props: TabViewProps<typeof loadCalendarTab>) {
  return <p className={styles.empty}>暂无课程安排</p>;
}
