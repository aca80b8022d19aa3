import type { loadCoursesTab } from './courses.server.ts';
import type { TabViewProps } from './tab.ts';
import styles from './tabs.module.css';

export function CoursesTab(_props: TabViewProps<typeof loadCoursesTab>) {
  return <p className={styles.empty}>暂无课程</p>;
}
