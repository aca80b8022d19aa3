/** One post with its pictures and comments, and what one does with it: CommunityShow and CommunityDetail. */
import { useOutlet } from 'react-router';
import { commentLimit, type PostWithComments } from '#server/community/contract.ts';
import type { TabRefusal } from '../classes/tabs/tab.ts';
import { formatTime } from '../lib/dates.ts';
import { buttonClass } from '../ui/button.tsx';
import { controlClass, Field } from '../ui/field.tsx';
import { Pager } from '../ui/pager.tsx';
import { deleteAddress } from './address.ts';
import styles from './post.module.css';
import { Author, Pictures } from './post-card.tsx';

export interface PostPageProps {
  post: PostWithComments;
  path: string;
  search: string;
  back: { label: string; href: string };
  timezone: string;
  idempotencyKey: string;
  refused: TabRefusal | undefined;
}

export function PostPage(props: PostPageProps) {
  const { post, path, search, back, timezone, refused } = props;
  const dialog = useOutlet();
  const at = (changes: Record<string, string>) => {
    const params = new URLSearchParams(search);
    for (const [name, value] of Object.entries(changes)) params.set(name, value);
    return `?${params}`;
  };
  return (
    <>
      {/* With a dialog open, the post behind it is out of reach. */}
      <main inert={dialog !== null}>
        <p className={styles.toolbar}>
          <a href={back.href} className={buttonClass('plain')}>
            返回{back.label}
          </a>
        </p>
        <article className={styles.whole} id="post">
          <h1 className="visually-hidden">{post.nickname}的帖子</h1>
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
          <Deeds post={post} action={path + at({})} reportHref={`${path}/report${at({})}`} />
        </article>
        <Comments {...props} action={path + at({})} pageHref={(number) => `${path}${at({ page: String(number) })}`} />
      </main>
      {dialog}
    </>
  );
}

function Deeds({ post, action, reportHref }: { post: PostWithComments; action: string; reportHref: string }) {
  const isLiked = post.is_like === 1;
  const isCollected = post.collect_id > 0;
  return (
    <form method="post" action={action} className={styles.deeds}>
      <input type="hidden" name="collect_id" value={post.collect_id} />
      <button type="submit" name="deed" value={isLiked ? 'unlike' : 'like'} className={buttonClass('plain')}>
        {isLiked ? '取消点赞' : '点赞'} {post.like_num}
      </button>
      <button type="submit" name="deed" value={isCollected ? 'uncollect' : 'collect'} className={buttonClass('plain')}>
        {isCollected ? '取消收藏' : '收藏'}
      </button>
      {post.is_own === 0 && (
        <a href={reportHref} className={buttonClass('plain')}>
          举报
        </a>
      )}
      {post.is_can_delete === 1 && (
        <a href={deleteAddress(post, post.id)} className={buttonClass('plain')}>
          删除
        </a>
      )}
      {post.report_num > 0 && <span className={styles.reported}>被举报 {post.report_num} 次</span>}
    </form>
  );
}

function Comments({
  post,
  timezone,
  idempotencyKey,
  refused,
  action,
  pageHref,
}: PostPageProps & { action: string; pageHref: (page: number) => string }) {
  const error = refused?.errors?.content?.[0];
  const typed = refused?.typed.find(([name]) => name === 'content')?.[1];
  const { comments, comment_num, page, limit } = post;
  return (
    <section className={styles.comments} id="comments" aria-labelledby="comments-title">
      <h2 id="comments-title">评论 {comment_num}</h2>
      <form method="post" action={action}>
        <input type="hidden" name="idempotency_key" value={refused?.key ?? idempotencyKey} />
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
      {comment_num > limit && <Pager page={page} limit={limit} total={comment_num} href={pageHref} />}
    </section>
  );
}
