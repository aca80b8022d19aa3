import type { loadCoursewareTab } from './courseware.server.ts';
import type { TabViewProps } from './tab.ts';
import styles from './tabs.module.css';

export function CoursewareTab(_props: TabViewProps<typeof loadCoursewareTab>) {
  return <p className={styles.empty}>暂无课件</p>;
}
