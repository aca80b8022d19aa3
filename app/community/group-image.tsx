import type { Group } from '#server/community/contract.ts';
import styles from './member.posts.module.css';

/** Picture of a community group (圈子), or the first character of its name. */
export function GroupImage({ group }: { group: Pick<Group, 'image' | 'name'> }) {
  return group.image ? (
    <img src={group.image} alt="" className={styles.image} />
  ) : (
    <span className={styles.image} aria-hidden="true">
      {[...group.name][0]}
    </span>
  );
}
