import type { loadStudyTab } from './study.server.ts';
import type { TabViewProps } from './tab.ts';
import styles from './tabs.module.css';

export function StudyTab(_props: TabViewProps<typeof loadStudyTab>) {
  return <p className={styles.empty}>暂无学习数据</p>;
}
