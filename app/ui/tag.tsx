/** One word about the state of a thing. The word says it; the colour only helps to find it. */
import styles from './tag.module.css';

export type TagTone = 'plain' | 'accent' | 'good' | 'warn' | 'bad';

export function Tag({ tone = 'plain', strong, children }: { tone?: TagTone; strong?: boolean; children: string }) {
  return (
    <span className={styles.tag} data-tone={tone} data-strong={strong || undefined}>
      {children}
    </span>
  );
}
