/** Offers what was filled in before and not published. */
import { buttonClass } from '../../ui/button.tsx';
import styles from './publish.module.css';
import type { LocalDraft } from './use-local-draft.ts';

export function LocalDraftOffer({ offered, restore, discard }: Pick<LocalDraft, 'offered' | 'restore' | 'discard'>) {
  if (!offered) return null;
  const { name, questions } = offered.form;
  const savedAt = new Intl.DateTimeFormat('zh-CN', { dateStyle: 'medium', timeStyle: 'short' }).format(offered.savedAt);
  return (
    <section className={styles.offer} aria-label="未发布的草稿" role="alert">
      <p>
        有一份未发布的草稿（{savedAt}，{name ? `“${name}”，` : ''}
        {questions.length} 题）。处理之前，新的修改不会自动保存。
      </p>
      <button type="button" className={buttonClass('primary')} onClick={restore}>
        恢复草稿
      </button>
      <button type="button" className={buttonClass('plain')} onClick={discard}>
        放弃草稿
      </button>
    </section>
  );
}
