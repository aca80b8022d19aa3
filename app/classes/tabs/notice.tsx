import type { loadNoticeTab } from './notice.server.ts';
import type { TabViewProps } from './tab.ts';
import styles from './tabs.module.css';

export function NoticeTab(_props: TabViewProps<typeof loadNoticeTab>) {
  return <p className={styles.empty}>暂无公告</p>;
}
