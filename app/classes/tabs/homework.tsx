import type { loadHomeworkTab } from './homework.server.ts';
import type { TabViewProps } from './tab.ts';
import styles from './tabs.module.css';

export function HomeworkTab(_props: TabViewProps<typeof loadHomeworkTab>) {
  return <p className={styles.empty}>暂无作业</p>;
}
