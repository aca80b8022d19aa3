import type { loadStudentsTab } from './students.server.ts';
import type { TabViewProps } from './tab.ts';
import styles from './tabs.module.css';

export function StudentsTab(_props: TabViewProps<typeof loadStudentsTab>) {
  return <p className={styles.empty}>暂无学员</p>;
}
