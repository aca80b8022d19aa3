/** The comment on an answer, with those that the grader wrote before. */
import { commentFault, commentLimit } from '#server/correction/rules.ts';
import { limitHint } from '../../ui/limit-hint.ts';
import { controlClass } from '../../ui/native-look.ts';
import styles from './grade-panel.module.css';
import { Fault, faultId, type PanelHandlers, type PartProps } from './panel-part.tsx';

export const commentField = 'review_comment';
const commentKeys = ['Q', 'W', 'E', 'R', 'T'];

interface CommentProps extends PartProps {
  /** What the grader wrote on this question before. */
  frequent: readonly string[];
  isLive: boolean;
  onComment: PanelHandlers['comment'];
}

export function Comment({ draft, fault, type, hints, frequent, isLive, onComment }: CommentProps) {
  const length = [...draft.review_comment].length;
  const tooLong = commentFault(draft.review_comment);
  const shown = fault ?? tooLong;
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
      {frequent.length > 0 && (
        <fieldset className={styles.comments} aria-label="常用评语">
          <span>常用评语</span>
          {frequent.map((comment, place) => (
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
              {hints && <kbd>{commentKeys[place]}</kbd>}
              <span>{comment}</span>
            </button>
          ))}
        </fieldset>
      )}
    </div>
  );
}
