import type { Circle } from '#server/community/contract.ts';
import styles from './member.posts.module.css';

/** Picture of a circle (圈子), or the first character of its name. */
export function CircleImage({ circle }: { circle: Pick<Circle, 'image' | 'name'> }) {
  return circle.image ? (
    <img src={circle.image} alt="" className={styles.image} />
  ) : (
    <span className={styles.image} aria-hidden="true">
      {[...circle.name][0]}
    </span>
  );
}
