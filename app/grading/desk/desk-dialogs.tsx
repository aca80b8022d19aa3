/** Dialogs of the hydrated desk: conflict, finish, shortcut list. */
import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { commentFault } from '#server/grading-desk/rules.ts';
import { isComposing } from '../../lib/composing.ts';
import { FinishFields } from '../finish-fields.tsx';
import { formatMark } from '../terms.ts';
import styles from './desk-dialogs.work.module.css';
import type { GradingStore } from './grading-store.ts';
import { keyList } from './keys.ts';
import type { PendingSave } from './save-queue.ts';

interface ModalProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/**
 * Modal dialog; Escape closes it. Focuses itself unless an element with `data-focus` takes the focus, so that an Enter
 * meant for the panel presses no button of the dialog.
 */
export function Modal({ title, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    const wanted = element?.querySelector<HTMLElement>('[data-focus]') ?? element;
    wanted?.focus();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.modal}
      aria-label={title}
      tabIndex={-1}
      onKeyDown={(event) => {
        // Key repeat of the Enter that opened the dialog must not press its buttons.
        if (event.repeat && event.key === 'Enter') event.preventDefault();
      }}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

/** Shows the grades of both graders after a conflict and lets this grader choose. */
export function ConflictDialog({
  store,
  pending,
  rated,
  onLater,
}: {
  store: GradingStore;
  pending: PendingSave;
  rated: boolean;
  onLater: () => void;
}) {
  const { conflict, save, id, label } = pending;
  if (!conflict || save.kind !== 'mark') return null;
  const mine = save.type === 2 ? Number(save.user_score) : null;
  return (
    <Modal title="该题已由他人批改" onClose={onLater}>
      <p>
        {label}：在您批改期间，<strong>{conflict.by_me ? '您在另一页面' : conflict.name || '他人'}</strong>已保存评分。
      </p>
      <dl className={styles.marks}>
        <div>
          <dt>{conflict.by_me ? '另一页面' : conflict.name || '现有评分'}</dt>
          <dd>{formatMark(rated, conflict.user_score)}</dd>
        </div>
        <div>
          <dt>您的评分</dt>
          <dd>{formatMark(rated, mine)}</dd>
          {save.review_comment && <dd className={styles.said}>{save.review_comment}</dd>}
        </div>
      </dl>
      <div className={styles.actions}>
        <Button type="button" variant="default" onClick={onLater}>
          稍后决定
        </Button>
        <Button type="button" variant="default" onClick={() => store.keepTheirs(id)}>
          保留{conflict.by_me ? '已保存' : '对方'}的评分
        </Button>
        <Button type="button" onClick={() => store.keepMine(id)}>
          使用我的评分
        </Button>
      </div>
    </Modal>
  );
}

export function FinishDialog({
  nickname,
  comment: kept,
  onType,
  onFinish,
  onClose,
}: {
  nickname: string;
  /** Comment that was typed before the dialog was closed or the page was left. */
  comment: string;
  onType: (comment: string) => void;
  onFinish: (comment: string) => void;
  onClose: () => void;
}) {
  const text = useRef<HTMLTextAreaElement>(null);
  const [fault, setFault] = useState<string>();
  const finish = () => {
    const comment = (text.current?.value ?? '').trim();
    const tooLong = commentFault(comment);
    if (tooLong === undefined) onFinish(comment);
    else setFault(tooLong);
  };
  return (
    <Modal title="完成批改" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          finish();
        }}
      >
        <FinishFields
          nickname={nickname}
          // An id different from the page's: the panel below has a comment field too.
          id="finish-comment"
          ref={text}
          defaultValue={kept}
          error={fault}
          errorProps={{ role: 'alert' }}
          onInput={(event) => onType(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (isComposing(event.nativeEvent)) return;
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
            event.preventDefault();
            finish();
          }}
        />
        <div className={styles.actions}>
          <Button type="button" variant="default" onClick={onClose}>
            取消
          </Button>
          <Button type="submit" data-focus>
            完成批改
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** List of the keyboard shortcuts, opened by `?`. */
export function KeysDialog({
  rated,
  on,
  onSwitch,
  onClose,
}: {
  rated: boolean;
  on: boolean;
  onSwitch: (on: boolean) => void;
  onClose: () => void;
}) {
  return (
    <Modal title="快捷键" onClose={onClose}>
      <table className={styles.keys}>
        <tbody>
          {keyList(rated).map(([keys, meaning]) => (
            <tr key={keys}>
              <th scope="row">
                <kbd>{keys}</kbd>
              </th>
              <td>{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <label>
          <input type="checkbox" checked={on} onChange={(event) => onSwitch(event.currentTarget.checked)} />{' '}
          启用快捷键（输入文字时不起作用）
        </label>
      </p>
      <div className={styles.actions}>
        <Button type="button" onClick={onClose}>
          关闭
        </Button>
      </div>
    </Modal>
  );
}
