/** The comment on an answer. Offers the grader's pinned comments and the grader's earlier comments on this question. */
import type { PinnedComments } from '#server/grading-desk/pinned-comments.contract.ts';
import { commentFault, commentKeys, commentLimit } from '#server/grading-desk/rules.ts';
import { controlClass } from '../../ui/control.ts';
import { limitHint } from '../../ui/limit-hint.ts';
import styles from './grade-panel.work.module.css';
import { Fault, faultId, type PanelHandlers, type PartProps } from './panel-part.tsx';

export const commentField = 'review_comment';

interface CommentProps extends PartProps {
  pinned: PinnedComments;
  /** The grader's earlier comments on this question. */
  frequent: readonly string[];
  isLive: boolean;
  onComment: PanelHandlers['comment'];
  onEdit: PanelHandlers['editComments'];
}

export function Comment({ draft, fault, type, hints, pinned, frequent, isLive, onComment, onEdit }: CommentProps) {
  const length = [...draft.review_comment].length;
  const tooLong = commentFault(draft.review_comment);
  const shown = fault ?? tooLong;
  const atKeys = commentKeys.flatMap((key) => (pinned[key] ? [{ key: key.toUpperCase(), comment: pinned[key] }] : []));
  const others = frequent.flatMap((comment) =>
    atKeys.some((one) => one.comment === comment) ? [] : [{ key: undefined, comment }],
  );
  return (
    <div className={styles.part}>
      <div className={styles.labelled}>
        <label htmlFor={commentField}>评语</label>
        <span className={styles.count} data-over={tooLong ? true : undefined}>
          {isLive ? `${length}/${commentLimit}` : limitHint(commentLimit, true)}
        </span>
      </div>
      <textarea
        id={commentField}
        name={commentField}
        rows={3}
        className={controlClass}
        aria-invalid={shown ? true : undefined}
        aria-describedby={shown ? faultId(commentField) : undefined}
        value={draft.review_comment}
        onChange={(event) => type({ review_comment: event.currentTarget.value })}
      />
      <Fault name={commentField} text={shown} />
      <fieldset className={styles.comments} aria-label="常用评语">
        <span>常用评语</span>
        {[...atKeys, ...others].map(({ key, comment }) => (
          <button
            key={comment}
            type="submit"
            name="intent"
            value={`comment ${comment}`}
            title={comment}
            aria-pressed={isLive ? draft.review_comment.split('\n').includes(comment) : undefined}
            onClick={(event) => {
              event.preventDefault();
              onComment(comment);
            }}
          >
            {hints && key && <kbd>{key}</kbd>}
            <span>{comment}</span>
          </button>
        ))}
        <button
          type="submit"
          name="intent"
          value="comments"
          onClick={(event) => {
            event.preventDefault();
            onEdit();
          }}
        >
          {atKeys.length > 0 ? '编辑' : '固定常用评语'}
        </button>
      </fieldset>
    </div>
  );
}
