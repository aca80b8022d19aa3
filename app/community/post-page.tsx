/** One post with its pictures and comments, and what one does with it: CommunityShow and CommunityDetail. */
import type { PostWithComments } from '#server/community/contract.ts';
import { commentLimit } from '#server/community/rules.ts';
import { formatTime } from '../lib/dates.ts';
import type { ListView } from '../lib/screen.ts';
import type { Refused } from '../shell/dialog-action.server.ts';
import { useTimezone } from '../shell/use-school.ts';
import { buttonClass } from '../ui/button.tsx';
import { Draft } from '../ui/draft.tsx';
import { controlClass, Field } from '../ui/field.tsx';
import { Pager } from '../ui/pager.tsx';
import { Screen } from '../ui/screen.tsx';
import styles from './post.module.css';
import { Author, Pictures } from './post-card.tsx';
import { postDeletion, postReport, postsHref } from './screens.ts';

interface PostPageProps {
  post: PostWithComments;
  back: { label: string; href: string };
  idempotencyKey: string;
  refused: Refused | undefined;
  /** The post with its comments, as the address shows them. */
  view: ListView;
}

export function PostPage(props: PostPageProps) {
  const { post, back, view, refused } = props;
  const timezone = useTimezone();
  return (
    <Screen title={`${post.nickname}的帖子`}>
      <p className={styles.toolbar}>
        <a href={back.href} className={buttonClass('plain')}>
          返回{back.label}
        </a>
      </p>
      <article className={styles.whole} id="post">
        <div className={styles.head}>
          <Author {...post} />
          <span className={styles.group}>{post.group_name}</span>
          <time>{formatTime(post.created_at, timezone)}</time>
        </div>
        <p className={styles.content}>{post.content}</p>
        <Pictures images={post.images} />
        {refused && !refused.errors?.content && (
          <p className={styles.reported} role="alert">
            {refused.msg}
          </p>
        )}
        <Deeds post={post} here={view.here} />
      </article>
      <Comments {...props} />
    </Screen>
  );
}

function Deeds({ post, here }: { post: PostWithComments; here: string }) {
  const isLiked = post.is_like === 1;
  const isCollected = post.collect_id > 0;
  return (
    <form method="post" action={here} className={styles.deeds}>
      <input type="hidden" name="collect_id" value={post.collect_id} />
      <button type="submit" name="deed" value={isLiked ? 'unlike' : 'like'} className={buttonClass('plain')}>
        {isLiked ? '取消点赞' : '点赞'} {post.like_num}
      </button>
      <button type="submit" name="deed" value={isCollected ? 'uncollect' : 'collect'} className={buttonClass('plain')}>
        {isCollected ? '取消收藏' : '收藏'}
      </button>
      {post.refusals.report === null && (
        <a href={postReport.href(here)} className={buttonClass('plain')}>
          举报
        </a>
      )}
      {post.is_can_delete === 1 && (
        <a href={postDeletion.href(postsHref(post), { post: [post.id] })} className={buttonClass('plain')}>
          删除
        </a>
      )}
      {post.report_num > 0 && <span className={styles.reported}>被举报 {post.report_num} 次</span>}
    </form>
  );
}

function Comments({ post, idempotencyKey, refused, view }: PostPageProps) {
  const timezone = useTimezone();
  const error = refused?.errors?.content?.[0];
  const typed = refused?.typed.find(([name]) => name === 'content')?.[1];
  const { comments, comment_num, page, limit } = post;
  return (
    <section className={styles.comments} id="comments" aria-labelledby="comments-title">
      <h2 id="comments-title">评论 {comment_num}</h2>
      <form method="post" action={view.here}>
        <input type="hidden" name="idempotency_key" value={refused?.key ?? idempotencyKey} />
        <Draft name={`comment ${post.id}`} />
        <Field label="发表评论" id="comment" error={error}>
          <textarea
            id="comment"
            name="content"
            rows={2}
            defaultValue={typed}
            placeholder={`最多${commentLimit}个字`}
            className={controlClass}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? 'comment-error' : undefined}
          />
        </Field>
        <p className={styles.submit}>
          <button type="submit" name="deed" value="comment" className={buttonClass('primary')}>
            评论
          </button>
        </p>
      </form>
      {comments.length > 0 ? (
        <ol>
          {comments.map((comment) => (
            <li key={comment.id}>
              <div className={styles.head}>
                <Author {...comment} />
                <time>{formatTime(comment.created_at, timezone)}</time>
              </div>
              <p>{comment.content}</p>
            </li>
          ))}
        </ol>
      ) : (
        <p className={styles.group}>{comment_num > 0 ? '这一页没有评论' : '还没有评论'}</p>
      )}
      {comment_num > limit && <Pager page={page} limit={limit} total={comment_num} href={view.page} />}
    </section>
  );
}
