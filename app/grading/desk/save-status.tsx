/** Save status. It is always visible, so that no lost save goes unnoticed. */

import styles from './grading-desk.work.module.css';
import type { GradingStore } from './grading-store.ts';
import type { PendingSave } from './save-queue.ts';

const words: Record<ReturnType<GradingStore['saveState']>, string> = {
  clean: '',
  dirty: '未保存',
  waiting: '正在保存…',
  saving: '正在保存…',
  saved: '已保存',
  failed: '保存失败，将自动重试',
  'signed-out': '尚未保存，请重新登录',
  conflict: '他人已批改，请选择',
  refused: '未能保存',
};

export function SaveStatus({ store }: { store: GradingStore }) {
  const state = store.saveState();
  return (
    <span className={styles.saveState} data-state={state} role="status">
      {words[state]}
    </span>
  );
}

interface PendingBarProps {
  store: GradingStore;
  pending: readonly PendingSave[];
  signInHref: string;
  /** Ids of saves in conflict that the grader decides later. `onChoose` opens their dialog. */
  postponedIds: readonly string[];
  onChoose: () => void;
}

/** Lists failed saves of all answers, each with a button to retry, choose, sign in or dismiss. */
export function PendingBar({ store, pending, signInHref, postponedIds, onChoose }: PendingBarProps) {
  const unsettled = pending.filter(({ id, state }) => state === 'conflict' && postponedIds.includes(id));
  const failed = pending.filter(({ state }) => state === 'failed');
  const refused = pending.filter(({ state }) => state === 'refused');
  const signedOut = pending.find(({ state }) => state === 'signed-out');
  return (
    <div aria-live="assertive">
      {signedOut && (
        <p className={styles.bar}>
          {signedOut.message}。{pending.length} 项批改已保留在本机，
          <a href={signInHref}>重新登录</a>后会回到这里并自动保存。
          <button type="button" onClick={() => store.retry()}>
            已登录，重试
          </button>
        </p>
      )}
      {failed.length > 0 && (
        <p className={styles.bar}>
          {failed.length} 项批改保存失败（{failed[0]?.message ?? '网络不可用'}），已保留在本机，正在自动重试。
          <button type="button" onClick={() => store.retry()}>
            重试
          </button>
        </p>
      )}
      {unsettled.length > 0 && (
        <p className={styles.bar}>
          {unsettled.length} 题的评分与他人不同，尚未选择，选择前不会保存，也不能完成该份的批改。
          <button type="button" onClick={onChoose}>
            现在选择
          </button>
        </p>
      )}
      {refused.map(({ id, label, message }) => (
        <p key={id} className={styles.bar}>
          {label}未能保存：{message}
          <button type="button" onClick={() => store.dismiss(id)}>
            知道了
          </button>
        </p>
      ))}
    </div>
  );
}
