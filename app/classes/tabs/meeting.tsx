import type { loadMeetingTab } from './meeting.server.ts';
import type { TabViewProps } from './tab.ts';
import styles from './tabs.module.css';

export function MeetingTab(_props: TabViewProps<typeof loadMeetingTab>) {
  return <p className={styles.empty}>暂无班会</p>;
}
