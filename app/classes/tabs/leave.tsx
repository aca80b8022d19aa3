import type { loadLeaveTab } from './leave.server.ts';
import type { TabViewProps } from './tab.ts';
import styles from './tabs.module.css';

export function LeaveTab(_props: TabViewProps<typeof loadLeaveTab>) {
  return <p className={styles.empty}>暂无请假记录</p>;
}
