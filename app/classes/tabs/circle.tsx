import type { loadCircleTab } from './circle.server.ts';
import type { TabViewProps } from './tab.ts';
import styles from './tabs.module.css';

export function CircleTab(_props: TabViewProps<typeof loadCircleTab>) {
  return <p className={styles.empty}>暂无帖子</p>;
}
