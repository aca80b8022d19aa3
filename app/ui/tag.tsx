/** One word about the state of a thing. The word says it; the colour only helps to find it. */
import styles from './tag.module.css';

/** `outlined` is a plain one on a plain ground, such as a row of a list. */
export type TagTone = 'plain' | 'outlined' | 'accent' | 'good' | 'warn' | 'bad';

export function Tag({ tone = 'plain', strong, children }: { tone?: TagTone; strong?: boolean; children: string }) {
  return (
    <span className={styles.tag} data-tone={tone} data-strong={strong || undefined}>
      {children}
    </span>
  );
}
